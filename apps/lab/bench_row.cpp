#include "bench_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "diffie/error.h"
#include "files/read_file.h"
#include "timeline_output.h"

namespace diffie::cli {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

struct Seconds {
  const char* name;
  double StageTimes::*value;
};
constexpr std::array<Seconds, 10> kSeconds = {{
    {"tokenize_s", &StageTimes::tokenize_s},
    {"encode_s", &StageTimes::encode_s},
    {"denoise_s", &StageTimes::denoise_s},
    {"draw_s", &StageTimes::draw_s},
    {"judge_s", &StageTimes::judge_s},
    {"select_s", &StageTimes::select_s},
    {"wall_s", &StageTimes::wall_s},
    {"encode_flop", &StageTimes::encode_flop},
    {"denoise_flop", &StageTimes::denoise_flop},
    {"judge_flop", &StageTimes::judge_flop},
}};

struct Count {
  const char* name;
  std::uint64_t StageTimes::*value;
};
constexpr std::array<Count, 6> kCounts = {{
    {"sentences", &StageTimes::sentences},
    {"pieces", &StageTimes::pieces},
    {"rows", &StageTimes::rows},
    {"rows_computed", &StageTimes::rows_computed},
    {"row_pieces", &StageTimes::row_pieces},
    {"judged", &StageTimes::judged},
}};

ordered_json to_json(const StageTimes& stages) {
  ordered_json value;
  for (const auto& [name, member] : kSeconds) value[name] = stages.*member;
  for (const auto& [name, member] : kCounts) value[name] = stages.*member;
  return value;
}

StageTimes stages_from(const json& value) {
  StageTimes stages;
  // Files from before there was a judge say nothing of it.
  const auto read = [&](std::string_view name, auto& member) {
    if (!name.starts_with("judge") || value.contains(name)) value.at(name).get_to(member);
  };
  for (const auto& [name, member] : kSeconds) read(name, stages.*member);
  for (const auto& [name, member] : kCounts) read(name, stages.*member);
  return stages;
}

ordered_json to_json(const Figures& figures) { return {{"f1", figures.f1}, {"auc", figures.auc}}; }

Figures figures_from(const json& value) { return {value.at("f1"), value.at("auc")}; }

BenchRow row_from(const json& value) {
  BenchRow row;
  value.at("model").get_to(row.model);
  value.at("preset").get_to(row.preset);
  value.at("samples").get_to(row.samples);
  value.at("steps").get_to(row.steps);
  value.at("threads").get_to(row.threads);
  value.at("kernels").get_to(row.kernels);
  value.at("precision").get_to(row.precision);
  value.at("sentences").get_to(row.sentences);
  value.at("load_s").get_to(row.load_s);
  value.at("first_triple_s").get_to(row.first_triple_s);
  value.at("pass_s").get_to(row.pass_s);
  value.at("cpu_s").get_to(row.cpu_s);
  value.at("peak_memory").get_to(row.peak_memory);
  row.stages = stages_from(value.at("stages"));
  const json& latency = value.at("latency");
  row.latency = {latency.at("sentences"), latency.at("p50_ms"), latency.at("p99_ms"),
                 latency.at("max_ms"), latency.value("mean_ms", 0.0)};
  if (!value.at("quality").is_null()) {
    const json& quality = value.at("quality");
    row.quality = {quality.at("sentences"), figures_from(quality.at("carb")),
                   figures_from(quality.at("carb_1_1"))};
  }
  if (value.contains("timeline")) row.timeline = timeline_from(value["timeline"]);
  if (row.pass_s.empty() || row.best_s() <= 0 || row.cpu_s.size() != row.pass_s.size()) {
    throw Error(ErrorCode::kBadInput, "a row has no time above 0");
  }
  return row;
}

// What `read` throws at a file of another form becomes one line with the file's name.
template <typename Read>
auto reading(const std::string& name, Read read) {
  try {
    return read();
  } catch (const json::exception& error) {
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}: not the JSON of 'diffie bench': {}", name, error.what()));
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", name, error.what()));
  }
}

}  // namespace

double BenchRow::best_s() const {
  return pass_s.empty() ? 0 : *std::min_element(pass_s.begin(), pass_s.end());
}

double BenchRow::sentences_per_cpu_s() const {
  const double least = cpu_s.empty() ? 0 : *std::min_element(cpu_s.begin(), cpu_s.end());
  return least > 0 ? static_cast<double>(sentences) / least : 0;
}

double BenchRow::gflops() const {
  return (stages.encode_flop + stages.denoise_flop + stages.judge_flop) / best_s() / 1e9;
}

ordered_json to_json(const BenchRow& row) {
  ordered_json value = {{"model", row.model},
                        {"preset", row.preset},
                        {"samples", row.samples},
                        {"steps", row.steps},
                        {"threads", row.threads},
                        {"kernels", row.kernels},
                        {"precision", row.precision},
                        {"sentences", row.sentences},
                        {"sentences_per_s", row.sentences_per_s()},
                        {"sentences_per_cpu_s", row.sentences_per_cpu_s()},
                        {"tokens_per_s", row.tokens_per_s()},
                        {"gflops", row.gflops()},
                        {"peak_memory", row.peak_memory},
                        {"load_s", row.load_s},
                        {"first_triple_s", row.first_triple_s},
                        {"pass_s", row.pass_s},
                        {"cpu_s", row.cpu_s},
                        {"latency",
                         {{"sentences", row.latency.sentences},
                          {"p50_ms", row.latency.p50_ms},
                          {"p99_ms", row.latency.p99_ms},
                          {"max_ms", row.latency.max_ms},
                          {"mean_ms", row.latency.mean_ms}}},
                        {"stages", to_json(row.stages)},
                        {"quality", nullptr}};
  if (row.quality) {
    value["quality"] = {{"sentences", row.quality->sentences},
                        {"carb", to_json(row.quality->carb)},
                        {"carb_1_1", to_json(row.quality->carb_1_1)}};
  }
  if (row.timeline) value["timeline"] = to_json(*row.timeline);
  return value;
}

BenchRow parse_bench_row(const std::string& text, const std::string& name) {
  return reading(name, [&] { return row_from(json::parse(text)); });
}

std::vector<BenchRow> read_bench_rows(const std::filesystem::path& path) {
  const std::string text = files::read_text_file(path, std::size_t{64} << 20);
  return reading(path.string(), [&] {
    const json value = json::parse(text);
    std::vector<BenchRow> rows;
    for (const json& row : value.at("rows")) rows.push_back(row_from(row));
    return rows;
  });
}

}  // namespace diffie::cli
