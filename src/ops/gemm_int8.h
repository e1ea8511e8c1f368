#pragma once

#include <cstddef>
#include <span>

#include "ops/cpu_kernels.h"
#include "ops/gemm.h"
#include "ops/packed_int8.h"

namespace diffie::ops {

// gemm() with int8 weights. Each row of `a` is first rounded to whole numbers 0 .. kInt8Levels
// between its smallest and its largest value; the sums of the products are then exact, the same on
// every machine. GELU is good to 2e-4, far below the step of what it is rounded to next.
// scratch: at least gemm_int8_scratch(weights) floats. k > 0. Single-threaded.
void gemm_int8(std::span<const float> a, std::size_t rows, const PackedInt8& weights,
               std::span<const float> bias, std::span<float> c, Epilogue epilogue,
               std::span<const float> residual, std::span<float> scratch,
               const CpuKernels& kernels = cpu_kernels());

// Floats of scratch memory: a block of quantised rows with their scales and offsets.
std::size_t gemm_int8_scratch(const PackedInt8& weights);

}  // namespace diffie::ops
