#pragma once

#include <algorithm>
#include <string_view>

namespace diffie::files {

// Letters, digits, '-', '_' and '.', not starting with '.' or '-': no path, no hidden file, no
// option, nothing a shell or `sha256sum -c` reads differently.
inline bool is_plain_name(std::string_view name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return !name.empty() && name.size() <= 255 && name[0] != '.' && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), plain);
}

}  // namespace diffie::files
