// What the rules find out of a clause.
#pragma once

#include <optional>

#include "diffie/extractor.h"
#include "facts/verb_group.h"

namespace diffie::facts {

// A verb with what is known of its subject.
struct Clause {
  VerbGroup group;
  Region subject;  // empty: none stands before the verb
};

// What is said of the event that a verb names.
struct Reading {
  bool negative = false;
  Modality modality = Modality::kCertain;
  std::optional<Region> source;
  bool inverted = false;   // "did he sign"
  bool relative = false;   // "who signed": holds whatever the main clause is
  bool adverbial = false;  // "when he signed": the same, but may be a condition
};

}  // namespace diffie::facts
