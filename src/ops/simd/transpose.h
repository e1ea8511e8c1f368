#pragma once

#include <immintrin.h>

#include <cstddef>

namespace diffie::ops {
namespace {

// to[c, r] = from[r, c] for 8 x 8 values.
inline void transpose8(const float* from, std::size_t from_stride, float* to,
                       std::size_t to_stride) {
  __m256 row[8], pair[8], quad[8];
#pragma GCC unroll 8
  for (int r = 0; r < 8; ++r) row[r] = _mm256_loadu_ps(from + r * from_stride);
#pragma GCC unroll 4
  for (int r = 0; r < 8; r += 2) {
    pair[r] = _mm256_unpacklo_ps(row[r], row[r + 1]);
    pair[r + 1] = _mm256_unpackhi_ps(row[r], row[r + 1]);
  }
#pragma GCC unroll 2
  for (int r = 0; r < 8; r += 4) {
    quad[r] = _mm256_shuffle_ps(pair[r], pair[r + 2], 0x44);
    quad[r + 1] = _mm256_shuffle_ps(pair[r], pair[r + 2], 0xEE);
    quad[r + 2] = _mm256_shuffle_ps(pair[r + 1], pair[r + 3], 0x44);
    quad[r + 3] = _mm256_shuffle_ps(pair[r + 1], pair[r + 3], 0xEE);
  }
#pragma GCC unroll 4
  for (int r = 0; r < 4; ++r) {
    _mm256_storeu_ps(to + r * to_stride, _mm256_permute2f128_ps(quad[r], quad[r + 4], 0x20));
    _mm256_storeu_ps(to + (r + 4) * to_stride, _mm256_permute2f128_ps(quad[r], quad[r + 4], 0x31));
  }
}

}  // namespace
}  // namespace diffie::ops
