// What the GPU can do at most: measured, and by its data sheet.
#pragma once

#include <algorithm>

#include "device_timing.h"

namespace diffie::cuda {

struct Ceilings {
  double flop_per_s = 0;
  double bytes_per_s = 0;

  // The least time for so much arithmetic and so many bytes that must move.
  double least_us(double flop, double bytes) const {
    return 1e6 * std::max(flop / flop_per_s, bytes / bytes_per_s);
  }
};

// Of the H200: dense bf16 on tensor cores, HBM3e.
inline constexpr Ceilings kDataSheet = {989e12, 4.8e12};

// A product of 8192 x 8192 matrices in bf16, the best of what cuBLASLt proposes, with all the
// workspace it wants; a copy of 2 GB from the GPU's memory to the same, which moves 4 GB.
Ceilings measure_ceilings(const Stream& stream, RandomData& data);

}  // namespace diffie::cuda
