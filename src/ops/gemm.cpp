#include "ops/gemm.h"

#include "base/assert.h"
#include "ops/aligned_array.h"

namespace diffie::ops {
namespace {

// 0.3 MB that a thread keeps once it has needed them: too much for its stack, and for a
// reservation at every call.
float* scratch_of_thread() {
  thread_local AlignedArray<float> scratch(kGemmScratch);
  return scratch.data();
}

}  // namespace

void gemm(std::span<const float> a, std::size_t rows, const PackedMatrix& weights,
          std::span<const float> bias, std::span<float> c, Epilogue epilogue,
          std::span<const float> residual, const CpuKernels& kernels) {
  const bool add = epilogue == Epilogue::kBiasResidual;
  DIFFIE_ASSERT(a.size() == rows * weights.k());
  DIFFIE_ASSERT(bias.size() == weights.n());
  DIFFIE_ASSERT(c.size() == rows * weights.n());
  DIFFIE_ASSERT(residual.size() == (add ? c.size() : 0));
  DIFFIE_ASSERT(c.empty() || c.data() != residual.data());
  if (c.empty()) return;
  DIFFIE_ASSERT(weights.k() > 0);
  kernels.gemm({.a = a.data(),
                .panels = weights.panels(),
                .bias = bias.data(),
                .residual = add ? residual.data() : nullptr,
                .c = c.data(),
                .scratch = weights.k() > kGemmBlockK ? scratch_of_thread() : nullptr,
                .m = rows,
                .n = weights.n(),
                .k = weights.k(),
                .gelu = epilogue == Epilogue::kBiasGelu});
}

}  // namespace diffie::ops
