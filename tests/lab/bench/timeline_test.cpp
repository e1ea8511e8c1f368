#include "diffie/lab/timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "lab/bench/timeline_summary.h"
#include "lab/bench/tiny_model.h"
#include "temp_dir.h"

namespace diffie {
namespace {

using base::RowKind;
using base::TimedSpan;
using nlohmann::json;

constexpr TimedSpan::Clock::time_point kZero;

// Of milliseconds of a window of 100 ms.
TimedSpan span(const char* name, int begin, int end, double cpu_ms = 0) {
  const auto at = [](int ms) { return kZero + std::chrono::milliseconds(ms); };
  return {name, at(begin), at(end), cpu_ms / 1e3};
}
constexpr TimelineWindow kWindow{kZero, kZero + std::chrono::milliseconds(100)};

const TimelineStage& stage(const TimelineSummary& summary, const std::string& name) {
  for (const TimelineStage& each : summary.stages)
    if (each.name == name) return each;
  throw std::out_of_range(name);
}

TEST(TimelineSummary, AWorkersStagesAreCountedWithoutWhatLiesWithin) {
  base::Timeline timeline;
  base::TimedRow& worker = timeline.add_row(RowKind::kWorker, "worker 0");
  worker.add(span("tokenize", -20, -10));  // before the window
  worker.add(span("tokenize", 0, 10, 10));
  worker.add(span("denoise", 20, 40, 20));
  worker.add(span("denoise", 45, 55, 10));
  worker.add(span("draw", 15, 60, 40));
  worker.add(span("select", 70, 90, 5));
  const TimelineSummary summary = summarize(timeline, kWindow, 1);
  EXPECT_EQ(summary.workers, 1u);
  EXPECT_EQ(summary.streams, 0u);
  EXPECT_NEAR(summary.wall_s, 0.1, 1e-12);
  EXPECT_EQ(summary.stages.size(), 4u);
  EXPECT_NEAR(stage(summary, "tokenize").of_workers, 0.10, 1e-12);
  EXPECT_NEAR(stage(summary, "denoise").of_workers, 0.30, 1e-12);
  EXPECT_NEAR(stage(summary, "draw").of_workers, 0.15, 1e-12);
  EXPECT_NEAR(stage(summary, "draw").on_cores, 10.0 / 15, 1e-12);
  EXPECT_NEAR(stage(summary, "select").on_cores, 0.25, 1e-12);
  EXPECT_NEAR(summary.idle, 0.25, 1e-12);
  EXPECT_NEAR(summary.threads_compute, 0.75, 1e-12);  // without a GPU every stage computes
  EXPECT_NEAR(summary.none_computes, 0.25, 1e-12);
  EXPECT_NEAR(summary.cores_used, 0.55, 1e-12);
}

class OnAGpu : public testing::Test {
 protected:
  // Two workers for one thread; the GPU has work in [10, 60), [80, 85) and [90, 100).
  OnAGpu() {
    base::TimedRow& first = timeline_.add_row(RowKind::kWorker, "worker 0");
    first.add(span("denoise", 10, 60, 5));
    first.add(span("draw", 0, 65, 20));
    first.add(span("select", 65, 80, 15));
    base::TimedRow& second = timeline_.add_row(RowKind::kWorker, "worker 1");
    second.add(span("encode", 10, 50, 1));
    second.add(span("select", 50, 70, 20));
    base::TimedRow& one = timeline_.add_row(RowKind::kStream, "stream 0");
    one.add(span("denoise", 10, 60));
    base::TimedRow& two = timeline_.add_row(RowKind::kStream, "stream 1");
    two.add(span("encode", 20, 50));
    two.add(span("judge", 80, 85));
    two.add(span("judge", 90, 110));  // goes on behind the window
    base::TimedRow& output = timeline_.add_row(RowKind::kThread, "output");
    output.add(span("output", 30, 32));
  }
  base::Timeline timeline_;
};

TEST_F(OnAGpu, AWorkerInAStageOfTheGpuDoesNotCompute) {
  const TimelineSummary summary = summarize(timeline_, kWindow, 1);
  // Worker 0 computes in [0, 10) and [60, 80), worker 1 in [50, 70).
  EXPECT_NEAR(summary.threads_compute, 0.40, 1e-12);
  EXPECT_NEAR(summary.none_computes, 0.60, 1e-12);
  EXPECT_NEAR(summarize(timeline_, kWindow, 2).threads_compute, 0.10, 1e-12);  // [60, 70): both
  EXPECT_NEAR(summary.cores_used, 0.56, 1e-12);
  EXPECT_NEAR(summary.writes, 0.02, 1e-12);
}

TEST_F(OnAGpu, ItHasWorkWhereOneStreamHas) {
  const TimelineSummary summary = summarize(timeline_, kWindow, 1);
  EXPECT_EQ(summary.streams, 2u);
  EXPECT_NEAR(summary.gpu_has_work, 0.65, 1e-12);
  EXPECT_NEAR(summary.streams_with_work, 1.05, 1e-12);
}

TEST_F(OnAGpu, TheLimitIsTheSideThatIsBusy) {
  EXPECT_EQ(summarize(timeline_, kWindow, 1).limit.find("none of them ("), 0u);
  timeline_.add_row(RowKind::kStream, "stream 2").add(span("encode", 0, 90));
  EXPECT_EQ(summarize(timeline_, kWindow, 1).limit.find("the GPU ("), 0u);
  timeline_.add_row(RowKind::kWorker, "worker 2").add(span("select", 0, 100, 100));
  EXPECT_EQ(summarize(timeline_, kWindow, 1).limit.find("the cores ("), 0u);
}

class RecordTimeline : public testing::TestWithParam<const char*> {
 protected:
  RecordTimeline() {
    test::write_tiny_model(temp_ / "model", GetParam());
    model_ = Model::load(temp_ / "model");
    settings_ = model_->settings("fast");
    settings_.threads = 2;
    sentences_.assign(300, "Ada wrote the first program .");  // several calls of 64
    sentences_[7] = "Ben left Bonn .";
    timeline_ = record_timeline(model_, sentences_, settings_);
    trace_ = json::parse(timeline_.trace);
  }

