// Reverse diffusion: random tag rows to samples of p(y_0 | sentence).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "diffie/settings.h"
#include "diffusion/chain.h"
#include "diffusion/diffusion_config.h"
#include "diffusion/predictor.h"

namespace diffie::diffusion {

// Key of a sentence's random numbers: a function of the seed and the sentence's bytes alone.
std::uint64_t sentence_key(std::uint64_t seed, std::string_view sentence);

// Immutable and shared between threads.
class Sampler {
 public:
  // Of the settings: steps, times, shared, stratified, temperature, remask. Throws kInvalidArgument
  // where they ask for what the noise cannot do.
  Sampler(const DiffusionConfig& diffusion, const Settings& settings);

  // Steps at which the model is asked, falling, e.g. {16, 12, 8, 4} for 4 of 16.
  std::span<const std::int32_t> times() const { return times_; }

  // What a sampler elsewhere does just like this one.
  const Chain& chain() const { return chain_; }

  // Rows that the model must be asked about for so many trajectories, over all times, when those
  // that are shared are asked about once.
  std::size_t rows_computed(std::size_t trajectories) const;

  // Neighbouring trajectories that share the second row of their path, or the only one: blocks of
  // one sentence are cut at multiples of it, or rows are computed twice.
  std::size_t rows_per_branch() const {
    return chain_.jumps.size() > 1 ? chain_.jumps.front().shared : chain_.first_shared;
  }

  // Fills the blocks' tags with samples, 0..3. Every random number is a pure function of (key,
  // trajectory, step, position): neither the company of other blocks nor the way a sentence's
  // trajectories are cut into blocks changes them.
  void sample(std::span<const SampleBlock> blocks, Predictor& predictor,
              Prediction& prediction) const;

 private:
  void start(const SampleBlock& block) const;
  void jump(const Jump& jump, const SampleBlock& block, const float* logits,
            std::span<const std::uint32_t> slot_of_row) const;
  void jump_row(const Jump& jump, const NoiseSource& noise, const float* logits,
                std::span<std::uint8_t> row) const;

  Chain chain_;
  std::vector<std::int32_t> times_;  // as the chain's jumps
};

}  // namespace diffie::diffusion
