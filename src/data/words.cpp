#include "data/words.h"

#include <cstdint>

namespace diffie::data {
namespace {

constexpr std::string_view kBlanks = " \t\n\r\f\v";

// Two-byte UTF-8 reaches U+07FF, which holds every cased letter of our sources but a few.
char32_t lower_two_byte(char32_t c) {
  if (c >= 0xC0 && c <= 0xDE && c != 0xD7) return c + 0x20;
  if (c == 0x178) return 0xFF;
  const bool odd_upper = (c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E);
  if (c >= 0x100 && c <= 0x17E && c != 0x130 && c != 0x138 && c != 0x149) {
    return ((c & 1) != 0) == odd_upper ? c + 1 : c;
  }
  if ((c >= 0x391 && c <= 0x3A9) || (c >= 0x410 && c <= 0x42F)) return c + 0x20;
  if (c >= 0x400 && c <= 0x40F) return c + 0x50;
  return c;
}

}  // namespace

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t begin = text.find_first_not_of(kBlanks);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kBlanks, end);
  }
  return words;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const auto byte = static_cast<std::uint8_t>(lower[i]);
    if (byte >= 'A' && byte <= 'Z') lower[i] = static_cast<char>(byte + 0x20);
    if (byte < 0xC2 || byte > 0xDF || i + 1 == lower.size()) continue;
    const auto next = static_cast<std::uint8_t>(lower[i + 1]);
    if ((next & 0xC0) != 0x80) continue;
    const char32_t c = lower_two_byte(static_cast<char32_t>((byte & 0x1F) << 6 | (next & 0x3F)));
    lower[i] = static_cast<char>(0xC0 | (c >> 6));
    lower[++i] = static_cast<char>(0x80 | (c & 0x3F));
  }
  return lower;
}

}  // namespace diffie::data
