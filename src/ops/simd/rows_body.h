// Included by one source file per instruction set; see math_body.h.
#pragma once

#include "ops/cpu_kernels.h"
#include "ops/simd/math_body.h"

namespace diffie::ops {
namespace {

void gelu(const float* x, float* y, std::size_t count) {
  for (std::size_t i = 0; i < count; i += kLanes) {
    store_some(y + i, gelu(load_some(x + i, count - i)), count - i);
  }
}

// Calls visit(chain, i, count) for the vectors of a row, in four chains that do not wait for each
// other; count < kLanes only for the last one.
template <typename Visit>
inline void for_each_vec(std::size_t columns, Visit visit) {
  std::size_t i = 0;
  for (; i + 4 * kLanes <= columns; i += 4 * kLanes) {
#pragma GCC unroll 4
    for (std::size_t chain = 0; chain < 4; ++chain) visit(chain, i + chain * kLanes, kLanes);
  }
  for (; i + kLanes <= columns; i += kLanes) visit(std::size_t{0}, i, kLanes);
  if (i < columns) visit(std::size_t{1}, i, columns - i);
}

inline float sum_chains(const Vec* sum) {
  return sum_lanes(add(add(sum[0], sum[1]), add(sum[2], sum[3])));
}

void layer_norm_row(const float* x, const float* residual, const LayerNormCall& call, float* y) {
  const auto columns = static_cast<float>(call.columns);
  Vec sum[4] = {zero(), zero(), zero(), zero()};
  if (residual == nullptr) {
    for_each_vec(call.columns, [&](std::size_t chain, std::size_t i, std::size_t count) {
      sum[chain] = add(sum[chain], load_some(x + i, count));
    });
  } else {
    for_each_vec(call.columns, [&](std::size_t chain, std::size_t i, std::size_t count) {
      const Vec value = add(load_some(x + i, count), load_some(residual + i, count));
      store_some(y + i, value, count);
      sum[chain] = add(sum[chain], value);
    });
    x = y;
  }
  const Vec mean = broadcast(sum_chains(sum) / columns);
  Vec squares[4] = {zero(), zero(), zero(), zero()};
  for_each_vec(call.columns, [&](std::size_t chain, std::size_t i, std::size_t count) {
    const Vec centred = keep_some(sub(load_some(x + i, count), mean), count);
    squares[chain] = fma(centred, centred, squares[chain]);
  });
  const double variance = static_cast<double>(sum_chains(squares)) / columns;
  const Vec scale = broadcast(static_cast<float>(1 / __builtin_sqrt(variance + call.eps)));
  for_each_vec(call.columns, [&](std::size_t, std::size_t i, std::size_t count) {
    const Vec centred = sub(load_some(x + i, count), mean);
    const Vec gamma = load_some(call.gamma + i, count);
    store_some(y + i, fma(mul(centred, scale), gamma, load_some(call.beta + i, count)), count);
  });
}

void layer_norm(const LayerNormCall& call) {
  for (std::size_t row = 0; row < call.rows; ++row) {
    const std::size_t at = row * call.columns;
    layer_norm_row(call.x + at, call.residual == nullptr ? nullptr : call.residual + at, call,
                   call.y + at);
  }
}

void quantize_row(const float* x, std::size_t columns, std::uint8_t* q, std::size_t q_columns,
                  float* scale, float* offset) {
  const std::size_t whole = columns / kLanes * kLanes;
  Vec low[4], high[4];
  for (int chain = 0; chain < 4; ++chain) low[chain] = high[chain] = broadcast(x[0]);
  for_each_vec(whole, [&](std::size_t chain, std::size_t i, std::size_t) {
    low[chain] = min(low[chain], load(x + i));
    high[chain] = max(high[chain], load(x + i));
  });
  float smallest = smallest_lane(min(min(low[0], low[1]), min(low[2], low[3])));
  float largest = largest_lane(max(max(high[0], high[1]), max(high[2], high[3])));
  for (std::size_t i = whole; i < columns; ++i) {
    smallest = x[i] < smallest ? x[i] : smallest;
    largest = x[i] > largest ? x[i] : largest;
  }
  const float range = largest - smallest;
  const float factor = range > 0 ? static_cast<float>(kInt8Levels) / range : 0;
  const auto level = [&](std::size_t i) {
    return mul(sub(load(x + i), broadcast(smallest)), broadcast(factor));
  };
  std::size_t done = 0;
  for (; done + 4 * kLanes <= whole; done += 4 * kLanes) {
    const Vec four[] = {level(done), level(done + kLanes), level(done + 2 * kLanes),
                        level(done + 3 * kLanes)};
    store_four_bytes(q + done, four);
  }
  for (; done < whole; done += kLanes) store_bytes(q + done, level(done));
  for (std::size_t i = whole; i < q_columns; ++i) {
    const float value = i < columns ? (x[i] - smallest) * factor : 0;
    q[i] = value > 0 ? static_cast<std::uint8_t>(__builtin_nearbyintf(value)) : 0;
  }
  *scale = range / static_cast<float>(kInt8Levels);
  *offset = smallest;
}

void quantize(const QuantizeCall& call) {
  for (std::size_t row = 0; row < call.rows; ++row) {
    quantize_row(call.x + row * call.columns, call.columns, call.q + row * call.q_stride,
                 call.q_stride, call.scale + row, call.offset + row);
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
