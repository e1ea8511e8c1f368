// The one exception type of the library.
#pragma once

#include <stdexcept>
#include <string>

#include "diffie/export.h"

namespace diffie {

enum class ErrorCode {
  kInvalidArgument,  // an option or argument that cannot be
  kNotFound,         // a file or directory that is not there or cannot be read
  kCorruptModel,     // a model directory or weights file that breaks its own rules
  kBadInput,         // data (text, scores, training rows) that cannot be read as what it should be
  kUnsupported,      // understood, but not by this build or version
  kExhausted,        // a limit on memory, size or time was met
  kCancelled,        // the caller asked to stop
  kInternal,         // our fault
};

// Short lower-case name of a code, e.g. "corrupt model".
DIFFIE_API const char* to_string(ErrorCode code) noexcept;

// The message names the thing, what was found and what was wanted; it is one line of valid UTF-8,
// whatever the names in it hold.
class DIFFIE_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message);
  ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace diffie
