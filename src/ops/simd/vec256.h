// Vec for AVX2 and FMA: eight floats.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace diffie::ops {
namespace {

// The kernel bodies are written against these few operations.
struct Vec {
  __m256 lanes;
};

constexpr std::size_t kLanes = 8;
constexpr std::size_t kTileRows = 6;  // 6 x 2 accumulators, 2 weights, 1 input: 15 of 16 registers

inline Vec zero() { return {_mm256_setzero_ps()}; }
inline Vec broadcast(float value) { return {_mm256_set1_ps(value)}; }
inline Vec load(const float* from) { return {_mm256_loadu_ps(from)}; }
inline void store(float* to, Vec x) { _mm256_storeu_ps(to, x.lanes); }
inline Vec add(Vec x, Vec y) { return {_mm256_add_ps(x.lanes, y.lanes)}; }
inline Vec sub(Vec x, Vec y) { return {_mm256_sub_ps(x.lanes, y.lanes)}; }
inline Vec mul(Vec x, Vec y) { return {_mm256_mul_ps(x.lanes, y.lanes)}; }
inline Vec div(Vec x, Vec y) { return {_mm256_div_ps(x.lanes, y.lanes)}; }
inline Vec min(Vec x, Vec y) { return {_mm256_min_ps(x.lanes, y.lanes)}; }
inline Vec max(Vec x, Vec y) { return {_mm256_max_ps(x.lanes, y.lanes)}; }
inline Vec fma(Vec x, Vec y, Vec z) { return {_mm256_fmadd_ps(x.lanes, y.lanes, z.lanes)}; }
inline Vec abs(Vec x) { return {_mm256_andnot_ps(_mm256_set1_ps(-0.0f), x.lanes)}; }
inline Vec round(Vec x) {
  return {_mm256_round_ps(x.lanes, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
}

// x * 2^n for whole n in [-126, 127].
inline Vec scale_by_power(Vec x, Vec n) {
  const __m256i exponent = _mm256_add_epi32(_mm256_cvtps_epi32(n.lanes), _mm256_set1_epi32(127));
  return {_mm256_mul_ps(x.lanes, _mm256_castsi256_ps(_mm256_slli_epi32(exponent, 23)))};
}

// All bits of the first `count` lanes (count >= kLanes: of all).
inline __m256i first_lanes(std::size_t count) {
  alignas(64) static constexpr std::int32_t kBits[2 * kLanes] = {-1, -1, -1, -1, -1, -1, -1, -1};
  const std::size_t skip = count < kLanes ? kLanes - count : 0;
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kBits + skip));
}

// The first `count` of a vector; the rest is zero, left alone, or taken from `rest`.
inline Vec load_some(const float* from, std::size_t count) {
  if (count >= kLanes) return load(from);
  return {_mm256_maskload_ps(from, first_lanes(count))};
}
inline void store_some(float* to, Vec x, std::size_t count) {
  if (count >= kLanes) return store(to, x);
  _mm256_maskstore_ps(to, first_lanes(count), x.lanes);
}
inline Vec keep_some(Vec x, std::size_t count, Vec rest = zero()) {
  return {_mm256_blendv_ps(rest.lanes, x.lanes, _mm256_castsi256_ps(first_lanes(count)))};
}

// Combines the upper half of the lanes with the lower one, then the halves of that, and so on: in
// the same order for every vector.
template <typename Combine>
inline float reduce(Vec x, Combine combine) {
  const __m128 four = combine(_mm256_castps256_ps128(x.lanes), _mm256_extractf128_ps(x.lanes, 1));
  const __m128 two = combine(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(combine(two, _mm_movehdup_ps(two)));
}

inline float sum_lanes(Vec x) {
  return reduce(x, [](__m128 a, __m128 b) { return _mm_add_ps(a, b); });
}
inline float largest_lane(Vec x) {
  return reduce(x, [](__m128 a, __m128 b) { return _mm_max_ps(a, b); });
}
inline float smallest_lane(Vec x) {
  return reduce(x, [](__m128 a, __m128 b) { return _mm_min_ps(a, b); });
}

inline Vec from_ints(const std::int32_t* from) {
  return {_mm256_cvtepi32_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)))};
}

// Values in 0 .. 255, rounded to the nearest whole number, ties to even; NaN is 0.
inline void store_bytes(std::uint8_t* to, Vec x) {
  const __m256i whole = _mm256_cvtps_epi32(x.lanes);
  const __m128i words =
      _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packus_epi16(words, words));
}
inline void store_four_bytes(std::uint8_t* to, const Vec* x) {
  const __m256i low =
      _mm256_packs_epi32(_mm256_cvtps_epi32(x[0].lanes), _mm256_cvtps_epi32(x[1].lanes));
  const __m256i high =
      _mm256_packs_epi32(_mm256_cvtps_epi32(x[2].lanes), _mm256_cvtps_epi32(x[3].lanes));
  // Packing works in halves, so that fours of bytes come out of order.
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  const __m256i bytes = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), bytes);
}

}  // namespace
}  // namespace diffie::ops
