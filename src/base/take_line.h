// Text, a line at a time.
#pragma once

#include <algorithm>
#include <string_view>

namespace diffie::base {

// The first line of what is left, without its \n, and takes it off.
inline std::string_view take_line(std::string_view& rest) {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  return line;
}

}  // namespace diffie::base
