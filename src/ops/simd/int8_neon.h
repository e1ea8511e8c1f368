// Int8 products with NEON. For int8_body.h.
#pragma once

#include "ops/cpu_kernels.h"
#include "ops/simd/int8_tile.h"
#include "ops/simd/vec_neon.h"

namespace diffie::ops {
namespace {

constexpr std::size_t kInt8TileRows = 4;
constexpr int kInt8Vecs = 4;  // four columns each

// Inputs are at most 127, so that they may be read as signed.
inline int8x16_t four_inputs(const std::uint8_t* a) {
  std::int32_t bits;
  __builtin_memcpy(&bits, a, sizeof bits);
  return vreinterpretq_s8_s32(vdupq_n_s32(bits));
}

// sum[c] += the products of four inputs with the four weights of column c.
inline int32x4_t add_products(int32x4_t sum, int8x16_t inputs, int8x16_t weights) {
#if defined(__ARM_FEATURE_DOTPROD)
  return vdotq_s32(sum, inputs, weights);
#else
  // Two products make a 16-bit number that never overflows (2 * 127 * 128).
  const int16x8_t low = vmull_s8(vget_low_s8(inputs), vget_low_s8(weights));
  const int16x8_t high = vmull_high_s8(inputs, weights);
  return vpadalq_s16(sum, vpaddq_s16(low, high));
#endif
}

template <int kRows>
void multiply_int8(const Int8Tile& in, std::int32_t* sums) {
  int32x4_t sum[kRows][kInt8Vecs];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kInt8Vecs; ++v) {
      sum[r][v] = in.add_to_sums ? vld1q_s32(sums + r * kPanelColumns + 4 * v) : vdupq_n_s32(0);
    }
  }
  const std::int8_t* w = in.w;
  for (std::size_t group = 0; group < in.groups; ++group) {
    const std::uint8_t* a = in.a + in.order[group];
    int8x16_t weights[kInt8Vecs];
#pragma GCC unroll 4
    for (int v = 0; v < kInt8Vecs; ++v) weights[v] = vld1q_s8(w + 16 * v);
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      const int8x16_t inputs = four_inputs(a + r * in.a_stride);
#pragma GCC unroll 4
      for (int v = 0; v < kInt8Vecs; ++v) sum[r][v] = add_products(sum[r][v], inputs, weights[v]);
    }
    w += 4 * kPanelColumns;
  }
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kInt8Vecs; ++v) vst1q_s32(sums + r * kPanelColumns + 4 * v, sum[r][v]);
  }
}

}  // namespace
}  // namespace diffie::ops
