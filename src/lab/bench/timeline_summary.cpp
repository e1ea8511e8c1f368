#include "timeline_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/stage_clock.h"

namespace diffie {
namespace {

using base::RowKind;
using base::TimedSpan;

constexpr engine::Stage kStages[] = {engine::kTokenize, engine::kEncode, engine::kDenoise,
                                     engine::kDraw,     engine::kJudge,  engine::kSelect};

bool is_of_gpu(std::string_view stage) {
  return stage == engine::kEncode.name || stage == engine::kDenoise.name ||
         stage == engine::kJudge.name;
}

double seconds_of(const TimedSpan& span) {
  return std::chrono::duration<double>(span.end - span.begin).count();
}

// How many are busy, over time.
class Count {
 public:
  void add(const TimedSpan& span, int by) {
    changes_.emplace_back(span.begin, by);
    changes_.emplace_back(span.end, -by);
  }

  // Seconds of the window in which the number is from `least` to `most`.
  double seconds(const TimelineWindow& window, int least, int most) {
    std::sort(changes_.begin(), changes_.end());
    std::chrono::duration<double> sum{0};
    int number = 0;
    auto since = window.begin;
    const auto pass = [&](TimedSpan::Clock::time_point until) {
      until = std::clamp(until, since, window.end);
      if (number >= least && number <= most) sum += until - since;
      since = until;
    };
    for (const auto& [time, by] : changes_) {
      pass(time);
      number += by;
    }
    pass(window.end);
    return sum.count();
  }

 private:
  std::vector<std::pair<TimedSpan::Clock::time_point, int>> changes_;
};

constexpr int kAnyNumber = 1 << 20;

struct StageSums {
  double wall_s = 0;
  double cpu_s = 0;
};

// What the rows of all workers come to.
class Workers {
 public:
  Workers(const TimelineWindow& window, bool have_gpu) : window_(window), have_gpu_(have_gpu) {}

  void add(const base::TimedRow& row) {
    std::vector<const TimedSpan*> before;  // not within another so far
    for (const TimedSpan& span : row.spans()) {
      if (!window_.has(span)) continue;
      count(span, span, 1);
      for (; !before.empty() && before.back()->begin >= span.begin; before.pop_back())
        count(span, *before.back(), -1);
      before.push_back(&span);
    }
  }

  StageSums sums(std::string_view stage) const {
    for (std::size_t i = 0; i < std::size(kStages); ++i)
      if (stage == kStages[i].name) return sums_[i];
    return {};
  }
  Count& computing() { return computing_; }

 private:
  // Puts the time of a span, or of what lies within it, to the stage or takes it away.
  void count(const TimedSpan& stage, const TimedSpan& time, int by) {
    if (!have_gpu_ || !is_of_gpu(stage.name)) computing_.add(time, by);
    for (std::size_t i = 0; i < std::size(kStages); ++i) {
      if (std::string_view(stage.name) != kStages[i].name) continue;
      sums_[i].wall_s += by * seconds_of(time);
      sums_[i].cpu_s += by * time.cpu_s;
    }
  }

  const TimelineWindow& window_;
  bool have_gpu_;
  StageSums sums_[std::size(kStages)];
  Count computing_;
};

// The cores are full where as many workers as there are threads compute, even if others have the
// cores meanwhile.
std::string limit_of(const TimelineSummary& summary) {
  constexpr double kFull = 0.8;
  const double cores = std::max(summary.cores_used, summary.threads_compute);
  std::vector<std::pair<double, const char*>> sides = {{cores, "the cores"},
                                                       {summary.writes, "the thread that writes"},
                                                       {summary.gpu_has_work, "the GPU"}};
  const auto [share, side] = *std::max_element(sides.begin(), sides.end());
  std::string line = fmt::format("{} ({} cores have work {:.1f} %, results are written {:.1f} %",
                                 share < kFull ? "none of them" : side, summary.threads,
                                 cores * 100, summary.writes * 100);
  if (summary.streams > 0)
    line += fmt::format(", the GPU has work {:.1f} %", summary.gpu_has_work * 100);
  return line + " of the time)";
}

}  // namespace

TimelineSummary summarize(const base::Timeline& timeline, const TimelineWindow& window,
                          std::size_t threads) {
  TimelineSummary summary;
  summary.wall_s = window.seconds();
  summary.threads = threads;
  for (const base::TimedRow& row : timeline.rows()) {
    summary.workers += row.kind() == RowKind::kWorker ? 1 : 0;
    summary.streams += row.kind() == RowKind::kStream ? 1 : 0;
  }
  Workers workers(window, summary.streams > 0);
  Count streams;
  double streams_s = 0;
  for (const base::TimedRow& row : timeline.rows()) {
    if (row.kind() == RowKind::kWorker) workers.add(row);
    if (row.kind() == RowKind::kWorker) continue;
    for (const TimedSpan& span : row.spans()) {
      if (!window.has(span)) continue;
      const bool is_stream = row.kind() == RowKind::kStream;
      if (is_stream) streams.add(span, 1);
      (is_stream ? streams_s : summary.writes) += seconds_of(span) / summary.wall_s;
    }
  }
  const double workers_s = summary.wall_s * static_cast<double>(summary.workers);
  summary.idle = 1;
  for (const engine::Stage& stage : kStages) {
    const StageSums sums = workers.sums(stage.name);
    if (sums.wall_s <= 0) continue;
    const double on_cores = std::min(1.0, sums.cpu_s / sums.wall_s);  // the clocks are two
    summary.stages.push_back({stage.name, sums.wall_s / workers_s, on_cores});
    summary.idle -= sums.wall_s / workers_s;
    summary.cores_used += sums.cpu_s / (summary.wall_s * static_cast<double>(threads));
  }
  const auto share = [&](Count& count, int least, int most) {
    return count.seconds(window, least, most) / summary.wall_s;
  };
  summary.threads_compute = share(workers.computing(), static_cast<int>(threads), kAnyNumber);
  summary.none_computes = share(workers.computing(), 0, 0);
  summary.gpu_has_work = share(streams, 1, kAnyNumber);
  summary.streams_with_work = streams_s;
  summary.limit = limit_of(summary);
  return summary;
}

}  // namespace diffie
