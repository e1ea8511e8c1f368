// What a governing word makes of the event below it: "said that p", "failed to p", "rumours that
// p".
#pragma once

#include "facts/reading.h"

namespace diffie::facts {

// `said` is the reading of the governor itself: "did not say" is negative.

// "evidence that p", "the claim that p"
void put_under_noun(const Unit& noun, const Reading& said, Reading& inner);

// "X said that p", "it is false that p"
void put_under_verb(Units units, const Clause& outer, const Reading& said, Reading& inner);

// "X failed to p", "X wants Y to p", "X denied p"
void put_infinitive_under(Units units, const Clause& outer, const Reading& said, Reading& inner);

}  // namespace diffie::facts
