// Words as the reference scorers see them: Python's str.split(), str.strip() and str.lower().
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace diffie::score {

// Length in bytes of the Unicode white space that begins at `pos`; 0 if there is none.
std::size_t space_length(std::string_view text, std::size_t pos) noexcept;

// Without outer Unicode white space.
std::string_view strip(std::string_view text) noexcept;

// The pieces between runs of Unicode white space.
std::vector<std::string_view> split_words(std::string_view text);

// The pieces between single separators; empty pieces stay, so there is always at least one.
std::vector<std::string_view> split_at(std::string_view text, char separator);

// Lower case by Unicode's simple mapping, code point by code point; invalid UTF-8 stays as it is.
std::string lower_case(std::string_view text);

bool is_valid_utf8(std::string_view text) noexcept;

}  // namespace diffie::score
