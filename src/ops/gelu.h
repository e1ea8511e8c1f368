#pragma once

#include <span>

#include "ops/cpu_kernels.h"

namespace diffie::ops {

// y = x / 2 * (1 + erf(x / sqrt(2))), the exact form of PyTorch and BERT. The SIMD kernels are
// within 2e-7 + |x| * 1e-7 of it. y may be x.
void gelu(std::span<const float> x, std::span<float> y, const CpuKernels& kernels = cpu_kernels());

}  // namespace diffie::ops
