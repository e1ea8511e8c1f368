// Rankers made by hand.
#pragma once

#include <algorithm>
#include <memory>
#include <string_view>

#include "extract/ranker.h"

namespace diffie::extract {

inline std::uint16_t feature_index(std::string_view name) {
  const auto found = std::find(kFeatureNames.begin(), kFeatureNames.end(), name);
  if (found == kFeatureNames.end()) throw std::out_of_range(std::string(name));
  return static_cast<std::uint16_t>(found - kFeatureNames.begin());
}

// `height` for each of the steps that the feature is above: rises with it, in 1 / steps of [0, 1].
inline TreeEnsemble staircase(std::string_view feature, std::size_t steps, float height = 1) {
  TreeEnsemble trees;
  trees.depth = 1;
  for (std::size_t i = 0; i < steps; ++i) {
    trees.features.push_back(feature_index(feature));
    trees.thresholds.push_back((static_cast<float>(i) + 0.5f) / static_cast<float>(steps));
    trees.leaves.insert(trees.leaves.end(), {0, height});
  }
  return trees;
}

// Shows the most frequent wording; worth rises with the fact's gain.
inline Ranker plain_ranker() {
  return {staircase("share", 64), staircase("fact_gain_2", 64), Calibration({{0, 0.1}, {64, 0.9}})};
}

}  // namespace diffie::extract
