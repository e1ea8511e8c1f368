// Phrases that say where: "in Vienna", "on the banks of the Danube", "in the north of France",
// "abroad".
#pragma once

#include <vector>

#include "reshape/line.h"
#include "reshape/phrase.h"

namespace diffie::reshape {

// In text order, overlapping neither each other nor `times`.
std::vector<Phrase> find_places(const Line& line, const std::vector<Phrase>& times);

}  // namespace diffie::reshape
