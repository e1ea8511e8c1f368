// The selectors behind make_selector; the settings are checked there.
#pragma once

#include <memory>

#include "extract/selector.h"

namespace diffie::extract {

inline std::size_t top_k(const Settings& settings) {
  return static_cast<std::size_t>(settings.top_k);
}

// Exact frequency: the most frequent candidates, confidence = count / n.
std::unique_ptr<Selector> make_frequency_selector(const Settings& settings);

// Lenient clusters: connected components under F >= tau, confidence = summed count / n, shown by
// the most frequent member.
std::unique_ptr<Selector> make_lenient_selector(const Settings& settings);

// Coverage: greedily the set A that maximises sum_j w_j max_{a in A} F(a, j)^power, confidence =
// marginal gain.
std::unique_ptr<Selector> make_coverage_selector(const Settings& settings);

// Learned: the facts that coverage finds, worded and ranked by the ranker, confidence = the
// probability of being right.
std::unique_ptr<Selector> make_learned_selector(const Settings& settings,
                                                std::shared_ptr<const Ranker> ranker);

}  // namespace diffie::extract
