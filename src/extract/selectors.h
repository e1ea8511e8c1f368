// The selectors behind make_selector; options are checked there.
#pragma once

#include <memory>

#include "extract/selector.h"

namespace diffie::extract {

// Exact frequency: the most frequent candidates, confidence = count / n.
std::unique_ptr<Selector> make_frequency_selector(const SelectorOptions& options);

// Lenient clusters: connected components under F >= tau, confidence = summed count / n, shown by
// the most frequent member.
std::unique_ptr<Selector> make_lenient_selector(const SelectorOptions& options);

// Coverage: greedily the set A that maximises sum_j w_j max_{a in A} F(a, j)^power, confidence =
// marginal gain.
std::unique_ptr<Selector> make_coverage_selector(const SelectorOptions& options);

// Learned: the facts that coverage finds, worded and ranked by options.ranker, confidence = the
// probability of being right.
std::unique_ptr<Selector> make_learned_selector(const SelectorOptions& options);

}  // namespace diffie::extract
