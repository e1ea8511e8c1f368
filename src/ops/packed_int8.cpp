#include "ops/packed_int8.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/assert.h"
#include "base/divide_up.h"
#include "ops/input_pairs.h"

namespace diffie::ops {

namespace {

constexpr std::size_t kGroupInputs = 4;
constexpr std::size_t kGroupSize = kGroupInputs * kPanelColumns;
constexpr std::size_t kBlockGroups = kInt8BlockInputs / kGroupInputs;

}  // namespace

PackedInt8::PackedInt8(std::span<const std::int8_t> weights, std::span<const float> scales,
                       std::size_t n, std::size_t k, InputOrder input_order)
    : n_(n),
      k_(k),
      padded_k_(base::divide_up(k, kGroupInputs) * kGroupInputs),
      input_order_(input_order) {
  DIFFIE_ASSERT(weights.size() == n * k && scales.size() == n && k <= kMaxInputs);
  const std::size_t num_panels = base::divide_up(n, kPanelColumns);
  panels_ = AlignedArray<std::int8_t>(num_panels * kPanelColumns * padded_k_);
  scales_.assign(scales.begin(), scales.end());
  scales_.resize(num_panels * kPanelColumns);
  sums_.resize(scales_.size());
  order_.resize(num_panels * padded_k_ / kGroupInputs);
  pairs_.resize(num_panels * base::divide_up(padded_k_, kInt8BlockInputs));
  for (std::size_t panel = 0; panel < num_panels; ++panel) pack_panel(weights, panel);
}

void PackedInt8::pack_panel(std::span<const std::int8_t> weights, std::size_t panel) {
  const std::size_t first = panel * kPanelColumns;
  std::vector<std::int8_t> natural(kPanelColumns * padded_k_);
  for (std::size_t i = 0; i < std::min(kPanelColumns, n_ - first); ++i) {
    const std::span row = weights.subspan((first + i) * k_, k_);
    for (std::size_t j = 0; j < k_; j += kGroupInputs) {
      std::memcpy(natural.data() + j * kPanelColumns + i * kGroupInputs, row.data() + j,
                  std::min(kGroupInputs, k_ - j));
    }
    const int sum = std::accumulate(row.begin(), row.end(), 0);
    sums_[first + i] = scales_[first + i] * static_cast<float>(sum);
  }

  const std::size_t groups = padded_k_ / kGroupInputs;
  const std::size_t blocks = base::divide_up(groups, kBlockGroups);
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t begin = block * kBlockGroups;
    const std::size_t count = std::min(kBlockGroups, groups - begin);
    const std::span order = std::span(order_).subspan(panel * groups + begin, count);
    const std::span block_weights =
        std::span(natural).subspan(begin * kGroupSize, count * kGroupSize);
    if (input_order_ == InputOrder::kPaired) {
      const std::size_t pairs = pair_groups(block_weights, order);
      pairs_[panel * blocks + block] = static_cast<std::uint32_t>(pairs);
    } else {
      std::iota(order.begin(), order.end(), std::uint32_t{0});
    }
    std::int8_t* to = panels_.data() + first * padded_k_ + begin * kGroupSize;
    for (std::uint32_t& group : order) {
      std::memcpy(to, block_weights.data() + group * kGroupSize, kGroupSize);
      to += kGroupSize;
      group = static_cast<std::uint32_t>((begin + group) * kGroupInputs);  // its first input
    }
  }
}

double PackedInt8::paired_share() const {
  const double paired =
      2.0 * static_cast<double>(std::accumulate(pairs_.begin(), pairs_.end(), std::size_t{0}));
  return order_.empty() ? 1.0 : paired / static_cast<double>(order_.size());
}

}  // namespace diffie::ops
