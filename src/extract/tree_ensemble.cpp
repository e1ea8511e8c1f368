#include "extract/tree_ensemble.h"

namespace diffie::extract {

double TreeEnsemble::predict(std::span<const float> row) const {
  const std::size_t inner = num_inner();
  const std::size_t trees = num_trees();
  double sum = base;
  for (std::size_t tree = 0; tree < trees; ++tree) {
    const std::uint16_t* feature = features.data() + tree * inner;
    const float* threshold = thresholds.data() + tree * inner;
    std::size_t node = 0;
    for (std::size_t level = 0; level < depth; ++level)
      node = 2 * node + 1 + static_cast<std::size_t>(row[feature[node]] > threshold[node]);
    sum += leaves[tree * (inner + 1) + node - inner];
  }
  return sum;
}

}  // namespace diffie::extract
