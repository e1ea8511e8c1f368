// White space and the words between it: Python's str.split() and str.strip().
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace diffie::text {

// Length in bytes of the Unicode white space that begins at `pos`; 0 if there is none.
std::size_t space_length(std::string_view text, std::size_t pos) noexcept;

// Without outer Unicode white space.
std::string_view strip(std::string_view text) noexcept;

// The pieces between runs of Unicode white space.
std::vector<std::string_view> split_words(std::string_view text);

// The pieces between single separators; empty pieces stay, so there is always at least one.
std::vector<std::string_view> split_at(std::string_view text, char separator);

std::string join(const std::vector<std::string>& pieces, std::string_view separator);

}  // namespace diffie::text
