#include "base/utf8.h"

#include <cstring>

namespace diffie::base {

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  std::size_t pos = 0;
  while (pos < text.size()) {
    std::uint64_t eight = 0;
    if (text.size() - pos >= sizeof(eight)) {
      std::memcpy(&eight, text.data() + pos, sizeof(eight));
      if ((eight & kHighBits) == 0) {
        pos += sizeof(eight);
        continue;
      }
    }
    const Decoded decoded = decode_utf8(text, pos);
    if (!decoded.valid) return pos;
    pos += decoded.length;
  }
  return std::nullopt;
}

void append_valid_utf8(std::string& out, std::string_view text) {
  std::size_t pos = 0;
  while (pos < text.size()) {
    const Decoded decoded = decode_utf8(text, pos);
    if (decoded.valid) {
      out.append(text, pos, decoded.length);
    } else {
      out += "\xEF\xBF\xBD";
    }
    pos += decoded.length;
  }
}

bool is_unicode_space(char32_t code_point) {
  if (code_point < 0x80) {
    return code_point == ' ' || (code_point >= 0x09 && code_point <= 0x0D) ||
           (code_point >= 0x1C && code_point <= 0x1F);
  }
  return code_point == 0x85 || code_point == 0xA0 || code_point == 0x1680 ||
         (code_point >= 0x2000 && code_point <= 0x200A) || code_point == 0x2028 ||
         code_point == 0x2029 || code_point == 0x202F || code_point == 0x205F ||
         code_point == 0x3000;
}

}  // namespace diffie::base
