#pragma once

#include <cstddef>
#include <span>

#include "ops/cpu_kernels.h"
#include "ops/packed_matrix.h"

namespace diffie::ops {

// What follows the product in a GEMM.
enum class Epilogue {
  kBias,          // s
  kBiasGelu,      // gelu(s), see gelu.h
  kBiasResidual,  // s + residual[r, c]
};

// s[r, c] = sum_j a[r, j] W[c, j] + bias[c];  c[r, c] = epilogue(s[r, c])
// a [rows, k], W [n, k] packed, bias [n], residual and c [rows, n]. `c` overlaps nothing else.
// k > 0. Single-threaded. SIMD kernels sum over j in chains of 256, each in order with fused
// multiply-adds, whatever `rows` is.
void gemm(std::span<const float> a, std::size_t rows, const PackedMatrix& weights,
          std::span<const float> bias, std::span<float> c, Epilogue epilogue = Epilogue::kBias,
          std::span<const float> residual = {}, const CpuKernels& kernels = cpu_kernels());

}  // namespace diffie::ops
