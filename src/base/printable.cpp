#include "base/printable.h"

#include <fmt/core.h>

#include "base/utf8.h"

namespace diffie::base {

std::string printable(std::string_view text, std::size_t max_bytes) {
  std::string out;
  for (const char c : text.substr(0, max_bytes)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else {
      out += fmt::format("\\x{:02x}", byte);
    }
  }
  if (text.size() > max_bytes) out += "...";
  return out;
}

bool is_control(char32_t code_point) {
  return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0) || code_point == 0x2028 ||
         code_point == 0x2029;
}

bool is_bidi_control(char32_t code_point) {
  return (code_point >= 0x202A && code_point <= 0x202E) ||
         (code_point >= 0x2066 && code_point <= 0x2069);
}

std::string one_line_shown(std::string_view text) {
  std::string out;
  for (std::size_t pos = 0; pos < text.size();) {
    const Decoded decoded = decode_utf8(text, pos);
    const auto code = static_cast<std::uint32_t>(decoded.code_point);
    if (!decoded.valid) {
      out += "\xEF\xBF\xBD";
    } else if (is_control(decoded.code_point) || is_bidi_control(decoded.code_point)) {
      out += code < 0x100 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
    } else {
      out.append(text, pos, decoded.length);
    }
    pos += decoded.length;
  }
  return out;
}

}  // namespace diffie::base
