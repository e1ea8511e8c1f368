// One triple against its sentence.
#pragma once

#include <vector>

#include "facts/outline.h"
#include "facts/reading.h"

namespace diffie::facts {

// Units of a triple, ascending.
struct TripleUnits {
  std::vector<std::size_t> subject;
  std::vector<std::size_t> relation;  // not empty
  std::vector<std::size_t> object;
};

Reading read_triple(Units units, const Outline& outline, const TripleUnits& triple);

}  // namespace diffie::facts
