#include "text/lowercase.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/utf8.h"

namespace diffie::text {
namespace {

struct Row {
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t step;
  std::int32_t distance;
};

constexpr Row kRows[] = {
#include "text/lowercase_table.inc"
};

char32_t lowercase_code_point(char32_t code) {
  const auto row =
      std::lower_bound(std::begin(kRows), std::end(kRows), code,
                       [](const Row& candidate, char32_t value) { return candidate.last < value; });
  if (row == std::end(kRows) || code < row->first || (code - row->first) % row->step != 0)
    return code;
  return static_cast<char32_t>(static_cast<std::int64_t>(code) + row->distance);
}

}  // namespace

std::string lowercase(std::string_view text) {
  std::string lower;
  lower.reserve(text.size());
  std::size_t pos = 0;
  while (pos < text.size()) {
    const char byte = text[pos];
    if (static_cast<unsigned char>(byte) < 0x80) {
      lower += byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + ('a' - 'A')) : byte;
      ++pos;
      continue;
    }
    const base::Decoded decoded = base::decode_utf8(text, pos);
    if (decoded.valid) {
      char bytes[4];
      lower.append(bytes, base::encode_utf8(lowercase_code_point(decoded.code_point), bytes));
    } else {
      lower.append(text.substr(pos, decoded.length));
    }
    pos += decoded.length;
  }
  return lower;
}

}  // namespace diffie::text
