// Included by one source file per instruction set; see math_body.h.
#pragma once

#include "ops/cpu_kernels.h"
#include "ops/simd/gemm_body.h"

namespace diffie::ops {
namespace {

static_assert(kTileRows <= kAttentionQueries);

inline std::size_t round_to_panel(std::size_t value) {
  return (value + kPanelColumns - 1) / kPanelColumns * kPanelColumns;
}

// Keys [length, head_dim] as the weights of a GEMM with `length` outputs, in packed panels.
void pack_keys(const float* keys, std::size_t stride, std::size_t length, std::size_t head_dim,
               float* panels) {
  for (std::size_t first = 0; first < length; first += kPanelColumns) {
    float* panel = panels + first * head_dim;
    for (std::size_t i = 0; i < kPanelColumns; ++i) {
      if (first + i < length) {
        const float* key = keys + (first + i) * stride;
        for (std::size_t c = 0; c < head_dim; ++c) panel[c * kPanelColumns + i] = key[c];
      } else {
        for (std::size_t c = 0; c < head_dim; ++c) panel[c * kPanelColumns + i] = 0;
      }
    }
  }
}

// Values [length, head_dim] as the weights of a GEMM with `length` inputs and head_dim outputs.
void pack_values(const float* values, std::size_t stride, std::size_t length, std::size_t head_dim,
                 float* panels) {
  for (std::size_t first = 0; first < head_dim; first += kPanelColumns) {
    float* panel = panels + first * length;
    for (std::size_t j = 0; j < length; ++j) {
      for (std::size_t i = 0; i < kPanelColumns; i += kLanes) {
        const std::size_t left = first + i < head_dim ? head_dim - first - i : 0;
        store(panel + j * kPanelColumns + i, load_some(values + j * stride + first + i, left));
      }
    }
  }
}

// scores [length] to softmax(scale * scores), in place; what lies behind `length` becomes zero.
void softmax(float* scores, std::size_t length, float scale) {
  Vec largest = broadcast(scores[0]);
  for (std::size_t i = 0; i < length; i += kLanes) {
    if (i + kLanes <= length) {
      largest = max(largest, load(scores + i));
    } else {
      for (std::size_t j = i; j < length; ++j) largest = max(largest, broadcast(scores[j]));
    }
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

// One head of one row; q points at the head's queries of the row's first token.
void attend_head(const AttentionCall& call, const float* q, std::size_t length, float* out) {
  const std::size_t d = call.heads * call.head_dim;
  const std::size_t padded = round_to_panel(length);
  float* keys = call.scratch;
  float* values = keys + padded * call.head_dim;
  float* scores = values + round_to_panel(length * round_to_panel(call.head_dim));
  pack_keys(q + d, 3 * d, length, call.head_dim, keys);
  pack_values(q + 2 * d, 3 * d, length, call.head_dim, values);

  alignas(64) float tile[kTileRows * kTileColumns];
  std::size_t rows = 0;
  for (std::size_t row = 0; row < length; row += rows) {
    rows = next_tile_rows(length - row);
    for (std::size_t column = 0; column < length;) {
      column += multiply_tile(q + row * 3 * d, 3 * d, rows, keys, call.head_dim, 0, call.head_dim,
                              column, padded, scores + column, padded);
    }
    for (std::size_t r = 0; r < rows; ++r) softmax(scores + r * padded, length, call.scale);
    std::size_t step = 0;
    for (std::size_t column = 0; column < call.head_dim; column += step) {
      step = multiply_tile(scores, padded, rows, values, length, 0, length, column, call.head_dim,
                           tile, kTileColumns);
      const std::size_t columns = smaller(step, call.head_dim - column);
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t i = 0; i < columns; i += kLanes) {
          store_some(out + (row + r) * d + column + i, load(tile + r * kTileColumns + i),
                     columns - i);
        }
      }
    }
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
