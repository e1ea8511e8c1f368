// One configuration that was measured, as `diffie bench` keeps it in JSON.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "diffie/lab/bench.h"
#include "diffie/lab/evaluation.h"
#include "diffie/lab/timeline.h"

namespace diffie::cli {

struct BenchRow {
  std::string model;
  std::string preset;
  std::int32_t samples = 0;
  std::int32_t steps = 0;
  std::int32_t threads = 0;
  std::string kernels;
  std::string precision;  // as asked for; a model without int8 weights computes in fp32
  std::size_t sentences = 0;
  double load_s = 0;
  double first_triple_s =
      0;  // a fresh process, from its start to its first output; 0: not measured
  std::vector<double> pass_s;
  std::vector<double> cpu_s;  // the same in processor time of all threads
  StageTimes stages;          // of the fastest pass
  Latency latency;
  std::uint64_t peak_memory = 0;
  std::optional<Quality> quality;           // of the same run, where there is gold
  std::optional<TimelineSummary> timeline;  // of a pass of its own, where it is asked for

  double best_s() const;
  double sentences_per_s() const { return static_cast<double>(sentences) / best_s(); }
  // What a core does in a second of its own: says more than sentences_per_s() where others use the
  // machine too.
  double sentences_per_cpu_s() const;
  double tokens_per_s() const { return static_cast<double>(stages.pieces) / best_s(); }
  double gflops() const;
};

nlohmann::ordered_json to_json(const BenchRow& row);

// Rows of a file that `diffie bench --json` wrote. Throws kNotFound; kBadInput where it is no such
// file.
std::vector<BenchRow> read_bench_rows(const std::filesystem::path& path);
BenchRow parse_bench_row(const std::string& json, const std::string& name);

}  // namespace diffie::cli
