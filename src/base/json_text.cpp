#include "base/json_text.h"

#include "base/utf8.h"

namespace diffie::base {
namespace {

void append_escaped(std::string& out, char c) {
  constexpr char kHex[] = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u00";
      out += kHex[static_cast<unsigned char>(c) >> 4];
      out += kHex[static_cast<unsigned char>(c) & 15];
  }
}

bool needs_escape(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f || c == '"' || c == '\\';
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t pos = 0;
  while (pos < text.size()) {
    const auto byte = static_cast<unsigned char>(text[pos]);
    if (byte < 0x80) {
      if (needs_escape(text[pos])) {
        append_escaped(out, text[pos]);
      } else {
        out += text[pos];
      }
      ++pos;
      continue;
    }
    const Decoded decoded = decode_utf8(text, pos);
    if (decoded.valid) {
      out.append(text, pos, decoded.length);
    } else {
      out += "\xEF\xBF\xBD";
    }
    pos += decoded.length;
  }
  out += '"';
}

}  // namespace diffie::base
