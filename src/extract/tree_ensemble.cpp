#include "extract/tree_ensemble.h"

#include <algorithm>
#include <array>

#include "base/assert.h"

namespace diffie::extract {
namespace {

constexpr std::size_t kTreesTogether = 8;

// What `count` trees from `first` on say of a row. The ways down them do not wait for each other.
inline void walk_down(const TreeEnsemble& trees, std::size_t first, std::size_t count,
                      const float* row, std::array<float, kTreesTogether>& said) {
  const std::size_t inner = trees.num_inner();
  const std::uint16_t* feature = trees.features.data() + first * inner;
  const float* threshold = trees.thresholds.data() + first * inner;
  const float* leaves = trees.leaves.data() + first * (inner + 1);
  std::array<std::uint32_t, kTreesTogether> node{};
  for (std::size_t level = 0; level < trees.depth; ++level) {
    for (std::size_t tree = 0; tree < count; ++tree) {
      const std::size_t at = tree * inner + node[tree];
      node[tree] =
          2 * node[tree] + 1 + static_cast<std::uint32_t>(row[feature[at]] > threshold[at]);
    }
  }
  for (std::size_t tree = 0; tree < count; ++tree)
    said[tree] = leaves[tree * (inner + 1) + node[tree] - inner];
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
  for (std::size_t first = 0; first < num_trees(); first += kTreesTogether) {
    const std::size_t count = std::min(kTreesTogether, num_trees() - first);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      std::array<float, kTreesTogether> said;
      if (count == kTreesTogether) {  // a number that the compiler knows
        walk_down(*this, first, kTreesTogether, rows[row], said);
      } else {
        walk_down(*this, first, count, rows[row], said);
      }
      for (std::size_t tree = 0; tree < count; ++tree) values[row] += said[tree];
    }
  }
}

}  // namespace diffie::extract
