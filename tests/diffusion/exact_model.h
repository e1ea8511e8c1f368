// A joint law of y_0 small enough to enumerate: the exact predictor p(y_0_i | y_t), and the exact
// law of what a sampler with that predictor returns.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "diffusion/posterior.h"
#include "diffusion/predictor.h"
#include "diffusion/schedule.h"

namespace diffie::diffusion {

class ExactModel : public RowPredictor {
 public:
  // law: p(y_0) over the 4^length sequences, first position most significant.
  ExactModel(const Schedule& schedule, std::size_t length, std::vector<double> law)
      : schedule_(schedule),
        length_(length),
        law_(std::move(law)),
        states_(schedule.kernel() == KernelKind::kUniform ? 4 : 5) {}

  std::size_t num_states() const { return power(states_); }

  std::size_t digit(std::size_t sequence, std::size_t position, std::size_t base) const {
    for (std::size_t i = position + 1; i < length_; ++i) sequence /= base;
    return sequence % base;
  }

  double forward(std::size_t y_0, std::size_t y_t, std::int32_t t) const {
    const double keep = schedule_.abar(t);
    if (states_ == 4) return (y_0 == y_t ? keep : 0) + (1 - keep) / 4;
    return y_t == kMask ? 1 - keep : (y_0 == y_t ? keep : 0);
  }

  // p(y_0_i = k | y_t) as [position * 4 + k].
  std::vector<double> posterior(std::size_t state, std::int32_t t) const {
    std::vector<double> marginal(length_ * 4);
    double total = 0;
    for (std::size_t clean = 0; clean < law_.size(); ++clean) {
      double joint = law_[clean];
      for (std::size_t i = 0; i < length_; ++i)
        joint *= forward(digit(clean, i, 4), digit(state, i, states_), t);
      total += joint;
      for (std::size_t i = 0; i < length_; ++i) marginal[i * 4 + digit(clean, i, 4)] += joint;
    }
    for (double& p : marginal) p = total > 0 ? p / total : 0.25;  // unreachable states: anything
    return marginal;
  }

  void predict_rows(std::span<const std::uint8_t> states, std::size_t rows, std::size_t length,
                    std::int32_t step, std::span<float> logits) override {
    std::vector<std::vector<double>>& cache = cache_[step];
    cache.resize(num_states());
    for (std::size_t row = 0; row < rows; ++row) {
      std::size_t state = 0;
      for (std::size_t i = 0; i < length; ++i) state = state * states_ + states[row * length + i];
      if (cache[state].empty()) cache[state] = posterior(state, step);
      for (std::size_t i = 0; i < length * 4; ++i)
        logits[row * length * 4 + i] = static_cast<float>(std::log(cache[state][i]));
    }
  }

  // The law of y_0 that reverse sampling over `times` gives, summed over all paths.
  std::vector<double> reverse_law(std::span<const std::int32_t> times, double temperature,
                                  double remask) const {
    std::vector<double> law(num_states(),
                            states_ == 4 ? 1.0 / static_cast<double>(num_states()) : 0);
    if (states_ == 5) law.back() = 1;  // all masks
    for (std::size_t k = 0; k < times.size(); ++k) {
      const std::int32_t u = k + 1 < times.size() ? times[k + 1] : 0;
      law = jump(law, times[k], u, temperature, remask);
    }
    return law;
  }

 private:
  std::size_t power(std::size_t base) const {
    std::size_t product = 1;
    for (std::size_t i = 0; i < length_; ++i) product *= base;
    return product;
  }

  std::vector<double> jump(const std::vector<double>& law, std::int32_t t, std::int32_t u,
                           double temperature, double remask) const {
    std::vector<double> next(law.size());
    for (std::size_t state = 0; state < law.size(); ++state) {
      if (law[state] == 0) continue;
      std::vector<double> predicted = posterior(state, t);
      for (std::size_t i = 0; i < length_; ++i) sharpen(&predicted[i * 4], temperature);
      for (std::size_t to = 0; to < law.size(); ++to) {
        double p = law[state];
        for (std::size_t i = 0; i < length_ && p > 0; ++i)
          p *= position_law(&predicted[i * 4], digit(state, i, states_), digit(to, i, states_), t,
                            u, remask);
        next[to] += p;
      }
    }
    return next;
  }

  static void sharpen(double* p, double temperature) {
    double total = 0;
    for (int k = 0; k < 4; ++k) total += p[k] = std::pow(p[k], 1 / temperature);
    for (int k = 0; k < 4; ++k) p[k] /= total;
  }

  double position_law(const double* predicted, std::size_t from, std::size_t to, std::int32_t t,
                      std::int32_t u, double remask) const {
    if (states_ == 4) {
      double p = 0;
      for (std::size_t y_0 = 0; y_0 < 4; ++y_0) {
        double norm = 0, joint = 0;
        const double ratio = schedule_.abar(t) / schedule_.abar(u);
        for (std::size_t y_u = 0; y_u < 4; ++y_u) {
          const double term = forward(y_0, y_u, u) * ((y_u == from ? ratio : 0) + (1 - ratio) / 4);
          norm += term;
          if (y_u == to) joint = term;
        }
        p += predicted[y_0] * joint / norm;
      }
      return p;
    }
    const MaskJump jump = mask_jump(schedule_, t, u, remask);
    if (from != kMask) return to == kMask ? jump.remask : (to == from ? 1 - jump.remask : 0);
    return to == kMask ? 1 - jump.unmask : jump.unmask * predicted[to];
  }

  const Schedule& schedule_;
  std::size_t length_;
  std::vector<double> law_;
  std::size_t states_;
  std::map<std::int32_t, std::vector<std::vector<double>>> cache_;
};

}  // namespace diffie::diffusion
