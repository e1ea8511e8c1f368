// The engine on a random anchored model: its triples mean nothing, every promise about them holds.
#include <gtest/gtest.h>

#include <atomic>

#include "diffie/lab/model_files.h"
#include "engine/engine.h"
#include "engine/same_results.h"
#include "expect_error.h"
#include "temp_dir.h"

namespace diffie::engine {
namespace {

class AnchoredEngine : public testing::TestWithParam<Precision> {
 protected:
  static void SetUpTestSuite() {
    temp_ = std::make_unique<test::TempDir>();
    InitOptions options;
    options.vocab = DIFFIE_SOURCE_DIR "/share/bert-base-uncased/vocab.txt";
    options.encoder_hidden = 32;
    options.denoiser_hidden = 32;
    options.kernel = "anchored";
    options.weights = WeightType::kI8;
    init_model(temp_->path() / "toy", options);
    model_ = Model::load(temp_->path() / "toy");
  }
  static void TearDownTestSuite() {
    model_.reset();
    temp_.reset();
  }

  static Settings settings(std::int32_t threads) {
    Settings settings = model_->settings("balanced");
    settings.precision = GetParam();
    settings.top_k = 64;
    settings.theta = 1e-3;  // nothing is likely
    settings.threads = threads;
    return settings;
  }
  static Engine make(const Settings& settings, Probe probe = {}) {
    return Engine(ModelParts::of(*model_), settings, std::move(probe));
  }

