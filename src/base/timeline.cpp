#include "base/timeline.h"

#include <ctime>
#include <new>

namespace diffie::base {
namespace {

// Stages that take microseconds come in runs, sentence after sentence.
constexpr std::chrono::microseconds kClose{2};

}  // namespace

void TimedRow::add(const TimedSpan& span) noexcept {
  if (!spans_.empty()) {
    TimedSpan& last = spans_.back();
    if (last.name == span.name && span.begin >= last.end && span.begin - last.end < kClose) {
      last.end = span.end;
      last.cpu_s += span.cpu_s;
      return;
    }
  }
  try {
    spans_.push_back(span);
  } catch (const std::bad_alloc&) {
  }
}

double thread_cpu_s() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

SpanClock::SpanClock(TimedRow* row, const char* name)
    : row_(row), span_{name, TimedSpan::Clock::now(), {}} {
  if (row_ != nullptr) span_.cpu_s = thread_cpu_s();
}

double SpanClock::stop() noexcept {
  if (row_ != nullptr) span_.cpu_s = thread_cpu_s() - span_.cpu_s;
  span_.end = TimedSpan::Clock::now();
  if (row_ != nullptr) row_->add(span_);
  return std::chrono::duration<double>(span_.end - span_.begin).count();
}

}  // namespace diffie::base
