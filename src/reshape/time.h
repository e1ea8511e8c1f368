// Phrases that say when: "in 1843", "last week", "for three years", "on the morning of 5 May".
#pragma once

#include <vector>

#include "reshape/line.h"
#include "reshape/phrase.h"

namespace diffie::reshape {

// In text order, not overlapping.
std::vector<Phrase> find_times(const Line& line);

}  // namespace diffie::reshape
