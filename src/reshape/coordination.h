// Coordinated arguments taken apart: "Marie and Pierre Curie discovered polonium and radium" says
// four things.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "extract/selector.h"
#include "reshape/line.h"

namespace diffie::reshape {

// A triple is split into so many at most; what would give more stays whole.
inline constexpr std::size_t kMostParts = 64;

// The triples that a coordinated subject and object make, in text order; the triple itself where
// there is nothing to split. "or" is split where the triple is denied, "and" where it is not.
std::vector<extract::Triple> split_coordination(const Line& line, const extract::Triple& triple,
                                                bool negative);

// The parts of one slot, each ascending. A word may be of several: "Marie" + "Curie", "Pierre
// Curie".
std::vector<std::vector<std::uint32_t>> parts_of_slot(const Line& line,
                                                      std::span<const std::uint32_t> words,
                                                      bool negative);

}  // namespace diffie::reshape
