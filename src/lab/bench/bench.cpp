#include "diffie/lab/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <iterator>
#include <numeric>

#include "base/divide_up.h"
#include "diffie/error.h"

namespace diffie {
namespace {

constexpr std::size_t kSentencesPerCall = 256;  // at least
// Sentences before those that are counted, and the most of a few that this may be.
constexpr std::size_t kWarmUp = 8;
constexpr std::size_t kWarmUpShare = 4;

using Clock = std::chrono::steady_clock;
using Sentences = std::span<const std::string_view>;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::vector<SentenceResult> extract_all(const Extractor& extractor, Sentences sentences) {
  const std::size_t per_call = std::max(kSentencesPerCall, extractor.batch_size());
  std::vector<SentenceResult> results;
  results.reserve(sentences.size());
  for (std::size_t first = 0; first < sentences.size(); first += per_call) {
    const std::size_t count = std::min(per_call, sentences.size() - first);
    std::vector<SentenceResult> some = extractor.extract(sentences.subspan(first, count));
    std::move(some.begin(), some.end(), std::back_inserter(results));
  }
  return results;
}

Latency measure_latency(const Extractor& extractor, Sentences sentences, std::size_t wanted) {
  const std::size_t count = std::min(wanted, sentences.size());
  std::vector<double> times_ms;
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = Clock::now();
    extractor.extract(sentences[i * sentences.size() / count]);
    times_ms.push_back(seconds_since(begin) * 1e3);
  }
  const double sum_ms = std::accumulate(times_ms.begin(), times_ms.end(), 0.0);
  return {count, percentile(times_ms, 0.5), percentile(times_ms, 0.99), percentile(times_ms, 1),
          count == 0 ? 0 : sum_ms / static_cast<double>(count)};
}

}  // namespace

void BenchOptions::validate() const {
  settings.validate();
  if (repeat < 1 || repeat > 1000) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("repeat is {}, must be from 1 to 1000", repeat));
  }
}

double BenchRun::best_s() const {
  return pass_s.empty() ? 0 : *std::min_element(pass_s.begin(), pass_s.end());
}

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto rank = static_cast<std::size_t>(
      std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(values.size())));
  const auto place =
      values.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1)) - 1;
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

BenchRun run_bench(const std::shared_ptr<const Model>& model, Sentences sentences,
                   const BenchOptions& options) {
  options.validate();
  const Extractor extractor(model, options.settings);
  BenchRun run;
  run.settings = extractor.settings();
  extractor.extract(
      sentences.first(std::min(kWarmUp, base::divide_up(sentences.size(), kWarmUpShare))));
  for (std::int32_t pass = 0; pass < options.repeat; ++pass) {
    const StageTimes before = extractor.stage_times();
    const double cpu_before = processor_seconds();
    const auto begin = Clock::now();
    run.results = extract_all(extractor, sentences);
    run.pass_s.push_back(seconds_since(begin));
    run.cpu_s.push_back(processor_seconds() - cpu_before);
    if (run.pass_s.back() <= run.best_s()) run.stages = extractor.stage_times() - before;
  }
  run.peak_memory = peak_memory_bytes();
  run.latency = measure_latency(extractor, sentences, options.latency_sentences);
  return run;
}

}  // namespace diffie
