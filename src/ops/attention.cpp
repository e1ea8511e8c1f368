#include "ops/attention.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace diffie::ops {

namespace {

std::size_t round_up(std::size_t value) {
  return (value + kPanelColumns - 1) / kPanelColumns * kPanelColumns;
}

std::size_t longest(std::span<const std::uint32_t> offsets) {
  std::size_t length = 0;
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    DIFFIE_ASSERT(offsets[row] <= offsets[row + 1]);
    length = std::max<std::size_t>(length, offsets[row + 1] - offsets[row]);
  }
  return length;
}

}  // namespace

std::size_t attention_scratch(std::size_t longest_row, std::size_t head_dim) {
  const std::size_t keys = round_up(longest_row) * head_dim;
  const std::size_t scores = kAttentionQueries * round_up(longest_row);
  return keys + scores;
}

void attention(std::span<const float> qkv, std::span<const std::uint32_t> offsets,
               std::size_t heads, std::size_t head_dim, std::span<float> out,
               std::span<float> scratch, const CpuKernels& kernels) {
  DIFFIE_ASSERT(!offsets.empty() && heads > 0 && head_dim > 0);
  const std::size_t tokens = offsets.back() - offsets.front();
  DIFFIE_ASSERT(qkv.size() == tokens * 3 * heads * head_dim);
  DIFFIE_ASSERT(out.size() == tokens * heads * head_dim);
  DIFFIE_ASSERT(scratch.size() >= attention_scratch(longest(offsets), head_dim));
  if (tokens == 0) return;
  kernels.attention({.qkv = qkv.data(),
                     .offsets = offsets.data(),
                     .out = out.data(),
                     .scratch = scratch.data(),
                     .rows = offsets.size() - 1,
                     .heads = heads,
                     .head_dim = head_dim,
                     .scale = 1 / std::sqrt(static_cast<float>(head_dim))});
}

}  // namespace diffie::ops
