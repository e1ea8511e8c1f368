#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ops/aligned_array.h"
#include "ops/cpu_kernels.h"

namespace diffie::ops {

// An int8 weight matrix W [n, k] with a scale per output, in the order in which the int8 GEMM
// kernels read it: panels of 16 output columns; in a panel, groups of four inputs; in a group, the
// four weights of column 0, the four of column 1, ... Group g of panel p holds the inputs from
// order()[p * padded_k() / 4 + g] on, so that with i = 16 p + c
//   W[i, order + j] = scale[i] * panels()[p * 16 * padded_k() + g * 64 + c * 4 + j],  j = 0 .. 3.
// Inputs are filled up to a multiple of 4 and outputs to one of 16, with zeros.
//
// Groups stay in their block of kInt8BlockInputs inputs, with kNatural in their order. The first
// pairs()[p, block] of a block are pairs of groups whose products may be added in 16 bits: the
// products of inputs 0 and 1 of both groups and those of inputs 2 and 3, with any inputs up to
// kInt8Levels, do not overflow. Random weights let about half of all groups go together, and each
// group has many others to choose from.
class PackedInt8 {
 public:
  PackedInt8() = default;
  // weights [n, k], row-major; scales [n]. k <= kMaxInputs: sums of products stay in 32 bits.
  PackedInt8(std::span<const std::int8_t> weights, std::span<const float> scales, std::size_t n,
             std::size_t k, InputOrder input_order = InputOrder::kPaired);

  static constexpr std::size_t kMaxInputs = 131'072;

  std::size_t n() const { return n_; }
  std::size_t k() const { return k_; }
  std::size_t padded_k() const { return padded_k_; }
  InputOrder input_order() const { return input_order_; }
  const std::int8_t* panels() const { return panels_.data(); }
  const float* scales() const { return scales_.data(); }
  // scale[i] * sum_j of the int8 values: what an input's offset is multiplied with.
  const float* sums() const { return sums_.data(); }
  const std::uint32_t* order() const { return order_.data(); }
  const std::uint32_t* pairs() const { return pairs_.data(); }
  // Share of the groups that are in pairs.
  double paired_share() const;

 private:
  void pack_panel(std::span<const std::int8_t> weights, std::size_t panel);

  std::size_t n_ = 0;
  std::size_t k_ = 0;
  std::size_t padded_k_ = 0;
  InputOrder input_order_ = InputOrder::kPaired;
  AlignedArray<std::int8_t> panels_;
  std::vector<float> scales_;
  std::vector<float> sums_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> pairs_;
};

}  // namespace diffie::ops
