#include "score/words.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace diffie::score {
namespace {

struct LowerRun {
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t step;
  std::int32_t offset;
};

constexpr LowerRun kLowerRuns[] = {
#include "score/lower_table.inc"
};

std::uint32_t lower_code(std::uint32_t code) {
  const LowerRun* run = std::lower_bound(
      std::begin(kLowerRuns), std::end(kLowerRuns), code,
      [](const LowerRun& candidate, std::uint32_t value) { return candidate.last < value; });
  if (run == std::end(kLowerRuns) || code < run->first) return code;
  if ((code - run->first) % run->step != 0) return code;
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(code) + run->offset);
}

struct Decoded {
  std::uint32_t code = 0;
  std::size_t length = 0;  // 0: not UTF-8
};

// One code point beyond ASCII, without over-long forms, surrogates and what lies past U+10FFFF.
Decoded decode(std::string_view text, std::size_t pos) noexcept {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return pos + i < text.size() ? static_cast<unsigned char>(text[pos + i]) : 0u;
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const std::uint32_t lead = byte(0);
  if (lead >= 0xC2u && lead <= 0xDFu && continues(1)) {
    return {(lead & 0x1Fu) << 6 | (byte(1) & 0x3Fu), 2};
  }
  if ((lead & 0xF0u) == 0xE0u && continues(1) && continues(2)) {
    const std::uint32_t code = (lead & 0x0Fu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
    const bool good = code >= 0x800u && (code < 0xD800u || code > 0xDFFFu);
    return good ? Decoded{code, 3} : Decoded{};
  }
  if (lead >= 0xF0u && lead <= 0xF4u && continues(1) && continues(2) && continues(3)) {
    const std::uint32_t code =
        (lead & 0x07u) << 18 | (byte(1) & 0x3Fu) << 12 | (byte(2) & 0x3Fu) << 6 | (byte(3) & 0x3Fu);
    return code >= 0x10000u && code <= 0x10FFFFu ? Decoded{code, 4} : Decoded{};
  }
  return {};
}

void append_code(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80u) {
    put(code);
  } else if (code < 0x800u) {
    put(0xC0u | code >> 6);
    put(0x80u | (code & 0x3Fu));
  } else if (code < 0x10000u) {
    put(0xE0u | code >> 12);
    put(0x80u | (code >> 6 & 0x3Fu));
    put(0x80u | (code & 0x3Fu));
  } else {
    put(0xF0u | code >> 18);
    put(0x80u | (code >> 12 & 0x3Fu));
    put(0x80u | (code >> 6 & 0x3Fu));
    put(0x80u | (code & 0x3Fu));
  }
}

constexpr bool is_wide_space(std::uint32_t code) {
  return code == 0x85u || code == 0xA0u || code == 0x1680u ||
         (code >= 0x2000u && code <= 0x200Au) || code == 0x2028u || code == 0x2029u ||
         code == 0x202Fu || code == 0x205Fu || code == 0x3000u;
}

}  // namespace

std::size_t space_length(std::string_view text, std::size_t pos) noexcept {
  const auto lead = static_cast<unsigned char>(text[pos]);
  // U+001C to U+001F separate too, as in str.split().
  if (lead < 0x80u)
    return lead == 0x20u || (lead >= 9u && lead <= 13u) || (lead >= 28u && lead <= 31u);
  if (lead != 0xC2u && (lead < 0xE1u || lead > 0xE3u)) return 0;
  const Decoded decoded = decode(text, pos);
  return is_wide_space(decoded.code) ? decoded.length : 0;
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

std::string lower_case(std::string_view text) {
  std::string lowered;
  lowered.reserve(text.size());
  for (std::size_t pos = 0; pos < text.size();) {
    const char c = text[pos];
    if (static_cast<unsigned char>(c) < 0x80u) {
      lowered.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c);
      ++pos;
      continue;
    }
    const Decoded decoded = decode(text, pos);
    if (decoded.length == 0) {
      lowered.push_back(c);
      ++pos;
    } else {
      append_code(lowered, lower_code(decoded.code));
      pos += decoded.length;
    }
  }
  return lowered;
}

bool is_valid_utf8(std::string_view text) noexcept {
  for (std::size_t pos = 0; pos < text.size();) {
    if (static_cast<unsigned char>(text[pos]) < 0x80u) {
      ++pos;
      continue;
    }
    const std::size_t length = decode(text, pos).length;
    if (length == 0) return false;
    pos += length;
  }
  return true;
}

}  // namespace diffie::score
