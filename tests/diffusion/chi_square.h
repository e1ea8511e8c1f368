#pragma once

#include <cmath>
#include <cstdint>
#include <span>

namespace diffie::diffusion {

// How many standard deviations the chi-square statistic of `counts` against `law` lies above its
// mean (Wilson-Hilferty). Cells of expected count below 5 are pooled; a cell of probability 0 that
// was hit gives infinity.
inline double chi_square_z(std::span<const std::uint64_t> counts, std::span<const double> law) {
  double total = 0;
  for (const std::uint64_t count : counts) total += static_cast<double>(count);
  double statistic = 0, pooled_count = 0, pooled_expected = 0;
  int cells = 0;
  for (std::size_t i = 0; i < law.size(); ++i) {
    const double expected = total * law[i];
    const auto count = static_cast<double>(counts[i]);
    if (law[i] <= 0 && count > 0) return INFINITY;
    if (expected < 5) {
      pooled_count += count;
      pooled_expected += expected;
      continue;
    }
    statistic += (count - expected) * (count - expected) / expected;
    ++cells;
  }
  if (pooled_expected > 0.5) {
    statistic +=
        (pooled_count - pooled_expected) * (pooled_count - pooled_expected) / pooled_expected;
    ++cells;
  }
  const double freedom = cells - 1;
  const double spread = 2 / (9 * freedom);
  return (std::cbrt(statistic / freedom) - (1 - spread)) / std::sqrt(spread);
}

}  // namespace diffie::diffusion
