#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace diffie::ops {

// Sizes around every boundary of the kernels: lanes, panels, tiles, blocks.
inline constexpr std::size_t kAwkwardSizes[] = {1, 7, 8, 9, 63, 64, 65, 768};

// Values in [-range, range), the same for the same seed.
inline std::vector<float> random_floats(std::size_t count, std::uint32_t seed, float range = 1) {
  std::mt19937 generator(seed);
  std::vector<float> values(count);
  for (float& value : values) {
    value = range * (static_cast<float>(generator() >> 8) * 0x1p-23f - 1);
  }
  return values;
}

}  // namespace diffie::ops
