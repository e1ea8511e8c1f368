// A timeline for programs that show such.
#pragma once

#include <string>

#include "timeline_summary.h"

namespace diffie {

// JSON in Chrome's trace format: process 1 has the threads, process 2 the streams of the GPU.
std::string to_trace(const base::Timeline& timeline, const TimelineWindow& window);

}  // namespace diffie