  static std::unique_ptr<test::TempDir> temp_;
  static std::shared_ptr<const Model> model_;
};

std::unique_ptr<test::TempDir> AnchoredEngine::temp_;
std::shared_ptr<const Model> AnchoredEngine::model_;

const std::vector<std::string_view> kSentences = {
    "Marie Curie discovered polonium in 1898.",
    "The strike obtained political support from the committee, and the workers were addressed.",
    "",
    "He served as the first Prime Minister of Australia and became a founding justice.",
    "One.",
};

void expect_same(const std::vector<SentenceResult>& a, const std::vector<SentenceResult>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    SCOPED_TRACE(i);
    test::expect_same(a[i], b[i]);
  }
}

TEST_P(AnchoredEngine, ASentenceDoesNotKnowItsCompany) {
  Engine single = make(settings(1));
  std::vector<SentenceResult> alone;
  std::vector<SentenceSamples> alone_samples;
  for (const std::string_view& sentence : kSentences) {
    alone.push_back(single.extract({&sentence, 1}).front());
    alone_samples.push_back(single.sample({&sentence, 1}).front());
  }
  ASSERT_FALSE(alone[0].extractions.empty());
  std::vector<std::string_view> many;
  for (int copy = 0; copy < 12; ++copy)
    many.insert(many.end(), kSentences.begin(), kSentences.end());
  for (const std::int32_t threads : {1, 3}) {
    Engine engine = make(settings(threads));
    const auto results = engine.extract(many);
    const auto samples = engine.sample(many);
    for (std::size_t i = 0; i < many.size(); ++i) {
      SCOPED_TRACE(i);
      test::expect_same(results[i], alone[i % kSentences.size()]);
      EXPECT_EQ(samples[i].tags, alone_samples[i % kSentences.size()].tags);
    }
  }
}

TEST_P(AnchoredEngine, WeightsAreCountsOfOneWhole) {
  const std::vector<SentenceSamples> all = make(settings(1)).sample(kSentences);
  for (std::size_t i = 0; i < kSentences.size(); ++i) {
    std::uint64_t sum = 0;
    for (const auto& [tags, count] : all[i].tags) {
      EXPECT_EQ(tags.size(), all[i].words.size());
      sum += count;
    }
    EXPECT_EQ(sum, kSentences[i].empty() ? 0 : diffusion::kWeightUnit);
  }
}

// Of all the sentences of a task: a round is one call.
TEST_P(AnchoredEngine, CountsRowsAndAsksForThemTogether) {
  Engine engine = make(settings(1));
  engine.extract({kSentences.data(), 1});
  const StageTimes one = engine.stage_times();
  EXPECT_GT(one.rows, 2u);
  EXPECT_LE(one.rows, 500u);
  EXPECT_LE(one.rows_computed, one.rows);
  EXPECT_GT(one.denoise_s, 0);
  EXPECT_GE(one.draw_s, 0);
  engine.extract({kSentences.data(), 1});
  EXPECT_EQ(engine.stage_times().rows, 2 * one.rows);
}

TEST_P(AnchoredEngine, AFailingSentenceFailsAlone) {
  for (const std::int32_t threads : {1, 3}) {
    const std::vector<SentenceResult> expected = make(settings(threads)).extract(kSentences);
    Engine failing = make(settings(threads), [](std::size_t sentence, std::size_t) {
      if (sentence == 1) throw Error(ErrorCode::kExhausted, "no room for it");
    });
    const std::vector<SentenceResult> results = failing.extract(kSentences);
    EXPECT_EQ(results[1].error, ErrorCode::kExhausted);
    for (const std::size_t fine : {0u, 2u, 3u, 4u}) {
      EXPECT_FALSE(results[fine].error.has_value());
      expect_same({results[fine]}, {expected[fine]});
    }
  }
}

TEST_P(AnchoredEngine, StopsWhenAskedTo) {
  std::stop_source source;
  std::atomic<int> begun = 0;
  Engine watched = make(settings(1), [&](std::size_t, std::size_t) {
    if (++begun == 1) source.request_stop();
  });
  const std::vector<std::string_view> many(200, kSentences[1]);
  EXPECT_ERROR(watched.extract(many, source.get_token()), ErrorCode::kCancelled, "stopped");
  EXPECT_LT(begun, 200);
  EXPECT_FALSE(watched.extract(kSentences)[0].extractions.empty()) << "it serves the next call";
}

// A passage is never split by rows, however long and however many threads there are.
TEST_P(AnchoredEngine, ALongSentenceIsReadInPassages) {
  std::string text;
  for (int word = 0; word < 700; ++word) text += "word" + std::to_string(word % 10) + " ";
  const std::vector<std::string_view> sentences = {text, kSentences[0]};
  Settings quick = settings(1);
  quick.theta = 0.01;
  const auto results = make(quick).extract(sentences);
  EXPECT_FALSE(results[0].error.has_value());
  EXPECT_FALSE(results[0].extractions.empty());
  quick.threads = 8;
  Engine many = make(quick);
  expect_same(many.extract(sentences), results);
  const auto samples = many.sample(sentences);
  EXPECT_TRUE(samples[0].tags.empty()) << "no tags span both passages";
  EXPECT_EQ(samples[0].words.size(), 700u);
  EXPECT_FALSE(samples[1].tags.empty());
}

TEST_P(AnchoredEngine, ThetaBranchAndRefineAreReadAndSamplesAreNot) {
  const auto tags_with = [&](auto change) {
    Settings changed = settings(1);
    change(changed);
    return make(changed).sample({&kSentences[1], 1}).front().tags;
  };
  const auto plain = tags_with([](Settings&) {});
  EXPECT_NE(tags_with([](Settings& s) { s.theta = 0.01; }), plain);
  EXPECT_NE(tags_with([](Settings& s) { s.branch = 1; }), plain);
  EXPECT_EQ(tags_with([](Settings& s) { s.samples = 77; }), plain);
  EXPECT_EQ(tags_with([](Settings& s) { s.seed = 77; }), plain);
  EXPECT_EQ(tags_with([](Settings& s) { s.steps = 3; }), plain);
}

INSTANTIATE_TEST_SUITE_P(Precisions, AnchoredEngine,
                         testing::Values(Precision::kInt8, Precision::kFp32),
                         [](const auto& precision) {
                           return precision.param == Precision::kInt8 ? "int8" : "fp32";
                         });

}  // namespace
}  // namespace diffie::engine
