// What the server counts, as Prometheus reads it.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "diffie/extractor.h"

namespace diffie::server {

// Counts of values at or below fixed bounds. Threads: any.
class Histogram {
 public:
  explicit Histogram(std::vector<double> bounds)
      : bounds_(std::move(bounds)), counts_(bounds_.size() + 1) {}

  void observe(double value);
  void append(std::string& out, const std::string& name, const std::string& labels) const;

 private:
  std::vector<double> bounds_;
  std::vector<std::atomic<std::uint64_t>> counts_;  // the last: above all bounds
  std::atomic<double> sum_ = 0;
};

// Threads: any.
class Metrics {
 public:
  // `route` is one of ours, never what a client wrote.
  void request_done(const std::string& route, int status, double seconds);
  void sentence_done(const SentenceResult& result);
  void batch_done(std::size_t sentences, double seconds);
  void waited(double seconds) { queue_seconds_.observe(seconds); }  // a request's first sentence
  void asked(std::size_t sentences) { asked_.observe(static_cast<double>(sentences)); }
  void connection_opened() { ++connections_; }
  void connection_closed() { --connections_; }
  void cancelled() { ++cancelled_; }

  std::int64_t connections() const { return connections_; }
  std::uint64_t answered() const { return answered_; }   // requests, with whatever status
  double sentences_per_second() const { return rate_; }  // of the last batches; 0: none yet

  std::string text(std::size_t queued_sentences, std::size_t active_requests, bool ready) const;

 private:
  using Clock = std::chrono::steady_clock;

  const Clock::time_point start_ = Clock::now();
  std::atomic<std::uint64_t> sentences_ = 0;
  std::atomic<std::uint64_t> failed_sentences_ = 0;
  std::atomic<std::uint64_t> triples_ = 0;
  std::atomic<std::uint64_t> cancelled_ = 0;
  std::atomic<std::int64_t> connections_ = 0;
  std::atomic<std::uint64_t> answered_ = 0;
  std::atomic<double> rate_ = 0;
  Histogram batch_sizes_{{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}};
  Histogram asked_{{1, 10, 100, 1000, 10'000, 100'000}};  // sentences of a request
  Histogram queue_seconds_{{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}};
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;  // by route and status
  std::map<std::string, Histogram> latencies_;                     // by route
};

}  // namespace diffie::server
