#include "display_width.h"

namespace diffie::cli {
namespace {

bool is_wide(char32_t code) {
  return (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF) ||
         (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF) ||
         (code >= 0xFE30 && code <= 0xFE6F) || (code >= 0xFF00 && code <= 0xFF60) ||
         (code >= 0x1F300 && code <= 0x1FAFF) || (code >= 0x20000 && code <= 0x3FFFD);
}

bool is_zero_width(char32_t code) {
  return (code >= 0x0300 && code <= 0x036F) || (code >= 0x200B && code <= 0x200F) ||
         (code >= 0xFE00 && code <= 0xFE0F);
}

// Precondition: valid UTF-8.
char32_t next_code_point(std::string_view text, std::size_t& pos) {
  const auto lead = static_cast<unsigned char>(text[pos++]);
  char32_t code = lead < 0x80   ? lead
                  : lead < 0xE0 ? lead & 0x1F
                  : lead < 0xF0 ? lead & 0x0F
                                : lead & 0x07;
  while (pos < text.size() && (static_cast<unsigned char>(text[pos]) & 0xC0) == 0x80) {
    code = code << 6 | (static_cast<unsigned char>(text[pos++]) & 0x3F);
  }
  return code;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  std::size_t pos = 0;
  while (pos < text.size()) {
    const char32_t code = next_code_point(text, pos);
    if (!is_zero_width(code)) width += is_wide(code) ? 2 : 1;
  }
  return width;
}

}  // namespace diffie::cli
