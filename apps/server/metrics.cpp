#include "metrics.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "diffie/version.h"

namespace diffie::server {
namespace {

const std::vector<double> kLatencyBounds = {.001, .0025, .005, .01, .025, .05, .1,
                                            .25,  .5,    1,    2.5, 5,    10,  30};

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void append_head(std::string& out, const char* name, const char* type, const char* help) {
  fmt::format_to(std::back_inserter(out), "# HELP diffie_{0} {1}\n# TYPE diffie_{0} {2}\n", name,
                 help, type);
}

template <typename Value>
void append_value(std::string& out, const char* name, const char* type, const char* help,
                  Value value) {
  append_head(out, name, type, help);
  fmt::format_to(std::back_inserter(out), "diffie_{} {}\n", name, value);
}

}  // namespace

void Histogram::observe(double value) {
  const auto bound = std::lower_bound(bounds_.begin(), bounds_.end(), value);
  ++counts_[static_cast<std::size_t>(bound - bounds_.begin())];
  sum_ += value;
}

// Buckets, sum and count. `labels` is empty or ends in a comma.
void Histogram::append(std::string& out, const std::string& name, const std::string& labels) const {
  std::uint64_t total = 0;
  for (std::size_t index = 0; index < counts_.size(); ++index) {
    total += counts_[index];
    const std::string bound = index < bounds_.size() ? fmt::format("{}", bounds_[index]) : "+Inf";
    fmt::format_to(std::back_inserter(out), "diffie_{}_bucket{{{}le=\"{}\"}} {}\n", name, labels,
                   bound, total);
  }
  const std::string braces =
      labels.empty() ? "" : fmt::format("{{{}}}", labels.substr(0, labels.size() - 1));
  fmt::format_to(std::back_inserter(out), "diffie_{0}_sum{1} {2}\ndiffie_{0}_count{1} {3}\n", name,
                 braces, sum_.load(), total);
}

void Metrics::request_done(const std::string& route, int status, double seconds) {
  ++answered_;
  const std::lock_guard lock(mutex_);
  ++requests_[{route, status}];
  latencies_.try_emplace(route, kLatencyBounds).first->second.observe(seconds);
}

void Metrics::sentence_done(const SentenceResult& result) {
  ++sentences_;
  triples_ += result.extractions.size();
  if (result.error) ++failed_sentences_;
}

void Metrics::batch_done(std::size_t sentences, double seconds) {
  const auto size = static_cast<double>(sentences);
  batch_sizes_.observe(size);
  if (seconds <= 0) return;
  const double before = rate_;
  rate_ = before == 0 ? size / seconds : 0.9 * before + 0.1 * size / seconds;
}

std::string Metrics::text(std::size_t queued_sentences, std::size_t active_requests,
                          bool ready) const {
  std::string out;
  append_head(out, "build_info", "gauge", "What is running.");
  fmt::format_to(std::back_inserter(out), "diffie_build_info{{version=\"{}\"}} 1\n", version());
  append_value(out, "ready", "gauge", "1 while requests are taken.", ready ? 1 : 0);
  append_value(out, "uptime_seconds", "gauge", "Since the start.",
               std::chrono::duration<double>(Clock::now() - start_).count());
  append_value(out, "resident_memory_bytes", "gauge", "Of the process.", resident_bytes());
  append_value(out, "connections", "gauge", "Open ones.", connections_.load());
  append_value(out, "requests_active", "gauge", "Requests whose answer is under way.",
               active_requests);
  append_value(out, "queue_sentences", "gauge", "Sentences that wait.", queued_sentences);
  append_value(out, "sentences_total", "counter", "Sentences extracted.", sentences_.load());
  append_value(out, "sentences_failed_total", "counter", "Sentences that failed.",
               failed_sentences_.load());
  append_value(out, "triples_total", "counter", "Triples found.", triples_.load());
  append_value(out, "requests_cancelled_total", "counter", "Requests whose client left.",
               cancelled_.load());
  append_head(out, "batch_sentences", "histogram", "Sentences of a batch.");
  batch_sizes_.append(out, "batch_sentences", "");
  append_head(out, "request_sentences", "histogram", "Sentences of a request.");
  asked_.append(out, "request_sentences", "");
  append_head(out, "queue_seconds", "histogram",
              "From a request to the batch of its first sentence.");
  queue_seconds_.append(out, "queue_seconds", "");
  const std::lock_guard lock(mutex_);
  append_head(out, "requests_total", "counter", "Requests by route and status.");
  for (const auto& [key, count] : requests_) {
    fmt::format_to(std::back_inserter(out),
                   "diffie_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", key.first,
                   key.second, count);
  }
  append_head(out, "request_seconds", "histogram", "From a request's head to its answer's end.");
  for (const auto& [route, latency] : latencies_)
    latency.append(out, "request_seconds", fmt::format("route=\"{}\",", route));
  return out;
}

}  // namespace diffie::server
