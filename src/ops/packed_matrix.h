#pragma once

#include <cstddef>
#include <span>

#include "ops/aligned_array.h"
#include "ops/cpu_kernels.h"

namespace diffie::ops {

// A weight matrix W [n, k] in the order in which the GEMM kernels read it: panels of 16 output
// columns, and in a panel the 16 values of input 0, then those of input 1, ... so that
//   W[i, j] = panels()[((i / 16) * k + j) * 16 + i % 16].
// The last panel is filled up with zeros.
class PackedMatrix {
 public:
  PackedMatrix() = default;
  // weights [n, k], row-major, as PyTorch's Linear has them.
  PackedMatrix(std::span<const float> weights, std::size_t n, std::size_t k);

  std::size_t n() const { return n_; }
  std::size_t k() const { return k_; }
  const float* panels() const { return panels_.data(); }

 private:
  std::size_t n_ = 0;
  std::size_t k_ = 0;
  AlignedArray<float> panels_;
};

}  // namespace diffie::ops
