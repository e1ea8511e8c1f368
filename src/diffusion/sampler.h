// Reverse diffusion: random tag rows to samples of p(y_0 | sentence).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "diffie/settings.h"
#include "diffusion/diffusion_config.h"
#include "diffusion/posterior.h"
#include "diffusion/predictor.h"
#include "diffusion/row_noise.h"
#include "diffusion/schedule.h"

namespace diffie::diffusion {

// Key of a sentence's random numbers: a function of the seed and the sentence's bytes alone.
std::uint64_t sentence_key(std::uint64_t seed, std::string_view sentence);

// P(y_u <= k | y_t, y_0) for k = 0..2, as [y_t][k][y_0]: three dot products with the weights of
// y_0 give the thresholds that one uniform number is compared with.
using CumulativeTable =
    std::array<std::array<std::array<double, kNumTags>, kNumTags - 1>, kNumTags>;

// Immutable and shared between threads.
class Sampler {
 public:
  // Of the settings: steps, times, shared, stratified, temperature, remask. Throws kInvalidArgument
  // where they ask for what the noise cannot do.
  Sampler(const DiffusionConfig& diffusion, const Settings& settings);

  // Steps at which the model is asked, falling, e.g. {16, 12, 8, 4} for 4 of 16.
  std::span<const std::int32_t> times() const { return times_; }

  // Rows that the model must be asked about for so many trajectories, over all times, when those
  // that are shared are asked about once.
  std::size_t rows_computed(std::size_t trajectories) const;

  // Neighbouring trajectories that share the second row of their path, or the only one: blocks of
  // one sentence are cut at multiples of it, or rows are computed twice.
  std::size_t rows_per_branch() const {
    return jumps_.size() > 1 ? jumps_.front().shared : first_shared_;
  }

  // Fills the blocks' tags with samples, 0..3. Every random number is a pure function of (key,
  // trajectory, step, position): neither the company of other blocks nor the way a sentence's
  // trajectories are cut into blocks changes them.
  void sample(std::span<const SampleBlock> blocks, Predictor& predictor,
              Prediction& prediction) const;

 private:
  struct Jump {
    std::int32_t from = 0;
    std::uint64_t shared = 1;        // neighbouring trajectories that are one row after this jump
    std::uint32_t log_siblings = 0;  // log2 of the rows that were one before it
    CumulativeTable cumulative{};    // uniform kernel
    MaskJump mask;                   // absorbing kernel
  };

  bool absorbing() const { return schedule_.kernel() == KernelKind::kAbsorbing; }
  void start(const SampleBlock& block) const;
  void jump(const Jump& jump, const SampleBlock& block, const float* logits,
            std::span<const std::uint32_t> slot_of_row) const;
  void jump_row(const Jump& jump, const NoiseSource& noise, const float* logits,
                std::span<std::uint8_t> row) const;
  NoiseSource source(std::uint64_t key, std::uint64_t trajectory, std::uint64_t shared,
                     std::uint32_t step, std::uint32_t siblings) const;

  Schedule schedule_;
  bool stratified_;
  double inverse_temperature_;
  std::uint64_t first_shared_ = 1;
  std::vector<std::int32_t> times_;
  std::vector<Jump> jumps_;  // as times_
};

}  // namespace diffie::diffusion
