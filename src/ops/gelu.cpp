#include "ops/gelu.h"

#include <cmath>
#include <numbers>

#include "base/assert.h"

namespace diffie::ops {

void gelu(std::span<const float> x, std::span<float> y, const CpuKernels& kernels) {
  DIFFIE_ASSERT(x.size() == y.size());
  kernels.gelu(x.data(), y.data(), x.size());
}

void gelu_reference(const float* x, float* y, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const double value = x[i];
    // erfc, not 1 + erf: keeps its digits far to the left.
    y[i] = static_cast<float>(value / 2 * std::erfc(-value / std::numbers::sqrt2));
  }
}

}  // namespace diffie::ops
