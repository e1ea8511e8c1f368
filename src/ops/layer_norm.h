#pragma once

#include <cstddef>
#include <span>

#include "ops/cpu_kernels.h"

namespace diffie::ops {

struct LayerNormWeights {
  std::span<const float> gamma;  // [columns]
  std::span<const float> beta;   // [columns]
  float eps;
};

// y[r, c] = (x[r, c] - mean_r) / sqrt(var_r + eps) * gamma[c] + beta[c], var with divisor columns.
// x, y [rows, columns]; y may be x.
void layer_norm(std::span<const float> x, std::size_t rows, const LayerNormWeights& weights,
                std::span<float> y, const CpuKernels& kernels = cpu_kernels());

// y = layer_norm(x + residual); y may be x or residual.
void add_layer_norm(std::span<const float> x, std::span<const float> residual, std::size_t rows,
                    const LayerNormWeights& weights, std::span<float> y,
                    const CpuKernels& kernels = cpu_kernels());

}  // namespace diffie::ops
