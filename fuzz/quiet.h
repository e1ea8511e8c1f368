// What readers report goes nowhere, but is checked to be a line.
#pragma once

#include "base/printable.h"
#include "fuzz.h"
#include "messages.h"

void diffie::cli::tell(std::string_view text) noexcept {
  FUZZ_CHECK(base::one_line_shown(text).find('\n') == std::string::npos);
}
