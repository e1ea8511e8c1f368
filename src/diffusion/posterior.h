// One reverse jump t -> u as numbers: what the sampler looks up.
#pragma once

#include <array>
#include <cstdint>

#include "diffusion/schedule.h"

namespace diffie::diffusion {

// q(y_u | y_t, y_0) as [y_t][y_0][y_u]; every row over y_u sums to 1.
using PosteriorTable = std::array<std::array<std::array<double, kNumTags>, kNumTags>, kNumTags>;

// Uniform kernel, 0 <= u < t <= T:
//   q(y_u | y_t, y_0) ~ Q(abar_t / abar_u)[y_u, y_t] * Q(abar_u)[y_0, y_u], Q(a) = a I + (1 - a) /
//   4
PosteriorTable posterior_table(const Schedule& schedule, std::int32_t t, std::int32_t u);

// Absorbing kernel. A masked position is decided with probability `unmask` (and then drawn from
// p(y_0)), a decided one is masked again with probability `remask`.
struct MaskJump {
  double unmask = 0;
  double remask = 0;
};

// remask = min(wanted, (1 - abar_u) / abar_t), unmask = (abar_u - (1 - remask) abar_t) /
// (1 - abar_t): the remasking of ReMDM with a cap, under which q(y_u | y_0) stays that of the
// schedule for every `wanted`. At u = 0 the cap is 0: the last jump decides everything and keeps
// it.
MaskJump mask_jump(const Schedule& schedule, std::int32_t t, std::int32_t u, double wanted_remask);

}  // namespace diffie::diffusion
