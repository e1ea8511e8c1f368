#pragma once

#include <stop_token>

#include "diffie/error.h"

namespace diffie::engine {

inline void throw_if_stopped(const std::stop_token& stop) {
  if (stop.stop_requested()) {
    throw Error(ErrorCode::kCancelled, "stopped: the caller asked for it");
  }
}

}  // namespace diffie::engine
