#pragma once

#include <mutex>

#include "base/timeline.h"
#include "diffie/stage_times.h"
#include "model_dir/model_config.h"

namespace diffie::engine {

struct Stage {
  const char* name;
  double StageTimes::*seconds;
};
inline constexpr Stage kTokenize{"tokenize", &StageTimes::tokenize_s};
inline constexpr Stage kEncode{"encode", &StageTimes::encode_s};
inline constexpr Stage kDenoise{"denoise", &StageTimes::denoise_s};
inline constexpr Stage kDraw{"draw", &StageTimes::draw_s};
inline constexpr Stage kJudge{"judge", &StageTimes::judge_s};
inline constexpr Stage kSelect{"select", &StageTimes::select_s};
inline constexpr Stage kExtract{"extract", &StageTimes::wall_s};

// What a worker counts over a task.
struct TaskTimes : StageTimes {
  explicit TaskTimes(base::TimedRow* of_worker = nullptr) : row(of_worker) {}

  base::TimedRow* row;  // of a timeline; null: none is kept
};

// Adds the time from its construction to its end to a stage.
class StageClock {
 public:
  StageClock(TaskTimes& times, const Stage& stage)
      : seconds_(times.*stage.seconds), clock_(times.row, stage.name) {}
  ~StageClock() { seconds_ += clock_.stop(); }
  StageClock(const StageClock&) = delete;
  StageClock& operator=(const StageClock&) = delete;

 private:
  double& seconds_;
  base::SpanClock clock_;
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
