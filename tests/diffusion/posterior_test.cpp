#include "diffusion/posterior.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "diffusion/kinds.h"

namespace diffie::diffusion {
namespace {

using Matrix = std::vector<std::vector<double>>;  // [from][to]

Matrix identity(int size) {
  Matrix m(size, std::vector<double>(size, 0.0));
  for (int i = 0; i < size; ++i) m[i][i] = 1;
  return m;
}

Matrix multiply(const Matrix& a, const Matrix& b) {
  Matrix product(a.size(), std::vector<double>(b[0].size(), 0.0));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k)
      for (std::size_t j = 0; j < b[0].size(); ++j) product[i][j] += a[i][k] * b[k][j];
  return product;
}

// One step of the chain, t - 1 -> t, over 4 tags (uniform) or 4 tags and the mask (absorbing).
Matrix one_step(const Schedule& schedule, int t) {
  const double alpha = schedule.abar(t) / schedule.abar(t - 1);
  if (schedule.kernel() == KernelKind::kUniform) {
    Matrix m(4, std::vector<double>(4, (1 - alpha) / 4));
    for (int i = 0; i < 4; ++i) m[i][i] += alpha;
    return m;
  }
  Matrix m = identity(5);
  for (int i = 0; i < 4; ++i) {
    m[i][i] = alpha;
    m[i][4] = 1 - alpha;
  }
  return m;
}

// Chain from step `from` to step `to`, step by step.
Matrix chain(const Schedule& schedule, int from, int to) {
  Matrix m = identity(schedule.kernel() == KernelKind::kUniform ? 4 : 5);
  for (int t = from + 1; t <= to; ++t) m = multiply(m, one_step(schedule, t));
  return m;
}

// P(y_u | y_t, y_0) by Bayes on the chain; empty where the conditions cannot be.
std::vector<double> bayes(const Matrix& to_u, const Matrix& u_to_t, int y_0, int y_t) {
  std::vector<double> joint;
  double total = 0;
  for (std::size_t y_u = 0; y_u < to_u.size(); ++y_u) {
    joint.push_back(to_u[y_0][y_u] * u_to_t[y_u][y_t]);
    total += joint.back();
  }
  if (total <= 0) return {};
  for (double& p : joint) p /= total;
  return joint;
}

TEST(PosteriorTable, IsBayesOnTheUniformChainForEveryJump) {
  for (const ScheduleKind kind : kAllSchedules)
    for (const int steps : {1, 2, 5, 16}) {
      const Schedule schedule(make_config(KernelKind::kUniform, kind, steps));
      for (int t = 1; t <= steps; ++t)
        for (int u = 0; u < t; ++u) {
          const PosteriorTable table = posterior_table(schedule, t, u);
          const Matrix to_u = chain(schedule, 0, u);
          const Matrix u_to_t = chain(schedule, u, t);
          for (int y_t = 0; y_t < 4; ++y_t)
            for (int y_0 = 0; y_0 < 4; ++y_0) {
              const std::vector<double> want = bayes(to_u, u_to_t, y_0, y_t);
              for (int y_u = 0; y_u < 4; ++y_u)
                ASSERT_NEAR(table[y_t][y_0][y_u], want[y_u], 1e-12)
                    << "T " << steps << " t " << t << " u " << u;
            }
        }
    }
}

TEST(PosteriorTable, TheLastJumpIsThePredictionItself) {
  const Schedule schedule(make_config(KernelKind::kUniform, ScheduleKind::kCosine, 16));
  for (const int t : {1, 4, 16}) {
    const PosteriorTable table = posterior_table(schedule, t, 0);
    for (int y_t = 0; y_t < 4; ++y_t)
      for (int y_0 = 0; y_0 < 4; ++y_0)
        for (int y_u = 0; y_u < 4; ++y_u) EXPECT_EQ(table[y_t][y_0][y_u], y_u == y_0 ? 1.0 : 0.0);
  }
}

TEST(MaskJump, IsBayesOnTheAbsorbingChainForEveryJump) {
  for (const ScheduleKind kind : kAllSchedules)
    for (const int steps : {1, 2, 5, 16}) {
      const Schedule schedule(make_config(KernelKind::kAbsorbing, kind, steps));
      for (int t = 1; t <= steps; ++t)
        for (int u = 0; u < t; ++u) {
          const MaskJump jump = mask_jump(schedule, t, u, 0.0);
          EXPECT_EQ(jump.remask, 0.0);
          const Matrix to_u = chain(schedule, 0, u);
          const Matrix u_to_t = chain(schedule, u, t);
          for (int y_0 = 0; y_0 < 4; ++y_0) {
            const std::vector<double> masked = bayes(to_u, u_to_t, y_0, kMask);
            ASSERT_NEAR(masked[y_0], jump.unmask, 1e-12) << "T " << steps << " " << t << " " << u;
            ASSERT_NEAR(masked[kMask], 1 - jump.unmask, 1e-12);
            const std::vector<double> decided = bayes(to_u, u_to_t, y_0, y_0);
            if (!decided.empty()) {
              ASSERT_NEAR(decided[y_0], 1.0, 1e-12);
            }
          }
        }
    }
}

TEST(MaskJump, RemaskingKeepsTheMarginalOfTheSchedule) {
  for (const ScheduleKind kind : kAllSchedules) {
    const Schedule schedule(make_config(KernelKind::kAbsorbing, kind, 16));
    for (int t = 1; t <= 16; ++t)
      for (int u = 0; u < t; ++u)
        for (const double wanted : {0.0, 0.05, 0.5, 1.0}) {
          const MaskJump jump = mask_jump(schedule, t, u, wanted);
          ASSERT_GE(jump.unmask, 0.0);
          ASSERT_LE(jump.unmask, 1.0);
          ASSERT_GE(jump.remask, 0.0);
          ASSERT_LE(jump.remask, wanted);
          const double decided_t = schedule.abar(t);
          const double decided_u = decided_t * (1 - jump.remask) + (1 - decided_t) * jump.unmask;
          ASSERT_NEAR(decided_u, schedule.abar(u), 1e-12) << t << " " << u << " " << wanted;
        }
  }
}

TEST(MaskJump, TheLastJumpDecidesEverythingAndKeepsIt) {
  const Schedule schedule(make_config(KernelKind::kAbsorbing, ScheduleKind::kCosine, 16));
  for (int t = 1; t <= 16; ++t) {
    EXPECT_EQ(mask_jump(schedule, t, 0, 1.0).unmask, 1.0);
    EXPECT_EQ(mask_jump(schedule, t, 0, 1.0).remask, 0.0);
  }
}

TEST(MaskJump, RemaskingIsAsAskedWhereTheScheduleAllowsIt) {
  const Schedule schedule(make_config(KernelKind::kAbsorbing, ScheduleKind::kLinear, 10));
  EXPECT_NEAR(mask_jump(schedule, 8, 7, 0.3).remask, 0.3, 1e-15);
  // abar 0.9 and 0.8 -> at most 0.1 / 0.8 of the decided may go back.
  EXPECT_NEAR(mask_jump(schedule, 2, 1, 0.3).remask, 0.125, 1e-12);
}

}  // namespace
}  // namespace diffie::diffusion
