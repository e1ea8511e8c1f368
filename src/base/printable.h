#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace diffie::base {

// Text of a file made safe for a one-line message: control characters and bytes outside ASCII
// become \xNN, and what is longer than `max_bytes` is cut with "...".
std::string printable(std::string_view text, std::size_t max_bytes = 80);

}  // namespace diffie::base
