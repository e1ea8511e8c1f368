#pragma once

#include <cstddef>
#include <string_view>

namespace diffie::cli {

// Columns that a text of valid UTF-8 takes; wide (CJK, emoji) characters count two.
std::size_t display_width(std::string_view text);

}  // namespace diffie::cli
