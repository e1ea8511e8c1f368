#include "diffusion/schedule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "diffusion/kinds.h"
#include "expect_error.h"

namespace diffie::diffusion {
namespace {

TEST(Schedule, StartsCleanFallsStrictlyAndEndsInNoise) {
  for (const KernelKind kernel : kBothKernels)
    for (const ScheduleKind kind : kAllSchedules)
      for (const int steps : {1, 2, 3, 16, 64, 1000}) {
        const Schedule schedule(make_config(kernel, kind, steps));
        ASSERT_EQ(schedule.steps(), steps);
        EXPECT_EQ(schedule.abar(0), 1.0);
        for (int t = 1; t <= steps; ++t) {
          EXPECT_LT(schedule.abar(t), schedule.abar(t - 1)) << t << " of " << steps;
          EXPECT_GE(schedule.abar(t), 0.0);
        }
        EXPECT_LE(schedule.abar(steps), 1.001e-3);
      }
}

// The cosine schedule of T = 16, s = 0.002, from an independent calculation in double precision.
TEST(Schedule, UniformCosineHasThePaperSchedule) {
  const Schedule schedule(make_config(KernelKind::kUniform, ScheduleKind::kCosine, 16));
  double a_before = 1;
  double product = 1;
  for (int t = 1; t <= 16; ++t) {
    const double a = std::pow(std::cos((t / 16.0 + 0.002) / 1.002 * std::numbers::pi / 2), 2);
    product *= std::min(std::max(a / a_before, 0.001), 1 - 1e-6);
    a_before = a;
    EXPECT_NEAR(schedule.abar(t), product, 1e-15);
  }
  EXPECT_NEAR(schedule.abar(8), 0.4984, 1e-4);
  EXPECT_NEAR(schedule.abar(16) / schedule.abar(15), 0.001, 1e-12);  // the clamp at work
}

TEST(Schedule, UniformBetasStayInsideTheirBounds) {
  for (const ScheduleKind kind : kAllSchedules) {
    const Schedule schedule(make_config(KernelKind::kUniform, kind, kMaxSteps));
    for (int t = 1; t <= schedule.steps(); ++t) {
      const double beta = 1 - schedule.abar(t) / schedule.abar(t - 1);
      ASSERT_GE(beta, 1e-6 - 1e-12);
      ASSERT_LE(beta, 0.999 + 1e-12);
    }
  }
}

TEST(Schedule, TheSmallestBetaIsAMillionth) {
  const Schedule schedule(make_config(KernelKind::kUniform, ScheduleKind::kCosine, kMaxSteps));
  for (int t = 2; t < 20; ++t)  // the curve itself falls by less
    EXPECT_NEAR(1 - schedule.abar(t) / schedule.abar(t - 1), 1e-6, 1e-12);
}

TEST(Schedule, AbsorbingSchedulesAreTheirFormulas) {
  const int steps = 64;
  const Schedule cosine(make_config(KernelKind::kAbsorbing, ScheduleKind::kCosine, steps));
  const Schedule linear(make_config(KernelKind::kAbsorbing, ScheduleKind::kLinear, steps));
  const Schedule log_linear(make_config(KernelKind::kAbsorbing, ScheduleKind::kLogLinear, steps));
  for (int t = 0; t <= steps; ++t) {
    const double x = t / 64.0;
    EXPECT_NEAR(cosine.abar(t), std::cos(x * std::numbers::pi / 2), 1e-15);
    EXPECT_NEAR(linear.abar(t), 1 - x, 1e-15);
    EXPECT_NEAR(log_linear.abar(t), std::exp(std::log(1 - 0.999 * x)), 1e-15);
  }
  EXPECT_EQ(cosine.abar(steps), 0.0);
  EXPECT_EQ(linear.abar(steps), 0.0);
  EXPECT_NEAR(log_linear.abar(steps), 1e-3, 1e-15);
}

TEST(Schedule, MutualInformationOfAbsorbingNoiseFallsByAnEqualShareEachStep) {
  // beta_t = 1 / (T - t + 1).
  const Schedule schedule(
      make_config(KernelKind::kAbsorbing, ScheduleKind::kMutualInformation, 20));
  for (int t = 1; t <= 20; ++t)
    EXPECT_NEAR(1 - schedule.abar(t) / schedule.abar(t - 1), 1.0 / (20 - t + 1), 1e-12);
}

TEST(Schedule, MutualInformationOfUniformNoiseFallsByAnEqualShareEachStep) {
  const int steps = 20;
  const Schedule schedule(
      make_config(KernelKind::kUniform, ScheduleKind::kMutualInformation, steps));
  for (int t = 1; t < steps; ++t) {  // the last beta is clamped
    // I from the joint law of (y_0, y_t), written out.
    const double abar = schedule.abar(t);
    double information = 0;
    for (int y_0 = 0; y_0 < 4; ++y_0)
      for (int y_t = 0; y_t < 4; ++y_t) {
        const double joint = 0.25 * ((y_0 == y_t) * abar + (1 - abar) / 4);
        information += joint * std::log(joint / (0.25 * 0.25));
      }
    EXPECT_NEAR(information / std::log(4), 1 - t / 20.0, 1e-9) << t;
  }
}

TEST(Schedule, MutualInformationKnowsSkewedMarginals) {
  const std::array<double, 4> marginal = {0.7, 0.1, 0.15, 0.05};
  double entropy = 0;
  for (const double p : marginal) entropy -= p * std::log(p);
  EXPECT_NEAR(uniform_mutual_information(1.0, marginal), entropy, 1e-14);
  EXPECT_NEAR(uniform_mutual_information(0.0, marginal), 0.0, 1e-14);
  for (const double share : {0.01, 0.25, 0.5, 0.9, 0.999}) {
    const double abar = uniform_abar_for_information(share, marginal);
    EXPECT_NEAR(uniform_mutual_information(abar, marginal), share * entropy, 1e-12);
  }
}

TEST(Schedule, UniformLinearOnesAreTheirFormulas) {
  const Schedule linear(make_config(KernelKind::kUniform, ScheduleKind::kLinear, 50));
  const Schedule log_linear(make_config(KernelKind::kUniform, ScheduleKind::kLogLinear, 50));
  for (int t = 0; t < 50; ++t) {  // the last step is clamped
    EXPECT_NEAR(linear.abar(t), 1 - t / 50.0, 1e-14);
    EXPECT_NEAR(log_linear.abar(t), 1 - 0.999 * t / 50.0, 1e-14);
  }
}

TEST(Schedule, RefusesWhatCannotBe) {
  auto config = make_config(KernelKind::kUniform, ScheduleKind::kCosine, 16);
  for (const int steps : {0, -1, kMaxSteps + 1, std::numeric_limits<int>::max()}) {
    config.steps = steps;
    EXPECT_ERROR(Schedule{config}, ErrorCode::kInvalidArgument, "steps");
  }
  config.steps = 16;
  for (const double s : {-0.1, 1.5, std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    config.cosine_s = s;
    EXPECT_ERROR(Schedule{config}, ErrorCode::kInvalidArgument, "cosine_s");
  }
  for (const double s : {0.0, 1.0}) {
    config.cosine_s = s;
    EXPECT_NO_THROW(Schedule{config}) << s;
  }
  for (const KernelKind kernel : kBothKernels) {
    EXPECT_ERROR(Schedule(make_config(kernel, static_cast<ScheduleKind>(9), 16)),
                 ErrorCode::kInvalidArgument, "unknown schedule");
  }
}

}  // namespace
}  // namespace diffie::diffusion
