#include "extract/tree_ensemble.h"

#include <algorithm>
#include <array>

#include "base/assert.h"

namespace diffie::extract {
namespace {

constexpr std::size_t kRowsTogether = 8;

// Up to kRowsTogether rows, whose ways down a tree do not wait for each other.
void add_trees(const TreeEnsemble& trees, std::span<const float* const> rows, double* sums) {
  const std::size_t inner = trees.num_inner();
  for (std::size_t tree = 0; tree < trees.num_trees(); ++tree) {
    const std::uint16_t* feature = trees.features.data() + tree * inner;
    const float* threshold = trees.thresholds.data() + tree * inner;
    const float* leaves = trees.leaves.data() + tree * (inner + 1);
    std::array<std::size_t, kRowsTogether> node{};
    for (std::size_t level = 0; level < trees.depth; ++level) {
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const bool right = rows[r][feature[node[r]]] > threshold[node[r]];
        node[r] = 2 * node[r] + 1 + static_cast<std::size_t>(right);
      }
    }
    for (std::size_t r = 0; r < rows.size(); ++r) sums[r] += leaves[node[r] - inner];
  }
}

}  // namespace

double TreeEnsemble::predict(std::span<const float> row) const {
  const float* rows[] = {row.data()};
  double value = 0;
  predict(rows, {&value, 1});
  return value;
}

void TreeEnsemble::predict(std::span<const float* const> rows, std::span<double> values) const {
  DIFFIE_ASSERT(values.size() == rows.size());
  std::fill(values.begin(), values.end(), base);
  for (std::size_t first = 0; first < rows.size(); first += kRowsTogether) {
    const std::size_t count = std::min(kRowsTogether, rows.size() - first);
    add_trees(*this, rows.subspan(first, count), values.data() + first);
  }
}

}  // namespace diffie::extract
