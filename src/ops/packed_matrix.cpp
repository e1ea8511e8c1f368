#include "ops/packed_matrix.h"

#include <algorithm>

#include "base/assert.h"

namespace diffie::ops {

PackedMatrix::PackedMatrix(std::span<const float> weights, std::size_t n, std::size_t k)
    : n_(n), k_(k) {
  DIFFIE_ASSERT(weights.size() == n * k);
  const std::size_t num_panels = (n + kPanelColumns - 1) / kPanelColumns;
  panels_ = AlignedArray<float>(num_panels * k * kPanelColumns);
  for (std::size_t panel = 0; panel < num_panels; ++panel) {
    const std::size_t first = panel * kPanelColumns;
    const std::size_t columns = std::min(kPanelColumns, n - first);
    float* to = panels_.data() + first * k;
    for (std::size_t j = 0; j < k; ++j) {
      for (std::size_t i = 0; i < columns; ++i) {
        to[j * kPanelColumns + i] = weights[(first + i) * k + j];
      }
    }
  }
}

}  // namespace diffie::ops
