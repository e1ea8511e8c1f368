// How fast an extractor is on some sentences, and how much memory it takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/extractor.h"

namespace diffie {

struct BenchOptions {
  Settings settings;
  std::int32_t repeat = 3;              // passes over all sentences, 1..1000
  std::size_t latency_sentences = 200;  // one after another, evenly taken from all; 0: none

  // Throws kInvalidArgument naming the field, the value and what is allowed.
  void validate() const;
};

// Of single sentences, from text to triples, in milliseconds; by nearest rank.
struct Latency {
  std::size_t sentences = 0;
  double p50_ms = 0;
  double p99_ms = 0;
  double max_ms = 0;
  double mean_ms = 0;
};

struct BenchRun {
  Settings settings;           // with the number of threads filled in
  std::vector<double> pass_s;  // each pass, on the clock, text in, triples out
  std::vector<double> cpu_s;   // the same in processor time of all threads
  StageTimes stages;           // of the fastest pass
  Latency latency;
  std::uint64_t peak_memory = 0;        // bytes, of the whole process after the passes
  std::vector<SentenceResult> results;  // of the last pass; all passes are equal

  double best_s() const;
};

// Sentences are handed over in calls of 256, or of an extractor's batch where that is more. Nothing
// is timed before a first, small call.
BenchRun run_bench(const std::shared_ptr<const Model>& model,
                   std::span<const std::string_view> sentences, const BenchOptions& options);

// Nearest rank: the smallest value that is not below `share` of all. No values: 0.
double percentile(std::vector<double> values, double share);

// The most memory that this process has held at once (VmHWM), in bytes; 0 where unknown.
std::uint64_t peak_memory_bytes();

// What the arithmetic runs on, e.g. "avx2", and "cuda" on a GPU; device: as an extractor has it.
std::string kernels_name(Device device);

}  // namespace diffie
