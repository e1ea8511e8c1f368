// What a reader trips over at the edges of a slot: marks, list numbers, conjunctions; and triples
// that say nothing.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "extract/selector.h"

namespace diffie::extract {

// A code point of it is a letter or a digit.
bool has_letter_or_digit(std::string_view word);

// Takes words away from the edges of the slots, never any from between, and adds to subject and
// object the marks and conjunctions that stand between two of their words; tidying twice is tidying
// once. False, with the triple in no particular state, when what is left says
// nothing or something else: a slot without a letter or digit, a subject or object of function
// words alone, a relation without a verb or noun or one that ends with a conjunction, half of
// "isn't". `words` as in CandidateSet, lower-cased, the implied ones last.
bool tidy_triple(Triple& triple, std::span<const std::string> words, std::size_t num_implied);

}  // namespace diffie::extract
