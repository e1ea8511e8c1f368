// Included by one source file per instruction set; see math_body.h.
#pragma once

#include "ops/cpu_kernels.h"
#include "ops/simd/gemm_body.h"
#if !defined(__aarch64__)
#include "ops/simd/transpose.h"
#endif

namespace diffie::ops {
namespace {

static_assert(kTileRows <= kAttentionQueries);

inline std::size_t round_to_panel(std::size_t value) {
  return (value + kPanelColumns - 1) / kPanelColumns * kPanelColumns;
}

// Keys [length, head_dim] as the weights of a GEMM with `length` outputs, in packed panels.
void pack_keys(const float* keys, std::size_t stride, std::size_t length, std::size_t head_dim,
               float* panels) {
  for (std::size_t first = 0; first < length; first += 8) {
    float* to = panels + first / kPanelColumns * kPanelColumns * head_dim + first % kPanelColumns;
    std::size_t c = 0;
    if (first + 8 <= length) {
      for (; c + 8 <= head_dim; c += 8) {
        transpose8(keys + first * stride + c, stride, to + c * kPanelColumns, kPanelColumns);
      }
    }
    for (; c < head_dim; ++c) {
      for (std::size_t i = 0; i < 8; ++i) {
        to[c * kPanelColumns + i] = first + i < length ? keys[(first + i) * stride + c] : 0;
      }
    }
  }
}

// scores [length] to softmax(scale * scores), in place; what lies behind `length` up to a whole
// vector becomes zero.
void softmax(float* scores, std::size_t length, float scale) {
  const Vec first = broadcast(scores[0]);
  Vec largest = first;
  for (std::size_t i = 0; i < length; i += kLanes) {
    largest = max(largest, keep_some(load(scores + i), length - i, first));
  }
  const Vec top = broadcast(largest_lane(largest));
  Vec sum = zero();
  for (std::size_t i = 0; i < length; i += kLanes) {
    const Vec below = mul(sub(load(scores + i), top), broadcast(scale));
    const Vec weight = keep_some(exp_negative(below), length - i);
    store(scores + i, weight);
    sum = add(sum, weight);
  }
  const Vec factor = broadcast(1 / sum_lanes(sum));
  for (std::size_t i = 0; i < length; i += kLanes) {
    store(scores + i, mul(load(scores + i), factor));
  }
}

// scores[r, j] = q_r . k_j for all keys, as many as fill the last vector.
void score_rows(const float* q, std::size_t stride, std::size_t rows, const float* keys,
                std::size_t length, std::size_t head_dim, float* scores, std::size_t padded) {
  for (std::size_t column = 0; column < length; column += kTileColumns) {
    const auto multiply =
        column + kLanes < length ? multiply_rows<2, false> : multiply_rows<1, false>;
    multiply(rows, packed_tile(q, stride, keys + column * head_dim, head_dim, 0, head_dim),
             {.out = scores + column, .stride = padded});
  }
}

// out[r] = sum_j scores[r, j] v_j; the values are read where they are.
void weigh_values(const float* scores, std::size_t padded, std::size_t rows, const float* values,
                  std::size_t stride, std::size_t length, std::size_t head_dim, float* out,
                  std::size_t out_stride) {
  std::size_t column = 0;
  for (; column + kTileColumns <= head_dim; column += kTileColumns) {
    multiply_rows<2>(rows, {scores, padded, values + column, kLanes, stride, length},
                     {.out = out + column, .stride = out_stride});
  }
  for (; column + kLanes <= head_dim; column += kLanes) {
    multiply_rows<1>(rows, {scores, padded, values + column, kLanes, stride, length},
                     {.out = out + column, .stride = out_stride});
  }
  if (column == head_dim) return;
  for (std::size_t r = 0; r < rows; ++r) {
    Vec sum = zero();
    for (std::size_t j = 0; j < length; ++j) {
      const Vec value = load_some(values + j * stride + column, head_dim - column);
      sum = fma(broadcast(scores[r * padded + j]), value, sum);
    }
    store_some(out + r * out_stride + column, sum, head_dim - column);
  }
}

// One head of one row; q points at the head's queries of the row's first token.
void attend_head(const AttentionCall& call, const float* q, std::size_t length, float* out) {
  const std::size_t d = call.heads * call.head_dim;
  const std::size_t padded = round_to_panel(length);
  float* keys = call.scratch;
  float* scores = keys + padded * call.head_dim;
  pack_keys(q + d, 3 * d, length, call.head_dim, keys);
  std::size_t rows = 0;
  for (std::size_t row = 0; row < length; row += rows) {
    rows = next_tile_rows<kTileRows>(length - row);
    score_rows(q + row * 3 * d, 3 * d, rows, keys, length, call.head_dim, scores, padded);
    for (std::size_t r = 0; r < rows; ++r) softmax(scores + r * padded, length, call.scale);
    weigh_values(scores, padded, rows, q + 2 * d, 3 * d, length, call.head_dim, out + row * d, d);
  }
}

void attention(const AttentionCall& call) {
  const std::size_t d = call.heads * call.head_dim;
  for (std::size_t row = 0; row < call.rows; ++row) {
    const std::size_t begin = call.offsets[row] - call.offsets[0];
    const std::size_t length = call.offsets[row + 1] - call.offsets[row];
    for (std::size_t head = 0; head < call.heads; ++head) {
      attend_head(call, call.qkv + begin * 3 * d + head * call.head_dim, length,
                  call.out + begin * d + head * call.head_dim);
    }
  }
}

}  // namespace
}  // namespace diffie::ops
