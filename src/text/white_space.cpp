#include "text/white_space.h"

#include "base/utf8.h"

namespace diffie::text {
std::size_t space_length(std::string_view text, std::size_t pos) noexcept {
  const auto lead = static_cast<unsigned char>(text[pos]);
  if (lead >= 0x80u && lead != 0xC2u && (lead < 0xE1u || lead > 0xE3u))
    return 0;  // no space begins so
  const base::Decoded decoded = base::decode_utf8(text, pos);
  return decoded.valid && base::is_unicode_space(decoded.code_point) ? decoded.length : 0;
}

std::string_view strip(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t length = space_length(text, 0);
    if (length == 0) break;
    text.remove_prefix(length);
  }
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && text.size() - start < 4 &&
           (static_cast<unsigned char>(text[start]) & 0xC0u) == 0x80u) {
      --start;
    }
    if (space_length(text, start) != text.size() - start) break;
    text.remove_suffix(text.size() - start);
  }
  return text;
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  std::size_t pos = 0;
  while (pos < text.size()) {
    const std::size_t length = space_length(text, pos);
    if (length == 0) {
      ++pos;
      continue;
    }
    if (pos > begin) words.push_back(text.substr(begin, pos - begin));
    pos += length;
    begin = pos;
  }
  if (pos > begin) words.push_back(text.substr(begin));
  return words;
}

std::vector<std::string_view> split_at(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = text.find(separator, begin);
    pieces.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return pieces;
    begin = end + 1;
  }
}

std::string join(const std::vector<std::string>& pieces, std::string_view separator) {
  std::string joined;
  for (const std::string& piece : pieces) {
    if (!joined.empty()) joined += separator;
    joined += piece;
  }
  return joined;
}

}  // namespace diffie::text
