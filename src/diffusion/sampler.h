// Reverse diffusion: random tag rows to samples of p(y_0 | sentence).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "diffusion/predictor.h"
#include "diffusion/diffusion_config.h"

namespace diffie::diffusion {

struct SamplerOptions {
  std::int32_t steps = 16;   // how many of the T trained steps are taken, evenly strided: 1..T
  double temperature = 1.0;  // of the predicted y_0 distribution
  double remask = 0.0;       // absorbing only: probability that a decided position is masked again
                             // in a step, as far as the schedule allows (posterior.h); in the last
                             // it never is
  // What follows makes a sentence's rows depend on each other, so that fewer of them say as much.
  // Each row alone keeps the law of the chain over the same times.
  std::vector<std::int32_t> times = {};  // empty: evenly strided. Else `steps` falling ones in 1..T
  std::vector<std::int32_t> shared = {};  // empty: 1 at every time. Else one number per time: so
                                          // many neighbouring trajectories are still one row there,
                                          // and the model is asked once for all of them. Each is a
                                          // multiple of the next
  bool stratified = false;                // numbers spread evenly over the rows (row_noise.h)
  std::optional<double> last_temperature = {};  // of the last jump, where it is to differ
};

// Key of a sentence's random numbers: a function of the seed and the sentence's bytes alone.
std::uint64_t sentence_key(std::uint64_t seed, std::string_view sentence);

// Immutable and shared between threads.
class Sampler {
 public:
  Sampler(const DiffusionConfig& diffusion, const SamplerOptions& options);
  ~Sampler();

  // Steps at which the model is asked, falling, e.g. {16, 12, 8, 4} for 4 of 16.
  std::span<const std::int32_t> times() const;

  // Rows that the model must be asked about for so many trajectories, over all times, when those
  // that are shared are asked about once.
  std::size_t rows_computed(std::size_t trajectories) const;

  // Neighbouring trajectories that share the second row of their path, or the only one: cut blocks
  // at multiples of it, or rows are computed twice.
  std::size_t family() const;

  // Trajectories first_trajectory .. first_trajectory + rows - 1 of a sentence of `length` tokens.
  // tags [rows * length] receives 0..3. Every random number is a pure function of
  // (key, trajectory, step, position): any split of the trajectories into blocks gives the same
  // tags.
  void sample(Predictor& predictor, std::uint64_t key, std::uint64_t first_trajectory,
              std::size_t rows, std::size_t length, std::span<std::uint8_t> tags) const;

  // The same in parts, for a caller that asks the model about several sentences at once: the
  // initial noise of the rows, then for every one of times() the jump that leaves it. Row r has the
  // logits [length, 4] in slot slot_of_row[r]. All rows of tags [rows * length] have one `length`.
  void start(std::uint64_t key, std::uint64_t first_trajectory, std::size_t length,
             std::span<std::uint8_t> tags) const;
  void jump(std::size_t time_index, std::uint64_t key, std::uint64_t first_trajectory,
            std::size_t length, std::span<const float> logits,
            std::span<const std::uint32_t> slot_of_row, std::span<std::uint8_t> tags) const;

 private:
  class Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace diffie::diffusion
