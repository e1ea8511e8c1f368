#include "diffie/lab/bench.h"

#include <gtest/gtest.h>

#include "expect_error.h"
#include "lab/bench/tiny_model.h"
#include "temp_dir.h"

namespace diffie {
namespace {

TEST(Percentile, IsTheNearestRank) {
  const std::vector<double> values = {5, 1, 4, 2, 3};
  EXPECT_EQ(percentile(values, 0), 1);
  EXPECT_EQ(percentile(values, 0.2), 1);
  EXPECT_EQ(percentile(values, 0.21), 2);
  EXPECT_EQ(percentile(values, 0.5), 3);
  EXPECT_EQ(percentile(values, 0.99), 5);
  EXPECT_EQ(percentile(values, 1), 5);
  EXPECT_EQ(percentile({7}, 0.5), 7);
  EXPECT_EQ(percentile({}, 0.5), 0);
}

TEST(PeakMemory, GrowsWithWhatIsTouched) {
  const std::uint64_t before = peak_memory_bytes();
  ASSERT_GT(before, 0u);
  const std::vector<char> block(std::size_t{256} << 20, 'x');
  EXPECT_EQ(block[block.size() / 2], 'x');
  EXPECT_GE(peak_memory_bytes(), before + (std::size_t{200} << 20));
}

class RunBench : public testing::Test {
 protected:
  RunBench() {
    test::write_tiny_model(temp_ / "model");
    model_ = Model::load(temp_ / "model");
    options_.settings = model_->settings("fast");
    options_.settings.threads = 2;
    options_.repeat = 2;
    options_.latency_sentences = 3;
  }

  test::TempDir temp_;
  std::shared_ptr<const Model> model_;
  BenchOptions options_;
};

TEST_F(RunBench, CountsWhatOnePassDoes) {
  std::vector<std::string_view> sentences(300, "Ada wrote the first program .");  // two calls
  sentences[299] = "Ada slept .";
  const BenchRun run = run_bench(model_, sentences, options_);
  EXPECT_EQ(run.pass_s.size(), 2u);
  EXPECT_GT(run.best_s(), 0);
  ASSERT_EQ(run.cpu_s.size(), 2u);
  EXPECT_GT(run.cpu_s[0], 0);
  EXPECT_EQ(run.best_s(), std::min(run.pass_s[0], run.pass_s[1]));
  EXPECT_EQ(run.stages.sentences, 300u);
  EXPECT_EQ(run.stages.pieces, 299u * 6 + 3);
  EXPECT_EQ(run.stages.rows,
            300u * static_cast<std::uint64_t>(run.settings.samples * run.settings.steps));
  EXPECT_LE(run.stages.wall_s, run.pass_s[0] + run.pass_s[1]);
  EXPECT_EQ(run.latency.sentences, 3u);
  EXPECT_GT(run.latency.p50_ms, 0);
  EXPECT_LE(run.latency.p50_ms, run.latency.p99_ms);
  EXPECT_LE(run.latency.p99_ms, run.latency.max_ms);
  EXPECT_GT(run.latency.mean_ms, 0);
  EXPECT_LE(run.latency.mean_ms, run.latency.max_ms);
  EXPECT_GT(run.peak_memory, 0u);
}

TEST_F(RunBench, ResultsAreThoseOfTheExtractor) {
  const std::vector<std::string_view> sentences = {"Ada wrote the first program .", "", "It ran ."};
  const BenchRun run = run_bench(model_, sentences, options_);
  const std::vector<SentenceResult> wanted =
      Extractor(model_, options_.settings).extract(sentences);
  ASSERT_EQ(run.results.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    ASSERT_EQ(run.results[i].extractions.size(), wanted[i].extractions.size());
    for (std::size_t j = 0; j < wanted[i].extractions.size(); ++j) {
      EXPECT_EQ(run.results[i].extractions[j].relation, wanted[i].extractions[j].relation);
      EXPECT_EQ(run.results[i].extractions[j].confidence, wanted[i].extractions[j].confidence);
    }
  }
}

TEST_F(RunBench, MoreLatencySentencesThanThereAre) {
  options_.latency_sentences = 50;
  const std::vector<std::string_view> one = {"Ada slept ."};
  EXPECT_EQ(run_bench(model_, one, options_).latency.sentences, 1u);
  options_.latency_sentences = 0;
  EXPECT_EQ(run_bench(model_, one, options_).latency.max_ms, 0);
}

TEST_F(RunBench, RefusesWhatCannotBe) {
  const std::vector<std::string_view> one = {"Ada slept ."};
  options_.repeat = 0;
  EXPECT_ERROR(run_bench(model_, one, options_), ErrorCode::kInvalidArgument, "repeat is 0");
  options_.repeat = 1;
  options_.settings.top_k = 0;
  EXPECT_ERROR(run_bench(model_, one, options_), ErrorCode::kInvalidArgument, "top_k is 0");
}

}  // namespace
}  // namespace diffie
