// UTF-8, one code point at a time, over bytes that may be anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace diffie::base {

inline constexpr char32_t kReplacement = 0xFFFD;

struct Decoded {
  char32_t code_point = kReplacement;
  std::uint32_t length = 1;  // bytes read, at least 1
  bool valid = false;
};

// The code point at pos < text.size(). Ill-formed bytes give U+FFFD and the length of the maximal
// subpart (Unicode 3.9, table 3-7): what `bytes.decode('utf-8', 'replace')` does in Python.
inline Decoded decode_utf8(std::string_view text, std::size_t pos) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data()) + pos;
  const std::size_t left = text.size() - pos;
  const unsigned lead = bytes[0];
  if (lead < 0x80) return {lead, 1, true};
  if (lead < 0xC2 || lead > 0xF4) return {};
  const std::uint32_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // The second byte's range depends on the lead; that excludes overlong forms and surrogates.
  const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (left < 2 || bytes[1] < low || bytes[1] > high) return {};
  char32_t code_point = lead & (0xFFu >> (length + 1));
  code_point = code_point << 6 | (bytes[1] & 0x3F);
  for (std::uint32_t i = 2; i < length; ++i) {
    if (i >= left || (bytes[i] & 0xC0) != 0x80) return {kReplacement, i, false};
    code_point = code_point << 6 | (bytes[i] & 0x3F);
  }
  return {code_point, length, true};
}

// Writes 1 to 4 bytes and returns how many. Precondition: a Unicode scalar value.
inline std::uint32_t encode_utf8(char32_t code_point, char* out) {
  const auto tail = [&](int shift) {
    return static_cast<char>(0x80 | ((code_point >> shift) & 0x3F));
  };
  if (code_point < 0x80) {
    out[0] = static_cast<char>(code_point);
    return 1;
  }
  if (code_point < 0x800) {
    out[0] = static_cast<char>(0xC0 | (code_point >> 6));
    out[1] = tail(0);
    return 2;
  }
  if (code_point < 0x10000) {
    out[0] = static_cast<char>(0xE0 | (code_point >> 12));
    out[1] = tail(6);
    out[2] = tail(0);
    return 3;
  }
  out[0] = static_cast<char>(0xF0 | (code_point >> 18));
  out[1] = tail(12);
  out[2] = tail(6);
  out[3] = tail(0);
  return 4;
}

// White space as Python's str.split() and str.strip() see it: White_Space plus U+001C..U+001F.
bool is_unicode_space(char32_t code_point);

// Byte index of the first byte that belongs to no well-formed UTF-8 sequence; nothing when all of
// the text is well formed. Surrogates, overlong forms and values above U+10FFFF are ill-formed.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

// Appends `text`, every maximal ill-formed sequence as U+FFFD.
void append_valid_utf8(std::string& out, std::string_view text);

}  // namespace diffie::base
