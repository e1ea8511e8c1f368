#include "ops/layer_norm.h"

#include <cmath>

#include "base/assert.h"

namespace diffie::ops {

namespace {

void run(std::span<const float> x, const float* residual, std::size_t rows,
         const LayerNormWeights& weights, std::span<float> y, const CpuKernels& kernels) {
  const std::size_t columns = weights.gamma.size();
  DIFFIE_ASSERT(weights.beta.size() == columns);
  DIFFIE_ASSERT(x.size() == rows * columns);
  DIFFIE_ASSERT(y.size() == rows * columns);
  if (y.empty()) return;
  kernels.layer_norm({.x = x.data(),
                      .residual = residual,
                      .gamma = weights.gamma.data(),
                      .beta = weights.beta.data(),
                      .y = y.data(),
                      .rows = rows,
                      .columns = columns,
                      .eps = weights.eps});
}

}  // namespace

void layer_norm(std::span<const float> x, std::size_t rows, const LayerNormWeights& weights,
                std::span<float> y, const CpuKernels& kernels) {
  run(x, nullptr, rows, weights, y, kernels);
}

void add_layer_norm(std::span<const float> x, std::span<const float> residual, std::size_t rows,
                    const LayerNormWeights& weights, std::span<float> y,
                    const CpuKernels& kernels) {
  DIFFIE_ASSERT(residual.size() == x.size());
  run(x, residual.data(), rows, weights, y, kernels);
}

void layer_norm_reference(const LayerNormCall& call) {
  const std::size_t columns = call.columns;
  for (std::size_t row = 0; row < call.rows; ++row) {
    const float* x = call.x + row * columns;
    const float* residual = call.residual == nullptr ? nullptr : call.residual + row * columns;
    float* y = call.y + row * columns;
    double mean = 0;
    for (std::size_t i = 0; i < columns; ++i) {
      y[i] = residual == nullptr ? x[i] : x[i] + residual[i];
      mean += y[i];
    }
    mean /= static_cast<double>(columns);
    double variance = 0;
    for (std::size_t i = 0; i < columns; ++i) variance += (y[i] - mean) * (y[i] - mean);
    variance /= static_cast<double>(columns);
    const double scale = 1 / std::sqrt(variance + call.eps);
    for (std::size_t i = 0; i < columns; ++i) {
      y[i] = static_cast<float>((y[i] - mean) * scale * call.gamma[i] + call.beta[i]);
    }
  }
}

}  // namespace diffie::ops
