#include "cuda/stream_clock.h"

#include <chrono>
#include <utility>

#include "cuda/check.h"

namespace diffie::cuda {

StreamClock::Event StreamClock::happening_now() const {
  cudaEvent_t event = nullptr;
  DIFFIE_CUDA_CHECK(cudaEventCreate(&event));
  Event owner(event);
  DIFFIE_CUDA_CHECK(cudaEventRecord(event, stream_.get()));
  return owner;
}

void StreamClock::record_into(base::TimedRow& row) {
  constexpr int kTries = 3;  // the first event of a stream comes late
  for (int i = 0; i < kTries; ++i) {
    reference_ = happening_now();
    DIFFIE_CUDA_CHECK(cudaEventSynchronize(reference_.get()));
    reference_time_ = base::TimedSpan::Clock::now();
  }
  row_ = &row;
}

void StreamClock::begin(const char* name) {
  if (row_ == nullptr) return;
  if (!works_.empty() && !works_.back().end) works_.pop_back();
  works_.push_back({name, happening_now()});
}

void StreamClock::end() {
  if (row_ != nullptr && !works_.empty()) works_.back().end = happening_now();
}

// From event to event: a float of milliseconds is exact enough for what lies between two calls, not
// for a whole run.
StreamClock::~StreamClock() {
  using Clock = base::TimedSpan::Clock;
  std::chrono::duration<double, std::milli> since_reference{0};
  cudaEvent_t last = reference_.get();
  const auto time_of = [&](const Event& event) {
    float ms = 0;
    if (cudaEventElapsedTime(&ms, last, event.get()) == cudaSuccess) {
      since_reference += std::chrono::duration<double, std::milli>(ms);
      last = event.get();
    }
    return reference_time_ + std::chrono::duration_cast<Clock::duration>(since_reference);
  };
  for (const Work& work : works_) {
    if (!work.end || cudaEventSynchronize(work.end.get()) != cudaSuccess) continue;
    const Clock::time_point begin = time_of(work.begin);
    row_->add({work.name, begin, time_of(work.end)});
  }
}

}  // namespace diffie::cuda
