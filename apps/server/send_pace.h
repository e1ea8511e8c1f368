// Whether a client takes its answer fast enough to be waited for.
#pragma once

#include <chrono>
#include <cstddef>

namespace diffie::server {

// A kilobyte a second, after some time that everybody has: who takes a byte now and then would
// otherwise keep a connection and an answer for ever.
class SendPace {
 public:
  using Duration = std::chrono::steady_clock::duration;

  explicit SendPace(Duration patience) : patience_(patience) {}

  // So many bytes were taken after so long.
  void took(Duration waited, std::size_t bytes) {
    waited_ += waited;
    sent_ += bytes;
  }

  bool too_slow() const { return waited_ > patience_ + std::chrono::milliseconds(sent_); }

 private:
  Duration patience_;
  Duration waited_{0};
  std::size_t sent_ = 0;
};

}  // namespace diffie::server
