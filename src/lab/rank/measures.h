// How selectors fare on training sentences.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lab/rank/examples.h"

namespace diffie::rank {

using SelectorOf = std::function<const extract::Selector&(const Draw& draw)>;

// A row per pool label and number of samples: CaRB's measures with the training gold (words as
// SentenceGold compares them) and the strict F1. Pools that differ in a fold number only (name-f0,
// name-f1) count as one.
std::vector<RankRow> measure(std::span<const Draw> draws, std::span<const RankPool> pools,
                             const std::string& selector_name, const SelectorOf& selector_of,
                             base::Workers& threads);

// What the ranker is compared with.
struct PlainSelector {
  std::string name;
  std::unique_ptr<extract::Selector> selector;
};
std::vector<PlainSelector> plain_selectors(std::int32_t top_k);

}  // namespace diffie::rank
