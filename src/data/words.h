// White space, case and the white-space words of a sentence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace diffie::data {

std::string_view trim(std::string_view text);
std::vector<std::string_view> split_words(std::string_view text);

// Simple lower case of UTF-8: ASCII, Latin-1, Latin Extended-A, Greek and Cyrillic letters. Other
// characters and invalid bytes stay as they are.
std::string lower_case(std::string_view text);

}  // namespace diffie::data
