// A walk from noise to tags as plain numbers and pure functions of them: one contract for every
// processor that draws. What is constexpr here is compiled for the GPU too, so nothing of it may
// depend on a library's arithmetic.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "diffusion/posterior.h"
#include "diffusion/predictor.h"
#include "diffusion/row_noise.h"
#include "diffusion/softmax4.h"

namespace diffie::diffusion {

// P(y_u <= k | y_t, y_0) for k = 0..2, as [y_t][k][y_0]: three dot products with the weights of
// y_0 give the thresholds that one uniform number is compared with.
using CumulativeTable =
    std::array<std::array<std::array<double, kNumTags>, kNumTags - 1>, kNumTags>;

// From one time at which the model is asked to the next.
struct Jump {
  std::int32_t from = 0;
  std::uint64_t shared = 1;        // neighbouring trajectories that are one row after this jump
  std::uint32_t log_siblings = 0;  // log2 of the rows that were one before it
  CumulativeTable cumulative{};    // uniform kernel
  MaskJump mask;                   // absorbing kernel
};

// What all jumps of a chain have in common.
struct ChainLaw {
  bool absorbing = false;  // else uniform
  bool stratified = false;
  double inverse_temperature = 1;
};

struct Chain {
  ChainLaw law;
  std::uint64_t first_shared = 1;  // neighbouring trajectories that are one row at first
  std::vector<Jump> jumps;
};

// The first of the trajectories that are one row lends its numbers to all of them. step: the time
// that is left, 0 for the initial noise.
constexpr NoiseSource noise_of(const ChainLaw& law, std::uint64_t key, std::uint64_t trajectory,
                               std::uint64_t shared, std::uint32_t step, std::uint32_t siblings) {
  const std::uint64_t index = trajectory / shared;
  return {key, index * shared, index, step, law.stratified, siblings};
}

constexpr std::uint8_t initial_state(const ChainLaw& law, double uniform) {
  return law.absorbing ? kMask : static_cast<std::uint8_t>(uniform * kNumTags);
}

// Weights w of y_0 and the jump's table: a tag y_u with probability proportional to
// sum_{y_0} w[y_0] q(y_u | y_t, y_0). Rounding keeps the thresholds in order, and a tag of
// probability 0 has an empty interval. Non-finite logits end in tag 0.
constexpr std::uint8_t draw_uniform_kernel(const CumulativeTable& cumulative, std::uint8_t state,
                                           const double* w, double uniform) {
  const double threshold = uniform * (w[0] + w[1] + w[2] + w[3]);
  const auto& rows = cumulative[state];
  int tag = 0;
  for (int k = 0; k + 1 < kNumTags; ++k) {
    const auto& c = rows[k];
    tag += threshold >= w[0] * c[0] + w[1] * c[1] + w[2] * c[2] + w[3] * c[3];
  }
  return static_cast<std::uint8_t>(tag);
}

// A masked position: tag k with probability unmask * w[k] / sum, else the mask (4) again.
constexpr std::uint8_t draw_unmask(double unmask, const double* w, double uniform) {
  const double two = w[0] + w[1];
  const double three = two + w[2];
  const double all = three + w[3];
  const double threshold = uniform * all;
  return static_cast<std::uint8_t>((threshold >= unmask * w[0]) + (threshold >= unmask * two) +
                                   (threshold >= unmask * three) + (threshold >= unmask * all));
}

// What a position in `state` becomes; logits [4] of y_0 there.
constexpr std::uint8_t next_state(const ChainLaw& law, const Jump& jump, std::uint8_t state,
                                  const float* logits, double uniform) {
  if (law.absorbing && state != kMask) return uniform < jump.mask.remask ? kMask : state;
  double weights[kNumTags] = {};
  softmax_weights(logits, law.inverse_temperature, weights);
  return law.absorbing ? draw_unmask(jump.mask.unmask, weights, uniform)
                       : draw_uniform_kernel(jump.cumulative, state, weights, uniform);
}

}  // namespace diffie::diffusion
