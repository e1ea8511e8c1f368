// Who did what when: spans of time, a row of them for each worker, stream of a GPU or other thread.
#pragma once

#include <chrono>
#include <deque>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace diffie::base {

struct TimedSpan {
  using Clock = std::chrono::steady_clock;

  const char* name = "";  // a literal
  Clock::time_point begin;
  Clock::time_point end;
  double cpu_s = 0;  // processor time of the thread meanwhile
};

enum class RowKind { kThread, kWorker, kStream };

// In the order of their ends. Spans of a row lie one after another or one within another.
class TimedRow {
 public:
  TimedRow(RowKind kind, std::string name) : kind_(kind), name_(std::move(name)) {}

  RowKind kind() const { return kind_; }
  const std::string& name() const { return name_; }
  const std::vector<TimedSpan>& spans() const { return spans_; }

  // One that follows closely on another of its name makes it longer. Where memory is short the span
  // is left out. One thread at a time.
  void add(const TimedSpan& span) noexcept;

 private:
  RowKind kind_;
  std::string name_;
  std::vector<TimedSpan> spans_;
};

// The processor time of the calling thread so far.
double thread_cpu_s();

// Runs from its construction until it is stopped.
class SpanClock {
 public:
  // Null: no span is kept.
  SpanClock(TimedRow* row, const char* name);

  // Seconds since the construction; adds them to the row. At most once.
  double stop() noexcept;

 private:
  TimedRow* row_;
  TimedSpan span_;  // cpu_s: when it began
};

class Timeline {
 public:
  // The row stays where it is. Safe to call from many threads.
  TimedRow& add_row(RowKind kind, std::string name) {
    const std::lock_guard lock(mutex_);
    return rows_.emplace_back(kind, std::move(name));
  }

  // While nobody adds to them.
  const std::deque<TimedRow>& rows() const { return rows_; }

 private:
  std::mutex mutex_;
  std::deque<TimedRow> rows_;
};

}  // namespace diffie::base
