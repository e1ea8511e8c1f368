// Kinds of English words that can be told from a list: what stands at a boundary says much about
// whether it is one.
#pragma once

#include <cstdint>
#include <string_view>

namespace diffie::extract {

enum class WordKind : std::uint8_t {
  kContent,
  kDeterminer,
  kPreposition,
  kBe,
  kAuxiliary,
  kConjunction,
  kPronoun,
  kPunctuation,
  kNone,  // beyond the sentence
};

// Never kNone. A word of several kinds has the first one in the order of the lists.
WordKind word_kind(std::string_view lower_cased_word);

// said, says, say, told, added
bool reports_speech(std::string_view lower_cased_word);

}  // namespace diffie::extract
