#include "timeline_output.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "text_table.h"

namespace diffie::cli {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

struct Number {
  const char* name;
  double TimelineSummary::*value;
};
constexpr Number kNumbers[] = {
    {"wall_s", &TimelineSummary::wall_s},
    {"idle", &TimelineSummary::idle},
    {"threads_compute", &TimelineSummary::threads_compute},
    {"none_computes", &TimelineSummary::none_computes},
    {"writes", &TimelineSummary::writes},
    {"gpu_has_work", &TimelineSummary::gpu_has_work},
    {"streams_with_work", &TimelineSummary::streams_with_work},
    {"cores_used", &TimelineSummary::cores_used},
};

struct Count {
  const char* name;
  std::size_t TimelineSummary::*value;
};
constexpr Count kCounts[] = {
    {"sentences", &TimelineSummary::sentences},
    {"threads", &TimelineSummary::threads},
    {"workers", &TimelineSummary::workers},
    {"streams", &TimelineSummary::streams},
};

std::string percent(double share) { return fmt::format("{:.1f}", share * 100); }

}  // namespace

std::string timeline_table(const TimelineSummary& summary) {
  std::vector<Cells> stages = {{"timeline", "% of workers' time", "of it % on cores"}};
  for (const TimelineStage& stage : summary.stages)
    stages.push_back({stage.name, percent(stage.of_workers), percent(stage.on_cores)});
  stages.push_back({"no stage", percent(summary.idle), "-"});
  std::vector<Cells> times = {
      {fmt::format("{} workers, {} threads", summary.workers, summary.threads), "% of the time"},
      {fmt::format("{} workers or more compute", summary.threads),
       percent(summary.threads_compute)},
      {"no worker computes", percent(summary.none_computes)},
      {"results are written", percent(summary.writes)}};
  if (summary.streams > 0) {
    times.push_back({"the GPU has work", percent(summary.gpu_has_work)});
    times.push_back({"streams with work, on average",
                     fmt::format("{:.2f} of {}", summary.streams_with_work, summary.streams)});
  }
  std::string out;
  append_table(out, stages, 1);
  out += '\n';
  append_table(out, times, 1);
  return out + fmt::format("\n{:.1f} sentences/s, limit: {}\n",
                           static_cast<double>(summary.sentences) / summary.wall_s, summary.limit);
}

ordered_json to_json(const TimelineSummary& summary) {
  ordered_json value;
  for (const auto& [name, member] : kCounts) value[name] = summary.*member;
  for (const auto& [name, member] : kNumbers) value[name] = summary.*member;
  value["stages"] = ordered_json::array();
  for (const TimelineStage& stage : summary.stages) {
    value["stages"].push_back(
        {{"name", stage.name}, {"of_workers", stage.of_workers}, {"on_cores", stage.on_cores}});
  }
  value["limit"] = summary.limit;
  return value;
}

TimelineSummary timeline_from(const json& value) {
  TimelineSummary summary;
  for (const auto& [name, member] : kCounts) value.at(name).get_to(summary.*member);
  for (const auto& [name, member] : kNumbers) value.at(name).get_to(summary.*member);
  for (const json& stage : value.at("stages"))
    summary.stages.push_back({stage.at("name"), stage.at("of_workers"), stage.at("on_cores")});
  value.at("limit").get_to(summary.limit);
  return summary;
}

}  // namespace diffie::cli
