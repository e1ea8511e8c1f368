#include "bench_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <thread>

#include "diffie/version.h"
#include "text_table.h"
#include "timeline_output.h"

namespace diffie::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kNameColumns = 3;

Cells name_cells(const BenchRow& row) {
  return {row.model,
          row.preset,
          row.precision,
          std::to_string(row.samples),
          std::to_string(row.steps),
          std::to_string(row.threads)};
}

double megabytes(std::uint64_t bytes) { return static_cast<double>(bytes) / 1e6; }

std::string figures(const std::optional<Quality>& quality, Figures Quality::*measure) {
  if (!quality) return "-";
  return fmt::format("{:.1f} / {:.1f}", (*quality.*measure).f1 * 100,
                     (*quality.*measure).auc * 100);
}

std::string known(double value, const char* format) {
  return value > 0 ? fmt::format(fmt::runtime(format), value) : "-";
}

Cells speed_cells(const BenchRow& row) {
  const double slowest = *std::max_element(row.pass_s.begin(), row.pass_s.end());
  Cells cells = name_cells(row);
  cells.insert(
      cells.end(),
      {fmt::format("{:.1f}", row.sentences_per_s()),
       fmt::format("{:.1f}", static_cast<double>(row.sentences) / slowest),
       known(row.sentences_per_cpu_s(), "{:.1f}"), fmt::format("{:.0f}", row.tokens_per_s()),
       known(row.latency.p50_ms, "{:.1f}"), known(row.latency.p99_ms, "{:.1f}"),
       known(row.first_triple_s, "{:.3f}"), fmt::format("{:.0f}", megabytes(row.peak_memory)),
       fmt::format("{:.0f}", row.gflops()), figures(row.quality, &Quality::carb),
       figures(row.quality, &Quality::carb_1_1)});
  return cells;
}

Cells stage_cells(const BenchRow& row) {
  const StageTimes& stages = row.stages;
  // Worker seconds there were; the stages' sum exceeds it where clocks disagree by a little.
  const double all = std::max(stages.wall_s * row.threads, stages.stages_s());
  const auto share = [&](double seconds) { return fmt::format("{:.1f}", seconds / all * 100); };
  Cells cells = name_cells(row);
  for (const double seconds : {stages.tokenize_s, stages.encode_s, stages.denoise_s, stages.draw_s,
                               stages.judge_s, stages.select_s, all - stages.stages_s()}) {
    cells.push_back(all > 0 ? share(seconds) : "-");
  }
  const auto rows = static_cast<double>(stages.rows);
  cells.push_back(
      rows > 0 ? fmt::format("{:.1f}", static_cast<double>(stages.rows_computed) / rows * 100)
               : "-");
  return cells;
}

const BenchRow* find_earlier(const BenchRow& now, std::span<const BenchRow> before) {
  const auto same = [&](const BenchRow& row) {
    return row.model == now.model && row.preset == now.preset && row.threads == now.threads &&
           row.precision == now.precision;
  };
  const auto exact = std::find_if(before.begin(), before.end(), [&](const BenchRow& row) {
    return same(row) && row.samples == now.samples && row.steps == now.steps;
  });
  if (exact != before.end()) return &*exact;
  const auto similar = std::find_if(before.begin(), before.end(), same);
  return similar != before.end() ? &*similar : nullptr;
}

std::string ratio(double now, double before) {
  return now > 0 && before > 0 ? fmt::format("{:.2f}x", now / before) : "-";
}

Cells comparison_cells(const BenchRow& now, const BenchRow& before) {
  Cells cells = name_cells(now);
  cells.insert(cells.end(), {fmt::format("{:.1f}", before.sentences_per_s()),
                             fmt::format("{:.1f}", now.sentences_per_s()),
                             ratio(now.sentences_per_s(), before.sentences_per_s()),
                             ratio(now.sentences_per_cpu_s(), before.sentences_per_cpu_s()),
                             ratio(now.latency.p50_ms, before.latency.p50_ms),
                             ratio(now.latency.p99_ms, before.latency.p99_ms),
                             ratio(now.first_triple_s, before.first_triple_s),
                             ratio(megabytes(now.peak_memory), megabytes(before.peak_memory)),
                             ratio(now.gflops(), before.gflops())});
  cells.push_back(
      now.quality && before.quality
          ? fmt::format("{:+.2f}", (now.quality->carb.f1 - before.quality->carb.f1) * 100)
          : "-");
  return cells;
}

}  // namespace

std::string bench_table(std::span<const BenchRow> rows) {
  std::vector<Cells> speed = {{"model", "preset", "", "n", "steps", "threads", "sent/s", "slowest",
                               "per cpu s", "tokens/s", "p50 ms", "p99 ms", "first s", "peak MB",
                               "GFLOP/s", "carb F1 / AUC", "1-1 F1 / AUC"}};
  std::vector<Cells> stages = {{"% of time", "", "", "n", "steps", "threads", "tokenize", "encode",
                                "denoise", "draw", "judge", "select", "other", "rows computed %"}};
  for (const BenchRow& row : rows) {
    speed.push_back(speed_cells(row));
    stages.push_back(stage_cells(row));
  }
  std::string out;
  append_table(out, speed, kNameColumns);
  out += '\n';
  append_table(out, stages, kNameColumns);
  for (const BenchRow& row : rows) {
    if (row.timeline) out += "\n" + timeline_table(*row.timeline);
  }
  return out;
}

std::string bench_json(std::span<const BenchRow> rows, const std::string& input) {
  ordered_json value = {{"diffie", version()},
                        {"cores", std::thread::hardware_concurrency()},
                        {"input", input},
                        {"rows", ordered_json::array()}};
  for (const BenchRow& row : rows) value["rows"].push_back(to_json(row));
  return value.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string bench_comparison(std::span<const BenchRow> now, std::span<const BenchRow> before) {
  std::vector<Cells> lines = {{"now / before", "", "", "n", "steps", "threads", "before sent/s",
                               "now sent/s", "speed", "per cpu s", "p50", "p99", "first", "peak",
                               "GFLOP/s", "carb F1"}};
  std::string missing;
  for (const BenchRow& row : now) {
    if (const BenchRow* earlier = find_earlier(row, before)) {
      lines.push_back(comparison_cells(row, *earlier));
    } else {
      missing += fmt::format("not measured before: {} {}, {} threads\n", row.model, row.preset,
                             row.threads);
    }
  }
  std::string out;
  if (lines.size() > 1) append_table(out, lines, kNameColumns);
  return out + missing;
}

}  // namespace diffie::cli
