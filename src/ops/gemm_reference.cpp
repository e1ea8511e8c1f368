#include <cstddef>

#include "ops/cpu_kernels.h"

namespace diffie::ops {

void gemm_reference(const GemmCall& call) {
  for (std::size_t row = 0; row < call.m; ++row) {
    for (std::size_t column = 0; column < call.n; ++column) {
      const float* a = call.a + row * call.k;
      const float* panel = call.panels + column / kPanelColumns * call.k * kPanelColumns;
      double sum = 0;
      for (std::size_t j = 0; j < call.k; ++j) {
        sum += static_cast<double>(a[j]) * panel[j * kPanelColumns + column % kPanelColumns];
      }
      const std::size_t at = row * call.n + column;
      float value = static_cast<float>(sum + call.bias[column]);
      if (call.gelu) gelu_reference(&value, &value, 1);
      if (call.residual != nullptr) value += call.residual[at];
      call.c[at] = value;
    }
  }
}

}  // namespace diffie::ops
