// Vec for NEON: eight floats in two registers, as wide as AVX2's.
#pragma once

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

namespace diffie::ops {
namespace {

// The kernel bodies are written against these few operations.
struct Vec {
  float32x4_t low, high;
};

constexpr std::size_t kLanes = 8;
constexpr std::size_t kTileRows = 6;  // 24 accumulators, 4 weights, 1 input: 29 of 32 registers

inline Vec zero() { return {vdupq_n_f32(0), vdupq_n_f32(0)}; }
inline Vec broadcast(float value) { return {vdupq_n_f32(value), vdupq_n_f32(value)}; }
inline Vec load(const float* from) { return {vld1q_f32(from), vld1q_f32(from + 4)}; }
inline void store(float* to, Vec x) {
  vst1q_f32(to, x.low);
  vst1q_f32(to + 4, x.high);
}
inline Vec add(Vec x, Vec y) { return {vaddq_f32(x.low, y.low), vaddq_f32(x.high, y.high)}; }
inline Vec sub(Vec x, Vec y) { return {vsubq_f32(x.low, y.low), vsubq_f32(x.high, y.high)}; }
inline Vec mul(Vec x, Vec y) { return {vmulq_f32(x.low, y.low), vmulq_f32(x.high, y.high)}; }
inline Vec div(Vec x, Vec y) { return {vdivq_f32(x.low, y.low), vdivq_f32(x.high, y.high)}; }
inline Vec min(Vec x, Vec y) { return {vminq_f32(x.low, y.low), vminq_f32(x.high, y.high)}; }
inline Vec max(Vec x, Vec y) { return {vmaxq_f32(x.low, y.low), vmaxq_f32(x.high, y.high)}; }
inline Vec fma(Vec x, Vec y, Vec z) {
  return {vfmaq_f32(z.low, x.low, y.low), vfmaq_f32(z.high, x.high, y.high)};
}
inline Vec abs(Vec x) { return {vabsq_f32(x.low), vabsq_f32(x.high)}; }
inline Vec round(Vec x) { return {vrndnq_f32(x.low), vrndnq_f32(x.high)}; }

// x * 2^n for whole n in [-126, 127].
inline float32x4_t scale_by_power(float32x4_t x, float32x4_t n) {
  const int32x4_t exponent = vaddq_s32(vcvtnq_s32_f32(n), vdupq_n_s32(127));
  return vmulq_f32(x, vreinterpretq_f32_s32(vshlq_n_s32(exponent, 23)));
}
inline Vec scale_by_power(Vec x, Vec n) {
  return {scale_by_power(x.low, n.low), scale_by_power(x.high, n.high)};
}

// The first `count` of a vector; the rest is zero, left alone, or taken from `rest`.
inline Vec load_some(const float* from, std::size_t count) {
  if (count >= kLanes) return load(from);
  float lanes[kLanes] = {};
  for (std::size_t i = 0; i < count; ++i) lanes[i] = from[i];
  return load(lanes);
}
inline void store_some(float* to, Vec x, std::size_t count) {
  if (count >= kLanes) return store(to, x);
  float lanes[kLanes];
  store(lanes, x);
  for (std::size_t i = 0; i < count; ++i) to[i] = lanes[i];
}
inline Vec keep_some(Vec x, std::size_t count, Vec rest = zero()) {
  if (count >= kLanes) return x;
  float lanes[kLanes], others[kLanes];
  store(lanes, x);
  store(others, rest);
  for (std::size_t i = count; i < kLanes; ++i) lanes[i] = others[i];
  return load(lanes);
}

// Combines the upper half of the lanes with the lower one, then the halves of that, and so on: in
// the same order as AVX2.
template <typename Combine>
inline float reduce(Vec x, Combine combine) {
  const float32x4_t four = combine(x.low, x.high);
  const float32x4_t two = combine(four, vextq_f32(four, four, 2));
  return vgetq_lane_f32(combine(two, vextq_f32(two, two, 1)), 0);
}

inline float sum_lanes(Vec x) {
  return reduce(x, [](float32x4_t a, float32x4_t b) { return vaddq_f32(a, b); });
}
inline float largest_lane(Vec x) {
  return reduce(x, [](float32x4_t a, float32x4_t b) { return vmaxq_f32(a, b); });
}
inline float smallest_lane(Vec x) {
  return reduce(x, [](float32x4_t a, float32x4_t b) { return vminq_f32(a, b); });
}

inline Vec from_ints(const std::int32_t* from) {
  return {vcvtq_f32_s32(vld1q_s32(from)), vcvtq_f32_s32(vld1q_s32(from + 4))};
}

// Values in 0 .. 255, rounded to the nearest whole number, ties to even; NaN is 0.
inline uint8x8_t to_bytes(Vec x) {
  const int16x4_t low = vqmovn_s32(vcvtnq_s32_f32(x.low));
  const int16x4_t high = vqmovn_s32(vcvtnq_s32_f32(x.high));
  return vqmovun_s16(vcombine_s16(low, high));
}
inline void store_bytes(std::uint8_t* to, Vec x) { vst1_u8(to, to_bytes(x)); }
inline void store_four_bytes(std::uint8_t* to, const Vec* x) {
  for (std::size_t i = 0; i < 4; ++i) store_bytes(to + i * kLanes, x[i]);
}

// to[c, r] = from[r, c] for 8 x 8 values.
inline void transpose8(const float* from, std::size_t from_stride, float* to,
                       std::size_t to_stride) {
  for (std::size_t r = 0; r < 8; r += 4) {
    for (std::size_t c = 0; c < 8; c += 4) {
      const float* block = from + r * from_stride + c;
      const float32x4x2_t a = vtrnq_f32(vld1q_f32(block), vld1q_f32(block + from_stride));
      const float32x4x2_t b =
          vtrnq_f32(vld1q_f32(block + 2 * from_stride), vld1q_f32(block + 3 * from_stride));
      for (std::size_t i = 0; i < 2; ++i) {
        float* row = to + (c + i) * to_stride + r;
        vst1q_f32(row, vcombine_f32(vget_low_f32(a.val[i]), vget_low_f32(b.val[i])));
        vst1q_f32(row + 2 * to_stride,
                  vcombine_f32(vget_high_f32(a.val[i]), vget_high_f32(b.val[i])));
      }
    }
  }
}

}  // namespace
}  // namespace diffie::ops
