#include "extract/tree_ensemble.h"

#include <algorithm>
#include <array>

#include "base/assert.h"

namespace diffie::extract {
namespace {

constexpr std::size_t kTreesTogether = 10;

// Adds to `value` what `count` trees from `first` on say of a row. The ways down them do not wait
// for each other; unrolled, each keeps its node in a register.
template <std::size_t count>
inline void walk_down(const TreeEnsemble& trees, std::size_t first, const float* row,
                      double& value) {
  const std::size_t inner = trees.num_inner();
  const std::uint16_t* feature = trees.features.data() + first * inner;
  const float* threshold = trees.thresholds.data() + first * inner;
  const float* leaves = trees.leaves.data() + first * (inner + 1);
  std::array<std::size_t, count> node{};
  for (std::size_t level = 0; level < trees.depth; ++level) {
#pragma GCC unroll 10
    for (std::size_t tree = 0; tree < count; ++tree) {
      const std::size_t at = tree * inner + node[tree];
      node[tree] = 2 * node[tree] + 1 + static_cast<std::size_t>(row[feature[at]] > threshold[at]);
    }
  }
#pragma GCC unroll 10
  for (std::size_t tree = 0; tree < count; ++tree)
    value += leaves[tree * (inner + 1) + node[tree] - inner];
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
  std::size_t first = 0;
  for (; first + kTreesTogether <= num_trees(); first += kTreesTogether) {
    for (std::size_t row = 0; row < rows.size(); ++row)
      walk_down<kTreesTogether>(*this, first, rows[row], values[row]);
  }
  for (; first < num_trees(); ++first) {
    for (std::size_t row = 0; row < rows.size(); ++row)
      walk_down<1>(*this, first, rows[row], values[row]);
  }
}

}  // namespace diffie::extract
