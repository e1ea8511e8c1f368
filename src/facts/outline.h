// What a sentence as a whole says of its parts: which are asked, which depend on a condition, whose
// words they are. Found once, read for every triple.
#pragma once

#include <vector>

#include "facts/phrases.h"

namespace diffie::facts {

// "If it rains, the match is cancelled": both halves are said of another world.
struct Condition {
  Region antecedent;
  Region consequent;  // empty: asserted all the same ("even if")
};

// "According to X, p", "p, X said": a source that no grammar ties to p.
struct Source {
  Region name;
  Region phrase;  // with its verb or "according to"
  Region scope;
  bool quoted_only = false;  // of the scope what stands in quotation marks
};

struct Outline {
  std::size_t start = 0;  // the first unit that is no quote, bullet or other mark
  std::vector<Region> questions;
  std::vector<Condition> conditions;
  std::vector<std::size_t> asked;  // units "if" that mean "whether"
  std::vector<Source> sources;
  std::vector<bool> quoted;  // by unit
  bool begins_with_order = false;
};

Outline make_outline(Units units);

}  // namespace diffie::facts
