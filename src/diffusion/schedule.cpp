#include "diffusion/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "diffie/error.h"

namespace diffie::diffusion {
namespace {

constexpr double kLogLinearEps = 1e-3;
constexpr double kMinBeta = 1e-6;
constexpr double kMaxBeta = 0.999;
constexpr double kHalfPi = std::numbers::pi / 2;

double entropy_term(double p) { return p > 0 ? -p * std::log(p) : 0.0; }

double uniform_curve(const DiffusionConfig& config, double x) {
  switch (config.schedule) {
    case ScheduleKind::kCosine: {
      const double c = std::cos((x + config.cosine_s) / (1 + config.cosine_s) * kHalfPi);
      return c * c;
    }
    case ScheduleKind::kLinear:
      return 1 - x;
    case ScheduleKind::kLogLinear:
      return 1 - (1 - kLogLinearEps) * x;
    case ScheduleKind::kMutualInformation:
      return uniform_abar_for_information(1 - x, {0.25, 0.25, 0.25, 0.25});
  }
  throw Error(ErrorCode::kInvalidArgument, "diffusion: unknown schedule");
}

double absorbing_curve(const DiffusionConfig& config, double x) {
  switch (config.schedule) {
    case ScheduleKind::kCosine:
      return x < 1 ? std::cos(x * kHalfPi) : 0.0;  // cos(pi / 2) is not 0 in floating point
    case ScheduleKind::kLinear:
    case ScheduleKind::kMutualInformation:
      return 1 - x;
    case ScheduleKind::kLogLinear:
      return 1 - (1 - kLogLinearEps) * x;
  }
  throw Error(ErrorCode::kInvalidArgument, "diffusion: unknown schedule");
}

void check(const DiffusionConfig& config) {
  if (config.steps < 1 || config.steps > kMaxSteps)
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("diffusion: steps is {}, wanted 1..{}", config.steps, kMaxSteps));
  if (!(config.cosine_s >= 0 && config.cosine_s <= 1))
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("diffusion: cosine_s is {}, wanted 0..1", config.cosine_s));
}

}  // namespace

Schedule::Schedule(const DiffusionConfig& config) : kernel_(config.kernel) {
  check(config);
  const bool uniform = kernel_ == KernelKind::kUniform;
  abar_.reserve(static_cast<std::size_t>(config.steps) + 1);
  abar_.push_back(1.0);
  double previous = 1.0;  // unclamped curve; a(0) counts as 1 whatever the formula says
  for (std::int32_t t = 1; t <= config.steps; ++t) {
    const double x = static_cast<double>(t) / config.steps;
    if (!uniform) {
      abar_.push_back(absorbing_curve(config, x));
      continue;
    }
    const double current = uniform_curve(config, x);
    const double alpha = std::clamp(current / previous, 1 - kMaxBeta, 1 - kMinBeta);
    abar_.push_back(abar_.back() * alpha);
    previous = current;
  }
}

double uniform_mutual_information(double abar, const std::array<double, kNumTags>& marginal) {
  // I = H(y_t) - H(y_t | y_0); the conditional entropy is the same for every y_0.
  const double other = (1 - abar) / kNumTags;
  double information = -entropy_term(abar + other) - (kNumTags - 1) * entropy_term(other);
  for (const double p : marginal) information += entropy_term(abar * p + other);
  return information;
}

double uniform_abar_for_information(double share, const std::array<double, kNumTags>& marginal) {
  const double wanted = share * uniform_mutual_information(1.0, marginal);
  double low = 0;
  double high = 1;
  for (int i = 0; i < 60; ++i) {  // I rises with abar; 60 halvings leave 1e-18
    const double middle = (low + high) / 2;
    (uniform_mutual_information(middle, marginal) < wanted ? low : high) = middle;
  }
  return high;
}

}  // namespace diffie::diffusion
