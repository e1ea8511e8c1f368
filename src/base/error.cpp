#include "diffie/error.h"

#include "base/printable.h"

namespace diffie {

Error::Error(ErrorCode code, const std::string& message)
    : std::runtime_error(base::one_line_shown(message)), code_(code) {}

const char* to_string(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "invalid argument";
    case ErrorCode::kNotFound:
      return "not found";
    case ErrorCode::kCorruptModel:
      return "corrupt model";
    case ErrorCode::kBadInput:
      return "bad input";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kExhausted:
      return "exhausted";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kInternal:
      return "internal error";
  }
  return "unknown error";
}

}  // namespace diffie