  test::TempDir temp_;
  std::shared_ptr<const Model> model_;
  Settings settings_;
  std::vector<std::string_view> sentences_;
  Timeline timeline_;
  json trace_;
};

TEST_P(RecordTimeline, SpansNestAsTheStagesDo) {
  std::map<int, std::vector<json>> by_row;  // by rising begin, then falling end
  for (const json& event : trace_.at("traceEvents")) {
    if (event.at("ph") == "X") by_row[event.at("tid")].push_back(event);
  }
  ASSERT_EQ(by_row.size(), 3u);  // two workers and the thread that writes
  const auto begin_of = [](const json& event) { return event.at("ts").get<double>(); };
  const auto end_of = [](const json& event) {
    return event.at("ts").get<double>() + event.at("dur").get<double>();
  };
  constexpr double kRounding = 0.002;  // microseconds
  for (auto& [row, spans] : by_row) {
    std::stable_sort(spans.begin(), spans.end(), [&](const json& a, const json& b) {
      return std::pair(begin_of(a), -end_of(a)) < std::pair(begin_of(b), -end_of(b));
    });
    const json* outer = nullptr;
    for (const json& each : spans) {
      EXPECT_GE(begin_of(each), 0);
      if (outer != nullptr && begin_of(each) < end_of(*outer) - kRounding) {
        EXPECT_EQ(outer->at("name"), "draw");
        EXPECT_EQ(each.at("name"), "denoise");
        EXPECT_LE(end_of(each), end_of(*outer) + kRounding);
      } else {
        EXPECT_NE(each.at("name"), "denoise");  // the CPU's is asked for by what draws
        outer = &each;
      }
    }
  }
}

TEST_P(RecordTimeline, SpansSumUpToTheStageTimes) {
  std::map<std::string, double> sums;
  std::set<std::string> rows;
  for (const json& event : trace_.at("traceEvents")) {
    if (event.at("ph") == "X") sums[event.at("name")] += event.at("dur").get<double>() / 1e6;
    if (event.at("name") == "thread_name") rows.insert(event.at("args").at("name"));
  }
  EXPECT_EQ(rows, (std::set<std::string>{"worker 0", "worker 1", "output"}));
  const StageTimes& stages = timeline_.stages;
  EXPECT_EQ(stages.sentences, 300u);
  // What is shorter than 2 microseconds between two spans of a stage counts as theirs: at most so
  // often as there are sentences.
  constexpr double kJoined_s = 300 * 2e-6, kRounding_s = 1e-5;
  const auto is_sum = [&](const std::string& name, double seconds) {
    EXPECT_GE(sums[name], seconds - kRounding_s) << name;
    EXPECT_LE(sums[name], seconds + kJoined_s + kRounding_s) << name;
  };
  is_sum("tokenize", stages.tokenize_s);
  is_sum("encode", stages.encode_s);
  is_sum("denoise", stages.denoise_s);
  is_sum("draw", stages.draw_s + stages.denoise_s);
  is_sum("select", stages.select_s);
  is_sum("judge", stages.judge_s);
  EXPECT_GT(sums["output"], 0);
}

TEST_P(RecordTimeline, SharesAreOfTheWholeTime) {
  const TimelineSummary& summary = timeline_.summary;
  EXPECT_EQ(summary.sentences, 300u);
  EXPECT_EQ(summary.workers, 2u);
  EXPECT_EQ(summary.threads, 2u);
  EXPECT_GE(timeline_.stages.wall_s, summary.wall_s / 2);  // calls overlap
  double sum = summary.idle;
  for (const TimelineStage& each : summary.stages) {
    EXPECT_GT(each.of_workers, 0) << each.name;
    EXPECT_LE(each.on_cores, 1) << each.name;
    sum += each.of_workers;
  }
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_GE(summary.idle, 0);
  EXPECT_LE(summary.threads_compute + summary.none_computes, 1 + 1e-9);
  EXPECT_EQ(summary.gpu_has_work, 0);
  EXPECT_FALSE(summary.limit.empty());
}

INSTANTIATE_TEST_SUITE_P(Kernels, RecordTimeline, testing::Values("uniform", "anchored"));

}  // namespace
}  // namespace diffie
