#pragma once

#include <string>

#include "exit_codes.h"
#include "messages.h"

namespace diffie::cli {

// What went wrong with the input, one line each on stderr; the exit code remembers it.
class Diagnostics {
 public:
  void bad_input(const std::string& message) {
    tell(message);
    had_bad_input_ = true;
  }

  int exit_code() const { return had_bad_input_ ? kExitBadInput : kExitOk; }

 private:
  bool had_bad_input_ = false;
};

}  // namespace diffie::cli
