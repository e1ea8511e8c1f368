#pragma once

#include <chrono>
#include <mutex>

#include "diffie/stage_times.h"
#include "model_dir/model_config.h"

namespace diffie::engine {

// Adds the time from its construction to its end to a number of seconds.
class StageClock {
 public:
  explicit StageClock(double& seconds) : seconds_(seconds), begin_(Clock::now()) {}
  ~StageClock() { seconds_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }
  StageClock(const StageClock&) = delete;
  StageClock& operator=(const StageClock&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& seconds_;
  Clock::time_point begin_;
};

// The sum that all workers add their tasks to.
class StageTotals {
 public:
  void add(const StageTimes& times) {
    const std::lock_guard lock(mutex_);
    total_ += times;
  }
  StageTimes total() const {
    const std::lock_guard lock(mutex_);
    return total_;
  }

 private:
  mutable std::mutex mutex_;
  StageTimes total_;
};

// Arithmetic of one sentence of `pieces` pieces through the encoder ([CLS] and [SEP] too) and the
// projection of its context: matrix products and attention, the rest is not counted.
double encoder_flop(const model_dir::ModelConfig& config, std::size_t pieces);

// The same for one row of the denoiser.
double denoiser_flop(const model_dir::ModelConfig& config, std::size_t pieces);

// The same for one candidate before the judge, which the model has.
double judge_flop(const model_dir::ModelConfig& config, std::size_t pieces);

}  // namespace diffie::engine
