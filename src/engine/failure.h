#pragma once

#include <string>

#include "diffie/error.h"

namespace diffie::engine {

// Why a sentence has no triples.
struct Failure {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
};

}  // namespace diffie::engine
