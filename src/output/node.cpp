#include "output/node.h"

#include <charconv>
#include <span>

#include "base/utf8.h"
#include "checksums/sha256.h"
#include "text/lowercase.h"

namespace diffie::output {

std::string one_line(std::string_view text) {
  std::string line;
  bool blank = false;
  for (std::size_t pos = 0; pos < text.size();) {
    const base::Decoded decoded = base::decode_utf8(text, pos);
    const char32_t code = decoded.code_point;
    if (base::is_unicode_space(code) || code < 0x20 || (code >= 0x7F && code < 0xA0)) {
      blank = !line.empty();
    } else {
      if (blank) line += ' ';
      blank = false;
      char bytes[4];
      line.append(bytes, base::encode_utf8(code, bytes));
    }
    pos += decoded.length;
  }
  return line;
}

std::string node_key(std::string_view text) { return text::lowercase(one_line(text)); }

std::string node_id(std::string_view key) {
  return checksums::sha256(std::as_bytes(std::span(key.data(), key.size()))).substr(0, 32);
}

bool SeenNodes::insert(std::string_view id) {
  Id bits{};
  std::from_chars(id.data(), id.data() + 16, bits[0], 16);
  std::from_chars(id.data() + 16, id.data() + 32, bits[1], 16);
  return ids_.insert(bits).second;
}

}  // namespace diffie::output
