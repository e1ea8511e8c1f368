// Included by avx2.cpp and avx512.cpp after their Vec. Everything here and in the other bodies is
// in an anonymous namespace, and nothing calls a standard-library template: a function shared
// between source files could be kept by the linker in its AVX-512 form and then run on a machine
// without.
#pragma once

namespace diffie::ops {
namespace {

inline std::size_t smaller(std::size_t a, std::size_t b) { return a < b ? a : b; }

// The first `count` of a vector (count >= kLanes: all of it); the rest is zero or left alone.
inline Vec load_some(const float* from, std::size_t count) {
  if (count >= kLanes) return load(from);
  float some[kLanes] = {};
  for (std::size_t i = 0; i < count; ++i) some[i] = from[i];
  return load(some);
}

inline void store_some(float* to, Vec x, std::size_t count) {
  if (count >= kLanes) return store(to, x);
  float some[kLanes];
  store(some, x);
  for (std::size_t i = 0; i < count; ++i) to[i] = some[i];
}

inline Vec keep_some(Vec x, std::size_t count) {
  if (count >= kLanes) return x;
  float some[kLanes];
  store(some, x);
  return load_some(some, count);
}

// Lanes are added pairwise, in the same order for every vector.
inline float sum_lanes(Vec x) {
  float lanes[kLanes];
  store(lanes, x);
  for (std::size_t width = kLanes / 2; width > 0; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) lanes[i] += lanes[i + width];
  }
  return lanes[0];
}

inline float largest_lane(Vec x) {
  float lanes[kLanes];
  store(lanes, x);
  float largest = lanes[0];
  for (std::size_t i = 1; i < kLanes; ++i) largest = lanes[i] > largest ? lanes[i] : largest;
  return largest;
}

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

// gelu(x) = max(x, 0) - a Phi(-a), a = |x|, with Phi(-a) = D(a)^-4; the polynomial D comes from
// scripts/fit_gelu.py. Absolute error below 2e-7 plus the rounding of the result.
inline Vec gelu(Vec x) {
  constexpr float kD[] = {1.189209199e+00f, 2.371644338e-01f,  1.186651113e-01f, 2.986126967e-02f,
                          9.374687299e-03f, -2.042737847e-03f, 3.293338651e-03f, -1.453049244e-03f,
                          4.820311367e-04f, -8.270425602e-05f, 7.135920182e-06f};
  const Vec a = min(abs(x), broadcast(5.6f));
  Vec d = broadcast(kD[10]);
#pragma GCC unroll 10
  for (int i = 9; i >= 0; --i) d = fma(d, a, broadcast(kD[i]));
  d = mul(d, d);
  return sub(max(x, zero()), div(a, mul(d, d)));
}

}  // namespace
}  // namespace diffie::ops
