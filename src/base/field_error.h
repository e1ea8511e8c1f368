// An error about one of several things that a caller fills in: it says which.
#pragma once

#include <string>
#include <utility>

#include "diffie/error.h"

namespace diffie::base {

// The field by its own name ("times") or its path ("documents[1].id"). The message names it, too.
class FieldError : public Error {
 public:
  FieldError(ErrorCode code, std::string field, const std::string& message)
      : Error(code, message), field_(std::move(field)) {}
  const std::string& field() const noexcept { return field_; }

 private:
  std::string field_;
};

}  // namespace diffie::base
