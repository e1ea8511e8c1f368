#include "diffie/stage_times.h"

#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "diffie/lab/model_files.h"
#include "engine/engine.h"
#include "engine/stage_clock.h"
#include "engine/toy_model.h"
#include "temp_dir.h"

namespace diffie {
namespace {

TEST(StageTimes, ADifferenceIsWhatLiesBetween) {
  StageTimes a;
  a.denoise_s = 1.5;
  a.rows = 7;
  a.encode_flop = 100;
  StageTimes b = a;
  b += a;
  EXPECT_EQ((b - a).denoise_s, 1.5);
  EXPECT_EQ((b - a).rows, 7u);
  EXPECT_EQ((b - a).encode_flop, 100);
  EXPECT_EQ((b - a).stages_s(), 1.5);
}

// By hand for the smallest shapes: every product counted as a multiplication and an addition.
TEST(StageTimes, CountsTheArithmeticOfOneLayer) {
  model_dir::ModelConfig config;
  config.encoder = {.layers = 1, .hidden = 2, .heads = 1, .intermediate = 3};
  config.denoiser = {.layers = 1, .hidden = 4, .heads = 1};
  // 3 pieces + 2 = 5 tokens: q, k, v, out 4 * 2 * 2; up and down 2 * 2 * 3; scores and values.
  const double encoder = 5 * 2 * (16 + 12) + 2 * (5 * 5 * 2 * 2);
  EXPECT_EQ(engine::encoder_flop(config, 3), encoder + 3 * 2 * 2 * 4);
  const double denoiser = 3 * 2 * (4 * 16 + 2 * 4 * 16) + 2 * (3 * 3 * 4 * 2);
  EXPECT_EQ(engine::denoiser_flop(config, 3), denoiser + 3 * 2 * 4 * 4);
  config.judge = config.denoiser;
  EXPECT_EQ(engine::judge_flop(config, 3), denoiser + 2 * 4 * 16 + 2 * 2 * 4);
}

TEST(StageTimes, AnExtractorCountsItsRowsAndItsTime) {
  const test::TempDir temp;
  InitOptions init;
  init.vocab = DIFFIE_SOURCE_DIR "/share/bert-base-uncased/vocab.txt";
  init.encoder_hidden = 32;
  init.denoiser_hidden = 32;
  init_model(temp.path() / "toy", init);
  Settings settings;
  settings.samples = 24;
  settings.steps = 4;
  settings.threads = 2;
  const auto model = Model::load(temp.path() / "toy");
  engine::Engine extractor(engine::ModelParts::of(*model), settings);
  EXPECT_EQ(extractor.stage_times().rows, 0u);

  const std::vector<std::string_view> sentences = {"Marie Curie discovered polonium.", "", "One."};
  extractor.extract(sentences);
  const StageTimes first = extractor.stage_times();
  EXPECT_EQ(first.sentences, 3u);
  EXPECT_EQ(first.rows, 2u * 24 * 4);
  EXPECT_GE(first.rows_computed, 2u * 4);
  EXPECT_LT(first.rows_computed, first.rows);  // "One." has two pieces: 16 states at most
  EXPECT_GT(first.pieces, 5u);
  EXPECT_GT(first.denoise_flop, 0);
  for (const double stage : {first.tokenize_s, first.encode_s, first.denoise_s, first.draw_s,
                             first.select_s, first.wall_s}) {
    EXPECT_GT(stage, 0);
  }
  EXPECT_LE(first.stages_s(), 2 * first.wall_s);

  extractor.sample(sentences);
  const StageTimes second = extractor.stage_times() - first;
  EXPECT_EQ(second.sentences, 3u);
  EXPECT_EQ(second.rows, first.rows);
  EXPECT_EQ(second.denoise_flop, first.denoise_flop);
}

TEST(StageTimes, ATimelineHasTheSameFromEachWorker) {
  const test::TempDir temp;
  test::init_toy_model(temp.path() / "toy", "uniform");
  Settings settings;
  settings.samples = 8;
  settings.steps = 4;
  settings.threads = 2;
  const auto model = Model::load(temp.path() / "toy");
  base::Timeline timeline;
  engine::Engine engine(engine::ModelParts::of(*model), settings, {}, &timeline);
  const std::vector<std::string_view> sentences(100, "Marie Curie discovered polonium.");
  {
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 3; ++caller)
      callers.emplace_back([&] { engine.extract(sentences); });
  }
  ASSERT_EQ(timeline.rows().size(), 2u);
  std::map<std::string_view, double> sums;
  std::size_t num_spans = 0;
  for (const base::TimedRow& row : timeline.rows()) {
    EXPECT_EQ(row.kind(), base::RowKind::kWorker);
    EXPECT_FALSE(row.spans().empty());
    num_spans += row.spans().size();
    for (const base::TimedSpan& span : row.spans())
      sums[span.name] += std::chrono::duration<double>(span.end - span.begin).count();
  }
  const StageTimes times = engine.stage_times();
  const double joined_s = 2e-6 * 300;  // what lies between spans that were joined
  EXPECT_NEAR(sums.at("tokenize"), times.tokenize_s, joined_s);
  EXPECT_NEAR(sums.at("encode"), times.encode_s, joined_s);
  EXPECT_NEAR(sums.at("denoise"), times.denoise_s, joined_s);
  EXPECT_NEAR(sums.at("draw"), times.draw_s + times.denoise_s, joined_s);
  EXPECT_NEAR(sums.at("select"), times.select_s, joined_s);
  EXPECT_GT(num_spans, 20u);
}

}  // namespace
}  // namespace diffie
