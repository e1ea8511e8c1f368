// Included by avx2.cpp and avx512.cpp after their Vec; see math_body.h.
#pragma once

#include "ops/simd/math_body.h"

namespace diffie::ops {
namespace {

void gelu(const float* x, float* y, std::size_t count) {
  for (std::size_t i = 0; i < count; i += kLanes) {
    store_some(y + i, gelu(load_some(x + i, count - i)), count - i);
  }
}

void layer_norm_row(const float* x, const float* residual, const LayerNormCall& call, float* y) {
  const std::size_t columns = call.columns;
  Vec sum = zero();
  for (std::size_t i = 0; i < columns; i += kLanes) {
    Vec value = load_some(x + i, columns - i);
    if (residual != nullptr) value = add(value, load_some(residual + i, columns - i));
    store_some(y + i, value, columns - i);
    sum = add(sum, value);
  }
  const Vec mean = broadcast(sum_lanes(sum) / static_cast<float>(columns));
  Vec squares = zero();
  for (std::size_t i = 0; i < columns; i += kLanes) {
    const Vec centred = keep_some(sub(load_some(y + i, columns - i), mean), columns - i);
    squares = fma(centred, centred, squares);
  }
  const float variance = sum_lanes(squares) / static_cast<float>(columns);
  const Vec scale = broadcast(1 / __builtin_sqrtf(variance + call.eps));
  for (std::size_t i = 0; i < columns; i += kLanes) {
    const std::size_t count = columns - i;
    const Vec centred = sub(load_some(y + i, count), mean);
    const Vec value =
        fma(mul(centred, scale), load_some(call.gamma + i, count), load_some(call.beta + i, count));
    store_some(y + i, value, count);
  }
}

void layer_norm(const LayerNormCall& call) {
  for (std::size_t row = 0; row < call.rows; ++row) {
    const std::size_t at = row * call.columns;
    layer_norm_row(call.x + at, call.residual == nullptr ? nullptr : call.residual + at, call,
                   call.y + at);
  }
}

void table_add(const TableAddCall& call) {
  const std::size_t columns = call.columns;
  for (std::size_t token = 0; token < call.tokens; ++token) {
    const float* context = call.context + token * columns;
    const float* row = call.table + call.states[token] * columns;
    float* out = call.out + token * columns;
    for (std::size_t i = 0; i < columns; i += kLanes) {
      const std::size_t count = columns - i;
      store_some(out + i, add(load_some(context + i, count), load_some(row + i, count)), count);
    }
  }
}

}  // namespace
}  // namespace diffie::ops
