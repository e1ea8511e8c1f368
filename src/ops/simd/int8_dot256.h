// Int8 products with AVX-VNNI, on machines without AVX-512. For int8_body.h.
#pragma once

#include "ops/cpu_kernels.h"
#include "ops/simd/int8_tile.h"
#include "ops/simd/vec256.h"

namespace diffie::ops {
namespace {

constexpr std::size_t kInt8TileRows = 6;

inline __m256i four_inputs(const std::uint8_t* a) {
  std::int32_t bits;
  __builtin_memcpy(&bits, a, sizeof bits);
  return _mm256_set1_epi32(bits);
}

// A test runs the same code on AVX-512 machines, where the instruction is spelled differently.
inline __m256i add_products(__m256i sum, __m256i inputs, __m256i weights) {
#if defined(__AVXVNNI__)
  return _mm256_dpbusd_avx_epi32(sum, inputs, weights);
#else
  return _mm256_dpbusd_epi32(sum, inputs, weights);
#endif
}

template <int kRows>
void multiply_int8(const Int8Tile& in, std::int32_t* sums) {
  __m256i sum[kRows][2];
#pragma GCC unroll 6
  for (int r = 0; r < kRows; ++r) {
    const auto* from = reinterpret_cast<const __m256i*>(sums + r * kPanelColumns);
#pragma GCC unroll 2
    for (int v = 0; v < 2; ++v) {
      sum[r][v] = in.add_to_sums ? _mm256_load_si256(from + v) : _mm256_setzero_si256();
    }
  }
  const std::int8_t* w = in.w;
  for (std::size_t group = 0; group < in.groups; ++group) {
    const std::uint8_t* a = in.a + in.order[group];
    const __m256i low = _mm256_load_si256(reinterpret_cast<const __m256i*>(w));
    const __m256i high = _mm256_load_si256(reinterpret_cast<const __m256i*>(w) + 1);
#pragma GCC unroll 6
    for (int r = 0; r < kRows; ++r) {
      const __m256i inputs = four_inputs(a + r * in.a_stride);
      sum[r][0] = add_products(sum[r][0], inputs, low);
      sum[r][1] = add_products(sum[r][1], inputs, high);
    }
    w += 4 * kPanelColumns;
  }
#pragma GCC unroll 6
  for (int r = 0; r < kRows; ++r) {
    auto* to = reinterpret_cast<__m256i*>(sums + r * kPanelColumns);
#pragma GCC unroll 2
    for (int v = 0; v < 2; ++v) _mm256_store_si256(to + v, sum[r][v]);
  }
}

}  // namespace
}  // namespace diffie::ops
