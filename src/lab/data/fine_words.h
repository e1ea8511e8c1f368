// Words cut finely enough that two spellings of the same text give the same words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace diffie::data {

// Lower-cased run of letters and digits, or of one punctuation mark.
struct FineWord {
  std::string text;
  std::uint32_t word = 0;  // index of the white-space word it is part of
  bool punctuation = false;
};

// Undoes PTB escapes (-LRB-, ``), splits at punctuation (Bach's as Bach 's, don't as do n't), reads
// n't as not and U.S. as us, and keeps numbers like 1,234.5 and 1:49 whole.
std::vector<FineWord> fine_words(std::string_view text);

}  // namespace diffie::data
