#include "ops/gemm_int8.h"

#include <algorithm>

#include "base/assert.h"

namespace diffie::ops {

std::size_t gemm_int8_scratch(const PackedInt8& weights) {
  return kInt8BlockRows * (2 + weights.padded_k() / sizeof(float));
}

void gemm_int8(std::span<const float> a, std::size_t rows, const PackedInt8& weights,
               std::span<const float> bias, std::span<float> c, Epilogue epilogue,
               std::span<const float> residual, std::span<float> scratch,
               const CpuKernels& kernels) {
  const bool add = epilogue == Epilogue::kBiasResidual;
  const std::size_t n = weights.n();
  const std::size_t k = weights.k();
  DIFFIE_ASSERT(a.size() == rows * k);
  DIFFIE_ASSERT(bias.size() == n);
  DIFFIE_ASSERT(c.size() == rows * n);
  DIFFIE_ASSERT(residual.size() == (add ? c.size() : 0));
  DIFFIE_ASSERT(c.empty() || c.data() != residual.data());
  DIFFIE_ASSERT(scratch.size() >= gemm_int8_scratch(weights));
  if (c.empty()) return;
  DIFFIE_ASSERT(k > 0);
  float* scale = scratch.data();
  float* offset = scale + kInt8BlockRows;
  auto* q = reinterpret_cast<std::uint8_t*>(offset + kInt8BlockRows);
  for (std::size_t row = 0; row < rows; row += kInt8BlockRows) {
    const std::size_t count = std::min(kInt8BlockRows, rows - row);
    kernels.quantize({.x = a.data() + row * k,
                      .q = q,
                      .scale = scale,
                      .offset = offset,
                      .rows = count,
                      .columns = k,
                      .q_stride = weights.padded_k()});
    kernels.gemm_int8({.a = q,
                       .a_scale = scale,
                       .a_offset = offset,
                       .panels = weights.panels(),
                       .order = weights.order(),
                       .pairs = weights.pairs(),
                       .w_scale = weights.scales(),
                       .w_sum = weights.sums(),
                       .bias = bias.data(),
                       .residual = add ? residual.data() + row * n : nullptr,
                       .c = c.data() + row * n,
                       .m = count,
                       .n = n,
                       .k = weights.padded_k(),
                       .input_order = weights.input_order(),
                       .gelu = epilogue == Epilogue::kBiasGelu});
  }
}

}  // namespace diffie::ops
