#pragma once

#include <cstddef>

#include "diffie/extractor.h"
#include "facts/phrases.h"

namespace diffie::reshape {

// Units [begin, end) of a sentence that say when or where; [core, end) without preposition and
// article: "in the | 1990s".
struct Phrase {
  CircumstanceKind kind = CircumstanceKind::kTime;
  std::size_t begin = 0;
  std::size_t core = 0;
  std::size_t end = 0;
  // The preposition before the first of a list, for the others: "in May and | June".
  std::size_t shared = facts::kNowhere;
};

}  // namespace diffie::reshape
