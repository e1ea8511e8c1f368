#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ops/cpu_kernels.h"

namespace diffie::ops {

// Self-attention inside each row of a ragged batch; made for short rows (up to 512 tokens).
//   p[i, j] = softmax_j(q_i . k_j / sqrt(head_dim)),  out_i = sum_j p[i, j] v_j   per row and head
// qkv [tokens, 3 * d]: q, k, v of a token one after the other, each heads x head_dim;
// out [tokens, d], d = heads * head_dim. Row r has tokens offsets[r] .. offsets[r + 1], counted
// so that the data starts with token offsets[0]; empty rows are allowed. scratch: at least
// attention_scratch(longest row, head_dim) floats.
void attention(std::span<const float> qkv, std::span<const std::uint32_t> offsets,
               std::size_t heads, std::size_t head_dim, std::span<float> out,
               std::span<float> scratch, const CpuKernels& kernels = cpu_kernels());

// Floats of scratch memory: packed keys of one head and a block of score rows.
std::size_t attention_scratch(std::size_t longest_row, std::size_t head_dim);

}  // namespace diffie::ops
