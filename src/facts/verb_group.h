// A verb with its auxiliaries, negations and adverbs, and the word that governs it: "did not really
// want | to sign" is the group of "sign" with the governor "want".
#pragma once

#include <vector>

#include "facts/phrases.h"

namespace diffie::facts {

struct VerbGroup {
  std::size_t begin = 0;  // its first unit
  std::size_t head = 0;   // its last verb, noun or adjective
  bool negative = false;
  bool possible = false;  // a modal or a hedging adverb
  bool passive = false;   // a form of "be" stands before the head
  bool aside = false;     // "without closing the door": no claim of the sentence's main clause
  std::size_t governor = kNowhere;
};

// `in_relation`, one per unit, or empty: words that belong to the group whatever they are.
// `subject_end`: where the subject before the verb ends, 0 for none; what is joined to another verb
// of this subject by "and" or "or" has its auxiliaries and governor.
VerbGroup verb_group(Units units, std::size_t head, const std::vector<bool>& in_relation,
                     std::size_t subject_end);

// Whether "not", "no" or the like at this unit denies what follows: not in "not only", "no fewer
// than", "not ... until".
bool denies(Units units, std::size_t at);

}  // namespace diffie::facts
