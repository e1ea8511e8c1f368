// What workers and GPU do at every moment of a run, and which side the other waits for.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/extractor.h"

namespace diffie {

// Shares are from 0 to 1.
struct TimelineStage {
  std::string name;
  double of_workers = 0;  // of the workers' time, without the stages within
  double on_cores = 0;    // of that, what the worker was on a core; the rest it waited
};

struct TimelineSummary {
  std::size_t sentences = 0;
  double wall_s = 0;
  std::size_t threads = 0;  // of the settings
  std::size_t workers = 0;
  std::size_t streams = 0;            // of a GPU; 0: there is none
  std::vector<TimelineStage> stages;  // in the order of a sentence's path
  double idle = 0;                    // of the workers' time: in no stage

  // Of the time on the clock. A worker computes in a stage that is no GPU's; in the others it
  // waits, mostly.
  double threads_compute = 0;  // as many workers as there are threads, or more
  double none_computes = 0;
  double writes = 0;             // the thread that writes results
  double gpu_has_work = 0;       // one stream or more
  double streams_with_work = 0;  // how many, on average

  double cores_used = 0;  // by the workers, of `threads` cores
  std::string limit;      // which side is, in one line
};

struct Timeline {
  TimelineSummary summary;
  StageTimes stages;  // as the engine counts them
  std::string trace;  // JSON in Chrome's trace format, microseconds
};

// Extracts the sentences once as `diffie extract` does: a few calls at a time, results written as
// JSONL, to nowhere, in their order. Calls before that, in which memory is had, are not shown.
Timeline record_timeline(const std::shared_ptr<const Model>& model,
                         std::span<const std::string_view> sentences, const Settings& settings);

}  // namespace diffie
