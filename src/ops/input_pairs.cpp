#include "ops/input_pairs.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/assert.h"
#include "ops/cpu_kernels.h"

namespace diffie::ops {

namespace {

constexpr std::size_t kGroupSize = kPanelColumns * 4;

// kInt8Levels times this is the largest that 16 bits hold.
constexpr int kMaxSum = 32'767 / kInt8Levels;

// Of each column's first and last two weights in a group: the sum of the positive ones, and the
// negated sum of the negative ones. Any sum of products of some of them lies between these two,
// times the largest input.
struct Bounds {
  std::array<std::int16_t, kGroupSize> sums;
  int largest = 0;
};

Bounds bounds_of(std::span<const std::int8_t> group) {
  Bounds bounds;
  for (std::size_t i = 0; i < kGroupSize; i += 2) {
    const int first = group[i];
    const int second = group[i + 1];
    const int positive = std::max(first, 0) + std::max(second, 0);
    bounds.sums[i / 2] = static_cast<std::int16_t>(positive);
    bounds.sums[kGroupSize / 2 + i / 2] = static_cast<std::int16_t>(positive - first - second);
  }
  bounds.largest = *std::max_element(bounds.sums.begin(), bounds.sums.end());
  return bounds;
}

bool fit(const Bounds& a, const Bounds& b) {
  if (a.largest + b.largest <= kMaxSum) return true;
  std::int16_t largest = 0;
  for (std::size_t i = 0; i < kGroupSize; ++i) {
    const auto sum = static_cast<std::int16_t>(a.sums[i] + b.sums[i]);
    largest = std::max(largest, sum);
  }
  return largest <= kMaxSum;
}

}  // namespace

std::size_t pair_groups(std::span<const std::int8_t> weights, std::span<std::uint32_t> order) {
  const std::size_t groups = order.size();
  DIFFIE_ASSERT(weights.size() == groups * kGroupSize);
  std::vector<Bounds> bounds(groups);
  for (std::size_t g = 0; g < groups; ++g) {
    bounds[g] = bounds_of(weights.subspan(g * kGroupSize, kGroupSize));
  }
  // The groups with the largest weights are the hardest to place: they choose first, and try the
  // easiest first.
  std::vector<std::uint32_t> by_size(groups);
  std::iota(by_size.begin(), by_size.end(), 0U);
  std::stable_sort(by_size.begin(), by_size.end(), [&](std::uint32_t a, std::uint32_t b) {
    return bounds[a].largest > bounds[b].largest;
  });
  std::vector<std::uint32_t> alone;
  std::size_t placed = 0;
  while (!by_size.empty()) {
    const std::uint32_t hard = by_size.front();
    by_size.erase(by_size.begin());
    const auto easy = std::find_if(by_size.rbegin(), by_size.rend(),
                                   [&](std::uint32_t g) { return fit(bounds[hard], bounds[g]); });
    if (easy == by_size.rend()) {
      alone.push_back(hard);
      continue;
    }
    order[placed] = hard;
    order[placed + 1] = *easy;
    placed += 2;
    by_size.erase(std::next(easy).base());
  }
  std::copy(alone.begin(), alone.end(), order.begin() + placed);
  return placed / 2;
}

}  // namespace diffie::ops
