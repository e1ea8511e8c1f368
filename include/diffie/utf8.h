#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace diffie {

// Byte index of the first byte that belongs to no well-formed UTF-8 sequence; nothing when all of
// the text is well formed. Surrogates, overlong forms and values above U+10FFFF are ill-formed.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

}  // namespace diffie
