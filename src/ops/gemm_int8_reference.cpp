#include <algorithm>
#include <cmath>
#include <cstddef>

#include "ops/cpu_kernels.h"

namespace diffie::ops {

// In floats, operation by operation as the SIMD kernels do it: the whole numbers are the same on
// every machine.
void quantize_reference(const QuantizeCall& call) {
  const auto levels = static_cast<float>(kInt8Levels);
  for (std::size_t row = 0; row < call.rows; ++row) {
    const float* x = call.x + row * call.columns;
    std::uint8_t* q = call.q + row * call.q_stride;
    const auto [low, high] = std::minmax_element(x, x + call.columns);
    const float range = *high - *low;
    const float factor = range > 0 ? levels / range : 0;
    for (std::size_t i = 0; i < call.q_stride; ++i) {
      const float value = i < call.columns ? (x[i] - *low) * factor : 0;
      q[i] = value > 0 ? static_cast<std::uint8_t>(std::nearbyint(value)) : 0;
    }
    call.scale[row] = range / levels;
    call.offset[row] = *low;
  }
}

void gemm_int8_reference(const Int8GemmCall& call) {
  for (std::size_t row = 0; row < call.m; ++row) {
    for (std::size_t column = 0; column < call.n; ++column) {
      const std::uint8_t* a = call.a + row * call.k;
      const std::size_t panel = column / kPanelColumns;
      const std::int8_t* w =
          call.panels + panel * kPanelColumns * call.k + column % kPanelColumns * 4;
      const std::uint32_t* order = call.order + panel * (call.k / 4);
      std::int32_t sum = 0;
      for (std::size_t j = 0; j < call.k; ++j)
        sum += a[order[j / 4] + j % 4] * w[j / 4 * 64 + j % 4];
      const double product =
          static_cast<double>(call.a_scale[row]) * call.w_scale[column] * static_cast<double>(sum);
      const double shift = static_cast<double>(call.a_offset[row]) * call.w_sum[column];
      const std::size_t at = row * call.n + column;
      auto value = static_cast<float>(product + shift + call.bias[column]);
      if (call.gelu) gelu_reference(&value, &value, 1);
      if (call.residual != nullptr) value += call.residual[at];
      call.c[at] = value;
    }
  }
}

}  // namespace diffie::ops
