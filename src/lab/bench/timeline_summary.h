// Shares of what a timeline shows.
#pragma once

#include <chrono>
#include <cstddef>

#include "base/timeline.h"
#include "diffie/lab/timeline.h"

namespace diffie {

// Part of a timeline: what begins in it.
struct TimelineWindow {
  base::TimedSpan::Clock::time_point begin;
  base::TimedSpan::Clock::time_point end;

  bool has(const base::TimedSpan& span) const { return span.begin >= begin && span.begin < end; }
  double seconds() const { return std::chrono::duration<double>(end - begin).count(); }
};

// All but the number of sentences.
TimelineSummary summarize(const base::Timeline& timeline, const TimelineWindow& window,
                          std::size_t threads);

}  // namespace diffie
