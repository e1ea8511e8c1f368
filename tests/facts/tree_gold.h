// What a dependency tree says of its (subject, verb, object) triples. Where it does not decide, the
// value is absent.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "diffie/extractor.h"
#include "lab/data/conllu.h"

namespace diffie::facts {

inline constexpr std::size_t kNoSource = ~std::size_t{0};

// Words from 0.
struct TreeTriple {
  std::size_t verb = 0;
  std::vector<std::uint32_t> subject;   // the whole phrase; none for an order
  std::vector<std::uint32_t> relation;  // auxiliaries and the verb, without negation
  std::vector<std::uint32_t> object;
  std::optional<bool> negative;
  std::optional<Modality> modality;
  std::optional<std::size_t> source;  // head word of who is said to say it, or kNoSource
};

std::vector<TreeTriple> tree_triples(const data::TreeSentence& sentence);

}  // namespace diffie::facts
