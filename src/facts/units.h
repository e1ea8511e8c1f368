// The words of a sentence as the rules read them: contractions taken apart, each with its classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/text.h"
#include "facts/lexicon.h"

namespace diffie::facts {

struct Unit {
  std::string_view text;  // lower-cased; "n't", "'s" where a contraction was taken apart
  Classes classes = 0;
  std::uint32_t first_word = 0;  // the words of the sentence that it stands for; two units may
  std::uint32_t last_word = 0;   // share one ("don't" among white-space tokens)
  bool capital = false;          // begins with a capital letter, and has no other

  bool is(Classes any) const { return (classes & any) != 0; }
  bool is(std::string_view word) const { return text == word; }
};

// `lower_words` and the text must outlive the units. Words may be basic tokens (don ' t),
// white-space tokens (don't) or those of a treebank (do n't).
std::vector<Unit> make_units(std::string_view text, std::span<const Span> word_bytes,
                             std::span<const std::string> lower_words);

}  // namespace diffie::facts
