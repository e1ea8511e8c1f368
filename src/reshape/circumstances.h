// The time and place phrases of a triple.
#pragma once

#include <vector>

#include "extract/selector.h"
#include "reshape/line.h"
#include "reshape/phrase.h"

namespace diffie::reshape {

// Those of a sentence, in text order, for all its triples.
std::vector<Phrase> find_circumstances(const Line& line);

// The phrases whose core is among the triple's words, whatever the slots, with as much of the rest
// as is there.
std::vector<Circumstance> circumstances_of(const extract::Triple& triple,
                                           const std::vector<Phrase>& phrases, const Line& line);

}  // namespace diffie::reshape
