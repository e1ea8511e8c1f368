// Noise schedules: how much of y_0 is left at step t.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "diffusion/diffusion_config.h"
#include "diffusion/predictor.h"

namespace diffie::diffusion {

inline constexpr std::int32_t kMaxSteps = 100'000;  // T at most

// abar(t) is the probability that a tag has met no noise up to step t: abar(0) = 1, strictly
// falling. Under the uniform kernel q(y_t | y_0) = abar I + (1 - abar) / 4; under the absorbing
// kernel y_t is y_0 with probability abar and the mask otherwise.
//
// With x = t / T the schedules are
//   cosine, uniform     cos^2((x + s) / (1 + s) * pi / 2), s = cosine_s
//   cosine, absorbing   cos(x * pi / 2)                     (MDLM's code with its eps = 0)
//   linear              1 - x
//   log-linear          1 - (1 - 1e-3) x, i.e. sigma = -log(1 - (1 - eps) x) and abar = exp(-sigma)
//   mutual information  the abar at which I(y_t; y_0) = (1 - x) H(y_0). Absorbing: I = abar H, so
//   it
//                       is the linear one (beta_t = 1 / (T - t + 1) of D3PM). Uniform: solved
//                       numerically for equally likely tags.
// The uniform kernel then clamps each beta_t = 1 - abar(t) / abar(t - 1) into [1e-6, 0.999] and
// takes abar as the product of what is left; the absorbing kernel is used as it stands, so that
// abar(T) = 0 (log-linear: 1e-3).
class Schedule {
 public:
  // Throws kInvalidArgument for T outside 1..kMaxSteps or a cosine_s outside [0, 1].
  explicit Schedule(const DiffusionConfig& config);

  KernelKind kernel() const { return kernel_; }
  std::int32_t steps() const { return static_cast<std::int32_t>(abar_.size()) - 1; }
  double abar(std::int32_t t) const { return abar_[static_cast<std::size_t>(t)]; }  // t in 0..T

 private:
  KernelKind kernel_;
  std::vector<double> abar_;  // T + 1
};

// Mutual information (nats) of y_0 ~ marginal and y_t under the uniform kernel with this abar.
double uniform_mutual_information(double abar, const std::array<double, kNumTags>& marginal);

// Its inverse: the abar at which `share` (0..1) of H(marginal) is left.
double uniform_abar_for_information(double share, const std::array<double, kNumTags>& marginal);

}  // namespace diffie::diffusion
