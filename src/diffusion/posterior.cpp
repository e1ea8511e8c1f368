#include "diffusion/posterior.h"

#include <algorithm>

#include "base/assert.h"

namespace diffie::diffusion {
namespace {

double transition(double keep, int from, int to) {
  return (from == to ? keep : 0.0) + (1 - keep) / kNumTags;
}

void check_jump(const Schedule& schedule, KernelKind kernel, std::int32_t t, std::int32_t u) {
  DIFFIE_ASSERT(schedule.kernel() == kernel);
  DIFFIE_ASSERT(0 <= u && u < t && t <= schedule.steps());
}

}  // namespace

PosteriorTable posterior_table(const Schedule& schedule, std::int32_t t, std::int32_t u) {
  check_jump(schedule, KernelKind::kUniform, t, u);
  const double abar_u = schedule.abar(u);
  const double ratio = schedule.abar(t) / abar_u;
  PosteriorTable table{};
  for (int y_t = 0; y_t < kNumTags; ++y_t) {
    for (int y_0 = 0; y_0 < kNumTags; ++y_0) {
      auto& row = table[y_t][y_0];
      double total = 0;
      for (int y_u = 0; y_u < kNumTags; ++y_u) {
        row[y_u] = transition(ratio, y_u, y_t) * transition(abar_u, y_0, y_u);
        total += row[y_u];
      }
      for (double& probability : row) probability /= total;
    }
  }
  return table;
}

MaskJump mask_jump(const Schedule& schedule, std::int32_t t, std::int32_t u, double wanted_remask) {
  check_jump(schedule, KernelKind::kAbsorbing, t, u);
  if (u == 0) return {.unmask = 1.0, .remask = 0.0};
  const double abar_t = schedule.abar(t);
  const double abar_u = schedule.abar(u);
  const double cap = abar_t > 1 - abar_u ? (1 - abar_u) / abar_t : 1.0;
  const double remask = std::min(wanted_remask, cap);
  const double unmask = (abar_u - (1 - remask) * abar_t) / (1 - abar_t);
  return {.unmask = std::min(unmask, 1.0), .remask = remask};
}

}  // namespace diffie::diffusion
