// The sampler against the exact law of its own chain, by enumeration of all paths.
#include <gtest/gtest.h>

#include <numeric>

#include "diffusion/chi_square.h"
#include "diffusion/exact_model.h"
#include "diffusion/kinds.h"
#include "diffusion/sample.h"
#include "diffusion/sampler.h"

namespace diffie::diffusion {
namespace {

// A law with structure: strong dependence between positions, some sequences impossible.
std::vector<double> correlated_law(std::size_t length) {
  std::size_t size = 1;
  for (std::size_t i = 0; i < length; ++i) size *= 4;
  std::vector<double> law(size);
  for (std::size_t i = 0; i < size; ++i)
    law[i] = i % 7 == 3 ? 0.0 : 1.0 + static_cast<double>(i * i % 11);
  law[1] += 40;
  law[size - 2] += 60;
  const double total = std::accumulate(law.begin(), law.end(), 0.0);
  for (double& p : law) p /= total;
  return law;
}

struct Case {
  KernelKind kernel;
  ScheduleKind schedule;
  int trained;
  std::size_t length;
  Settings options;
};

constexpr std::size_t kSamples = 400'000;

std::vector<std::uint64_t> histogram(const Case& c, const Sampler& sampler, ExactModel& model) {
  std::vector<std::uint64_t> counts(model.num_states());
  const std::size_t base = c.kernel == KernelKind::kUniform ? 4 : 5;
  const std::size_t block = 20'000;
  std::vector<std::uint8_t> tags(block * c.length);
  for (std::size_t first = 0; first < kSamples; first += block) {
    sample(sampler, model, 2024, first, c.length, tags);
    for (std::size_t row = 0; row < block; ++row) {
      std::size_t state = 0;
      for (std::size_t i = 0; i < c.length; ++i) state = state * base + tags[row * c.length + i];
      ++counts.at(state);
    }
  }
  return counts;
}

class ChainLaw : public testing::TestWithParam<Case> {};

TEST_P(ChainLaw, SamplesFollowTheExactLaw) {
  const Case& c = GetParam();
  const auto config = make_config(c.kernel, c.schedule, c.trained);
  const Schedule schedule(config);
  ExactModel model(schedule, c.length, correlated_law(c.length));
  const Sampler sampler(config, c.options);
  std::vector<double> law =
      model.reverse_law(sampler.times(), c.options.temperature, c.options.remask);
  ASSERT_NEAR(std::accumulate(law.begin(), law.end(), 0.0), 1.0, 1e-9);
  const std::vector<std::uint64_t> counts = histogram(c, sampler, model);
  EXPECT_LT(chi_square_z(counts, law), 3.7);

  // And the test can tell: every other cell 1.5 % too likely is refused.
  double total = 0;
  for (std::size_t i = 0; i < law.size(); ++i) total += law[i] *= i % 2 ? 1.015 : 0.985;
  for (double& p : law) p /= total;
  EXPECT_GT(chi_square_z(counts, law), 3.7);
}

INSTANTIATE_TEST_SUITE_P(
    Uniform, ChainLaw,
    testing::Values(
        Case{KernelKind::kUniform, ScheduleKind::kCosine, 8, 2, {.steps = 8}},
        Case{KernelKind::kUniform, ScheduleKind::kCosine, 16, 2, {.steps = 3}},
        Case{KernelKind::kUniform, ScheduleKind::kLogLinear, 8, 3, {.steps = 4}},
        Case{KernelKind::kUniform, ScheduleKind::kMutualInformation, 4, 2, {.steps = 4}},
        Case{KernelKind::kUniform, ScheduleKind::kLinear, 4, 1, {.steps = 1}},
        Case{KernelKind::kUniform, ScheduleKind::kCosine, 4, 2, {.steps = 2, .temperature = 0.6}}));

INSTANTIATE_TEST_SUITE_P(
    Absorbing, ChainLaw,
    testing::Values(
        Case{KernelKind::kAbsorbing, ScheduleKind::kCosine, 8, 2, {.steps = 8}},
        Case{KernelKind::kAbsorbing, ScheduleKind::kLogLinear, 16, 2, {.steps = 5}},
        Case{KernelKind::kAbsorbing, ScheduleKind::kMutualInformation, 8, 3, {.steps = 4}},
        Case{KernelKind::kAbsorbing, ScheduleKind::kLinear, 6, 2, {.steps = 6, .remask = 0.3}},
        Case{KernelKind::kAbsorbing, ScheduleKind::kCosine, 6, 2, {.steps = 4, .remask = 1.0}},
        Case{KernelKind::kAbsorbing,
             ScheduleKind::kLinear,
             4,
             2,
             {.steps = 4, .temperature = 1.7}}));

// With one position nothing is lost by drawing positions apart: the chain must return p(y_0)
// itself.
TEST(ChainLaw, OnePositionReturnsTheDataLaw) {
  const std::vector<double> data = {0.5, 0.2, 0.05, 0.25};
  for (const KernelKind kernel : kBothKernels)
    for (const ScheduleKind kind : kAllSchedules)
      for (const double remask : {0.0, 0.4}) {
        if (kernel == KernelKind::kUniform && remask > 0) continue;
        const Schedule schedule(make_config(kernel, kind, 12));
        const ExactModel model(schedule, 1, data);
        const Sampler sampler(make_config(kernel, kind, 12), {.steps = 12, .remask = remask});
        const std::vector<double> law = model.reverse_law(sampler.times(), 1.0, remask);
        for (int tag = 0; tag < 4; ++tag) EXPECT_NEAR(law[tag], data[tag], 2e-3);
      }
}

// More steps bring the law of the samples nearer to the data's; many steps nearly reach it.
TEST(ChainLaw, MoreStepsComeNearerToTheDataLaw) {
  for (const KernelKind kernel : kBothKernels) {
    const auto config = make_config(kernel, ScheduleKind::kCosine, 64);
    const Schedule schedule(config);
    const std::vector<double> data = correlated_law(2);
    const ExactModel model(schedule, 2, data);
    double previous = 1;
    for (const int steps : {1, 4, 16, 64}) {
      const Sampler sampler(config, {.steps = steps});
      const std::vector<double> law = model.reverse_law(sampler.times(), 1.0, 0.0);
      double distance = 0;
      for (std::size_t clean = 0; clean < data.size(); ++clean) {
        const std::size_t state =
            kernel == KernelKind::kUniform ? clean : clean / 4 * 5 + clean % 4;
        distance += std::abs(law[state] - data[clean]) / 2;
      }
      EXPECT_LT(distance, previous);
      previous = distance;
    }
    EXPECT_LT(previous, 0.02);
  }
}

}  // namespace
}  // namespace diffie::diffusion
