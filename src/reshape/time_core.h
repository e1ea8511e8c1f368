// What a time phrase is about, without its preposition: "1843", "last week", "three years".
#pragma once

#include <cstddef>

#include "reshape/line.h"

namespace diffie::reshape {

// What a core may be without a preposition.
enum class Bare {
  kTime,      // says when by itself: "last week"
  kDuration,  // at the end of its clause: "lasted three years"
  kNothing,   // "1990", "the 1990s", "night"
};

struct TimeCore {
  std::size_t end = 0;  // where it begins: none
  Bare bare = Bare::kNothing;
};

// The longest core that begins at the unit.
TimeCore time_core(const Line& line, std::size_t at);

// The end of a number in digits or words ("1,500", "twenty-five"), `at` for none.
std::size_t number_end(const Line& line, std::size_t at);

bool is_year(const Line& line, std::size_t at);   // "1843", and no part of another number
bool is_month(const Line& line, std::size_t at);  // in capitals, or short

}  // namespace diffie::reshape
