// Int8 products with AVX2 alone: vpmaddubsw. For int8_body.h.
#pragma once

#include "ops/cpu_kernels.h"
#include "ops/simd/int8_tile.h"
#include "ops/simd/vec256.h"

namespace diffie::ops {
namespace {

constexpr std::size_t kInt8TileRows = 4;

inline __m256i four_inputs(const std::uint8_t* a) {
  std::int32_t bits;
  __builtin_memcpy(&bits, a, sizeof bits);
  return _mm256_set1_epi32(bits);
}

inline __m256i weights_at(const std::int8_t* w) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(w));
}

// The products of two inputs make a 16-bit number that never overflows (2 * 127 * 128). Where two
// groups are a pair, two of those are added in 16 bits too, which saves a quarter of the
// multiplications.
inline void add_pair(const std::uint8_t* a, const std::uint8_t* b, const std::int8_t* w,
                     __m256i ones, __m256i* sum) {
  const __m256i first = four_inputs(a);
  const __m256i second = four_inputs(b);
#pragma GCC unroll 2
  for (int v = 0; v < 2; ++v) {
    const __m256i p = _mm256_maddubs_epi16(first, weights_at(w + 32 * v));
    const __m256i q = _mm256_maddubs_epi16(second, weights_at(w + 64 + 32 * v));
    sum[v] = _mm256_add_epi32(sum[v], _mm256_madd_epi16(_mm256_add_epi16(p, q), ones));
  }
}

inline void add_group(const std::uint8_t* a, const std::int8_t* w, __m256i ones, __m256i* sum) {
  const __m256i inputs = four_inputs(a);
#pragma GCC unroll 2
  for (int v = 0; v < 2; ++v) {
    const __m256i p = _mm256_maddubs_epi16(inputs, weights_at(w + 32 * v));
    sum[v] = _mm256_add_epi32(sum[v], _mm256_madd_epi16(p, ones));
  }
}

template <int kRows>
void multiply_int8(const Int8Tile& in, std::int32_t* sums) {
  __m256i sum[kRows][2];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
    std::int32_t* from = sums + r * kPanelColumns;
#pragma GCC unroll 2
    for (int v = 0; v < 2; ++v) {
      sum[r][v] = in.add_to_sums ? _mm256_load_si256(reinterpret_cast<const __m256i*>(from + 8 * v))
                                 : _mm256_setzero_si256();
    }
  }
  const __m256i ones = _mm256_set1_epi16(1);
  const std::size_t stride = in.a_stride;
  const std::int8_t* w = in.w;
  const std::uint32_t* order = in.order;
  for (std::size_t pair = 0; pair < in.pairs; ++pair) {
    const std::uint8_t* a = in.a + order[0];
    const std::uint8_t* b = in.a + order[1];
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) add_pair(a + r * stride, b + r * stride, w, ones, sum[r]);
    order += 2;
    w += 8 * kPanelColumns;
  }
  for (std::size_t group = 2 * in.pairs; group < in.groups; ++group) {
    const std::uint8_t* a = in.a + *order;
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) add_group(a + r * stride, w, ones, sum[r]);
    ++order;
    w += 4 * kPanelColumns;
  }
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
    std::int32_t* to = sums + r * kPanelColumns;
#pragma GCC unroll 2
    for (int v = 0; v < 2; ++v) {
      _mm256_store_si256(reinterpret_cast<__m256i*>(to + 8 * v), sum[r][v]);
    }
  }
}

}  // namespace
}  // namespace diffie::ops
