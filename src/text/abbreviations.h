// English abbreviations with a stop, by what may follow them.
#pragma once

#include <functional>
#include <string_view>

namespace diffie::text {

enum class AbbreviationKind {
  kNone,
  kClosed,  // never ends a sentence: Mr., e.g., vs.
  kOpen,    // ends one where a typical first word follows: Inc., U.S., Jan.
  kNumber,  // no sentence end where a number follows: No. 5, pp. 3
};

// `word` has no final stop; the case does not matter.
AbbreviationKind abbreviation_kind(std::string_view word);

// A word that mostly begins a sentence when it has a capital: The, He, However. Case matters.
bool is_sentence_starter(std::string_view word);

// Calls visit with every kOpen and kNumber abbreviation in the spellings "x.", "X." and "Xx.".
void for_each_open_abbreviation(const std::function<void(std::string_view)>& visit);

}  // namespace diffie::text
