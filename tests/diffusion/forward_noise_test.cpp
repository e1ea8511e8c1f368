#include "diffusion/forward_noise.h"

#include <gtest/gtest.h>

#include <vector>

#include "diffusion/chi_square.h"
#include "diffusion/kinds.h"

namespace diffie::diffusion {
namespace {


class ForwardNoise : public testing::TestWithParam<KernelKind> {};

TEST_P(ForwardNoise, FollowsTheMarginalOfEveryStep) {
  const std::size_t states = GetParam() == KernelKind::kUniform ? 4 : 5;
  const Schedule schedule(make_config(GetParam(), ScheduleKind::kCosine, 8));
  const std::vector<std::uint8_t> clean = {0, 1, 2, 3, 0, 1};
  std::vector<std::uint8_t> noisy(clean.size());
  for (int t = 1; t <= 8; ++t) {
    // [y_0][y_t], all positions with equal y_0 together.
    std::vector<std::vector<std::uint64_t>> counts(4, std::vector<std::uint64_t>(states));
    for (std::uint64_t trajectory = 0; trajectory < 30'000; ++trajectory) {
      forward_noise(schedule, clean, t, 11, trajectory, noisy);
      for (std::size_t i = 0; i < clean.size(); ++i) ++counts[clean[i]].at(noisy[i]);
    }
    for (int y_0 = 0; y_0 < 4; ++y_0) {
      std::vector<double> law(states,
                              GetParam() == KernelKind::kUniform ? (1 - schedule.abar(t)) / 4 : 0);
      law[y_0] += schedule.abar(t);
      if (states == 5) law[kMask] = 1 - schedule.abar(t);
      if (law[y_0] == 0) continue;  // all masked at t = T: nothing left to be random
      EXPECT_LT(chi_square_z(counts[y_0], law), 3.7) << "t " << t << " y_0 " << y_0;
    }
  }
}

TEST_P(ForwardNoise, PositionsAreIndependent) {
  const std::size_t states = GetParam() == KernelKind::kUniform ? 4 : 5;
  const Schedule schedule(make_config(GetParam(), ScheduleKind::kLinear, 4));
  const std::vector<std::uint8_t> clean(10, 1);
  std::vector<std::uint8_t> noisy(clean.size());
  // Neighbours inside one block of random words (0, 1) and across blocks (0, 4).
  for (const std::size_t other : {1u, 4u}) {
    std::vector<std::uint64_t> counts(states * states);
    for (std::uint64_t trajectory = 0; trajectory < 100'000; ++trajectory) {
      forward_noise(schedule, clean, 2, 5, trajectory, noisy);
      ++counts[noisy[0] * states + noisy[other]];
    }
    std::vector<double> single(states, GetParam() == KernelKind::kUniform ? 0.125 : 0.0);
    single[1] += 0.5;
    if (states == 5) single[kMask] = 0.5;
    std::vector<double> law(states * states);
    for (std::size_t i = 0; i < law.size(); ++i) law[i] = single[i / states] * single[i % states];
    EXPECT_LT(chi_square_z(counts, law), 3.7);
  }
}

TEST_P(ForwardNoise, StepZeroIsCleanAndWorksInPlace) {
  const Schedule schedule(make_config(GetParam(), ScheduleKind::kLinear, 4));
  std::vector<std::uint8_t> tags = {3, 2, 1, 0, 3};
  const std::vector<std::uint8_t> clean = tags;
  forward_noise(schedule, tags, 0, 1, 2, tags);
  EXPECT_EQ(tags, clean);
  std::vector<std::uint8_t> apart(clean.size());
  forward_noise(schedule, clean, 3, 1, 2, apart);
  forward_noise(schedule, tags, 3, 1, 2, tags);
  EXPECT_EQ(tags, apart);
  forward_noise(schedule, {}, 3, 1, 2, {});
}

INSTANTIATE_TEST_SUITE_P(Kernels, ForwardNoise, testing::ValuesIn(kBothKernels));

}  // namespace
}  // namespace diffie::diffusion
