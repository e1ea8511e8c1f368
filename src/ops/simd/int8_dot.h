// Int8 products with VNNI: vpdpbusd adds four products to a 32-bit sum. For int8_body.h.
#pragma once

#include "ops/cpu_kernels.h"
#include "ops/simd/int8_tile.h"
#include "ops/simd/vec512.h"

namespace diffie::ops {
namespace {

constexpr std::size_t kInt8TileRows = 8;

inline __m512i four_inputs(const std::uint8_t* a) {
  std::int32_t bits;
  __builtin_memcpy(&bits, a, sizeof bits);
  return _mm512_set1_epi32(bits);
}

template <int kRows>
void multiply_int8(const Int8Tile& in, std::int32_t* sums) {
  __m512i sum[kRows];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    sum[r] = in.add_to_sums ? _mm512_load_si512(sums + r * kPanelColumns) : _mm512_setzero_si512();
  }
  const std::int8_t* w = in.w;
  for (std::size_t group = 0; group < in.groups; ++group) {
    const std::uint8_t* a = in.a + in.order[group];
    const __m512i weights = _mm512_load_si512(w);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      sum[r] = _mm512_dpbusd_epi32(sum[r], four_inputs(a + r * in.a_stride), weights);
    }
    w += 4 * kPanelColumns;
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) _mm512_store_si512(sums + r * kPanelColumns, sum[r]);
}

}  // namespace
}  // namespace diffie::ops
