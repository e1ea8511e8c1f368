#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "diffusion/predictor.h"

namespace diffie::diffusion {

// exp(x) for x <= 0 to within 3e-7 (relative), 0 below -87. The C library picks its expf by
// processor, so the same logits could give another tag elsewhere; this one is a fixed sequence of
// float operations. NaN stays NaN.
constexpr float exp_nonpositive(float x) {
  constexpr float kLog2e = 1.44269504f;
  constexpr float kLn2High = 0.693359375f;  // 9 bits: times an integer below 2^15 it is exact
  constexpr float kLn2Low = -2.12194440e-4f;
  constexpr float kShift = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer
  const float shifted = x * kLog2e + kShift;
  const float n = shifted - kShift;
  const float r = (x - n * kLn2High) - n * kLn2Low;  // |r| <= ln 2 / 2
  float p = 1.0f / 5040;
  p = p * r + 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  const std::uint32_t exponent =
      std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(kShift) + 127u;
  const float power = p * std::bit_cast<float>(exponent << 23);
  const std::uint32_t keep = static_cast<std::uint32_t>(x < -87.0f) - 1u;  // all bits, or none
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(power) & keep);
}

// weights[k] = exp((logits[k] - max) / temperature): the softmax before its division. The largest
// is exactly 1, however small the temperature.
constexpr void softmax_weights(const float* logits, double inverse_temperature, double* weights) {
  const float top = std::max(std::max(logits[0], logits[1]), std::max(logits[2], logits[3]));
  for (int k = 0; k < kNumTags; ++k) {
    const double scaled = (static_cast<double>(logits[k]) - top) * inverse_temperature;
    weights[k] = exp_nonpositive(static_cast<float>(std::max(scaled, -100.0)));
  }
}

// The same at temperature 1, in vector instructions; to the bit, for a difference of floats that is
// rounded to double first and then to float is the one that is rounded once.
inline void softmax_weights(const float* logits, double* weights) {
  const float top = std::max(std::max(logits[0], logits[1]), std::max(logits[2], logits[3]));
  for (int k = 0; k < kNumTags; ++k) weights[k] = exp_nonpositive(logits[k] - top);
}

}  // namespace diffie::diffusion
