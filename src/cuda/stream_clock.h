// When a stream has work, for a timeline.
#pragma once

#include <memory>
#include <type_traits>
#include <vector>

#include "base/timeline.h"
#include "cuda/memory.h"

namespace diffie::cuda {

// Does nothing before it has a row. Two events of the stream stand around what is asked of it; when
// they came about is read in the end, so that nobody waits for it meanwhile.
class StreamClock {
 public:
  // The stream must outlive this.
  explicit StreamClock(const Stream& stream) : stream_(stream) {}
  ~StreamClock();
  StreamClock(const StreamClock&) = delete;
  StreamClock& operator=(const StreamClock&) = delete;

  // Gets its spans when this ends.
  void record_into(base::TimedRow& row);

  // Around what is asked of the stream; `name` is a literal. What has no end is left out.
  void begin(const char* name);
  void end();

 private:
  struct Destroy {
    void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
  };
  using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Destroy>;
  struct Work {
    const char* name = nullptr;
    Event begin;
    Event end = nullptr;
  };
  Event happening_now() const;

  const Stream& stream_;
  base::TimedRow* row_ = nullptr;
  Event reference_;
  base::TimedSpan::Clock::time_point reference_time_;
  std::vector<Work> works_;
};

}  // namespace diffie::cuda
