// Vec for AVX-512F: sixteen floats.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace diffie::ops {
namespace {

// The kernel bodies are written against these few operations.
struct Vec {
  __m512 lanes;
};

constexpr std::size_t kLanes = 16;
constexpr std::size_t kTileRows =
    12;  // 12 x 2 accumulators, 2 weights, 1 input: 27 of 32 registers

inline Vec zero() { return {_mm512_setzero_ps()}; }
inline Vec broadcast(float value) { return {_mm512_set1_ps(value)}; }
inline Vec load(const float* from) { return {_mm512_loadu_ps(from)}; }
inline void store(float* to, Vec x) { _mm512_storeu_ps(to, x.lanes); }
inline Vec add(Vec x, Vec y) { return {_mm512_add_ps(x.lanes, y.lanes)}; }
inline Vec sub(Vec x, Vec y) { return {_mm512_sub_ps(x.lanes, y.lanes)}; }
inline Vec mul(Vec x, Vec y) { return {_mm512_mul_ps(x.lanes, y.lanes)}; }
inline Vec div(Vec x, Vec y) { return {_mm512_div_ps(x.lanes, y.lanes)}; }
inline Vec min(Vec x, Vec y) { return {_mm512_min_ps(x.lanes, y.lanes)}; }
inline Vec max(Vec x, Vec y) { return {_mm512_max_ps(x.lanes, y.lanes)}; }
inline Vec fma(Vec x, Vec y, Vec z) { return {_mm512_fmadd_ps(x.lanes, y.lanes, z.lanes)}; }
inline Vec abs(Vec x) { return {_mm512_abs_ps(x.lanes)}; }
inline Vec round(Vec x) {
  return {_mm512_roundscale_ps(x.lanes, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
}

// x * 2^n for whole n in [-126, 127].
inline Vec scale_by_power(Vec x, Vec n) {
  const __m512i exponent = _mm512_add_epi32(_mm512_cvtps_epi32(n.lanes), _mm512_set1_epi32(127));
  return {_mm512_mul_ps(x.lanes, _mm512_castsi512_ps(_mm512_slli_epi32(exponent, 23)))};
}

// The first `count` lanes (count >= kLanes: all).
inline __mmask16 first_lanes(std::size_t count) {
  return static_cast<__mmask16>(count < kLanes ? (1U << count) - 1 : 0xffffU);
}

// The first `count` of a vector; the rest is zero, left alone, or taken from `rest`.
inline Vec load_some(const float* from, std::size_t count) {
  return {_mm512_maskz_loadu_ps(first_lanes(count), from)};
}
inline void store_some(float* to, Vec x, std::size_t count) {
  _mm512_mask_storeu_ps(to, first_lanes(count), x.lanes);
}
inline Vec keep_some(Vec x, std::size_t count, Vec rest = zero()) {
  return {_mm512_mask_mov_ps(rest.lanes, first_lanes(count), x.lanes)};
}

// Lanes are combined in the same order for every vector.
inline float sum_lanes(Vec x) { return _mm512_reduce_add_ps(x.lanes); }
inline float largest_lane(Vec x) { return _mm512_reduce_max_ps(x.lanes); }
inline float smallest_lane(Vec x) { return _mm512_reduce_min_ps(x.lanes); }

inline Vec from_ints(const std::int32_t* from) {
  return {_mm512_cvtepi32_ps(_mm512_loadu_si512(from))};
}

// Values in 0 .. 255, rounded to the nearest whole number, ties to even; NaN is 0.
inline void store_bytes(std::uint8_t* to, Vec x) {
  const __m512 numbers = _mm512_max_ps(x.lanes, _mm512_setzero_ps());  // NaN becomes 0
  const __m128i bytes = _mm512_cvtusepi32_epi8(_mm512_cvtps_epi32(numbers));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
}
inline void store_four_bytes(std::uint8_t* to, const Vec* x) {
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 4; ++i) store_bytes(to + i * kLanes, x[i]);
}

}  // namespace
}  // namespace diffie::ops
