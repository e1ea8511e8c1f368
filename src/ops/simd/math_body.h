// Written against Vec (vec.h). Everything here and in the other bodies is in an anonymous
// namespace, and nothing calls a standard-library template: a function shared between source files
// could be kept by the linker in its AVX-512 form and then run on a machine without.
#pragma once

#include "ops/simd/vec.h"

namespace diffie::ops {
namespace {

// Asks for a cache line; never faults. To L1, or to L2 only.
inline void prefetch(const float* at) { __builtin_prefetch(at, 1, 3); }
inline void prefetch_far(const float* at) { __builtin_prefetch(at, 0, 2); }

// Rows are dealt out so that tiles differ by one row at most: a tile of one or two rows would wait
// for its own multiply-adds.
template <std::size_t kMost>
inline std::size_t next_tile_rows(std::size_t rows_left) {
  const std::size_t tiles = (rows_left + kMost - 1) / kMost;
  return (rows_left + tiles - 1) / tiles;
}

inline std::size_t smaller(std::size_t a, std::size_t b) { return a < b ? a : b; }

// e^x for x <= 0, relative error below 2e-7; x under -87 counts as -87. With n = round(x / ln 2)
// and r = x - n ln 2, e^x = 2^n e^r, and Taylor's series to r^7 is good to 5e-9 for |r| <= ln 2
// / 2.
inline Vec exp_negative(Vec x) {
  x = max(x, broadcast(-87.0f));
  const Vec n = round(mul(x, broadcast(1.44269504f)));
  Vec r = fma(n, broadcast(-0.693147182f), x);  // ln 2 as the sum of two floats
  r = fma(n, broadcast(1.90465421e-9f), r);
  Vec p = broadcast(1.0f / 5040);
  p = fma(p, r, broadcast(1.0f / 720));
  p = fma(p, r, broadcast(1.0f / 120));
  p = fma(p, r, broadcast(1.0f / 24));
  p = fma(p, r, broadcast(1.0f / 6));
  p = fma(p, r, broadcast(0.5f));
  p = fma(p, r, broadcast(1.0f));
  p = fma(p, r, broadcast(1.0f));
  return scale_by_power(p, n);
}

// gelu(x) = max(x, 0) - a Phi(-a), a = |x|, with Phi(-a) = exp(-a^2 / 2) P(1 / (1 + 0.3 a)); the
// polynomial P comes from scripts/tables/fit_gelu.py. Absolute error below 1e-7 plus the rounding
// of the result: errors here have the same sign in many units and add up in the next layer.
inline Vec gelu(Vec x) {
  constexpr float kP[] = {3.906468158e-03f, 8.613070111e-02f, 2.345075907e-01f, -8.042471471e-02f,
                          2.129214204e-01f, 9.352003037e-02f, -5.056184051e-02f};
  const Vec a = min(abs(x), broadcast(13.0f));  // from there on a Phi(-a) is nothing
  const Vec t = div(broadcast(1.0f), fma(a, broadcast(0.3f), broadcast(1.0f)));
  Vec p = broadcast(kP[6]);
#pragma GCC unroll 6
  for (int i = 5; i >= 0; --i) p = fma(p, t, broadcast(kP[i]));
  const Vec bell = exp_negative(mul(mul(a, a), broadcast(-0.5f)));
  return sub(max(x, zero()), mul(mul(a, bell), p));
}

// The same within 2e-4, with a Phi(-a) as a polynomial that is zero from 4 on; it comes from
// scripts/tables/fit_gelu.py too.
inline Vec rough_gelu(Vec x) {
  constexpr float kP[] = {4.966048632e-01f,  -3.701451484e-01f, -8.246373307e-02f,
                          1.773254059e-01f,  -7.679430027e-02f, 1.543808514e-02f,
                          -1.471107775e-03f, 5.071829928e-05f};
  const Vec a = min(abs(x), broadcast(4.0f));
  Vec p = broadcast(kP[7]);
#pragma GCC unroll 7
  for (int i = 6; i >= 0; --i) p = fma(p, a, broadcast(kP[i]));
  return sub(max(x, zero()), mul(a, p));
}

}  // namespace
}  // namespace diffie::ops
