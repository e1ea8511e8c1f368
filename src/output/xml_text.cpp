#include "output/xml_text.h"

#include "base/utf8.h"

namespace diffie::output {
namespace {

std::string_view reference(char32_t code) {
  switch (code) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

bool is_writable(char32_t code) {
  return code == '\t' || code == '\n' || code == '\r' ||
         (code >= 0x20 && !(code >= 0x7F && code < 0xA0) && code != 0xFFFE && code != 0xFFFF);
}

}  // namespace

void append_xml_text(std::string& out, std::string_view text) {
  for (std::size_t pos = 0; pos < text.size();) {
    const base::Decoded decoded = base::decode_utf8(text, pos);
    pos += decoded.length;
    if (const std::string_view escaped = reference(decoded.code_point); !escaped.empty()) {
      out += escaped;
      continue;
    }
    char bytes[4];
    const bool writable = is_writable(decoded.code_point);
    out.append(bytes, base::encode_utf8(writable ? decoded.code_point : base::kReplacement, bytes));
  }
}

}  // namespace diffie::output
