// One triple against its sentence.
#pragma once

#include <optional>
#include <vector>

#include "diffie/extractor.h"
#include "facts/outline.h"
#include "facts/verb_group.h"

namespace diffie::facts {

// What is said of the event that a verb names.
struct Reading {
  bool negative = false;
  Modality modality = Modality::kCertain;
  std::optional<Region> source;
  bool inverted = false;   // "did he sign"
  bool relative = false;   // "who signed": holds whatever the main clause is
  bool adverbial = false;  // "when he signed": the same, but may be a condition
};

// Units of a triple, ascending.
struct TripleUnits {
  std::vector<std::size_t> subject;
  std::vector<std::size_t> relation;  // not empty
  std::vector<std::size_t> object;
};

Reading read_triple(Units units, const Outline& outline, const TripleUnits& triple);

}  // namespace diffie::facts
