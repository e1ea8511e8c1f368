// Promises of the engine that need a look inside: splitting, failing sentences, stopping.
#include "engine/engine.h"

#include <gtest/gtest.h>

#include <atomic>

#include "diffie/lab/model_files.h"
#include "engine/same_results.h"
#include "expect_error.h"
#include "temp_dir.h"

namespace diffie::engine {
namespace {

class EngineTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    temp_ = std::make_unique<test::TempDir>();
    InitOptions options;
    options.vocab = DIFFIE_SOURCE_DIR "/share/bert-base-uncased/vocab.txt";
    options.encoder_hidden = 32;
    options.denoiser_hidden = 32;
    init_model(temp_->path() / "toy", options);
    model_ = Model::load(temp_->path() / "toy");
  }
  static void TearDownTestSuite() {
    model_.reset();
    temp_.reset();
  }

  static Engine make(const Settings& settings, Probe probe = {}) {
    return Engine(ModelParts::of(*model_), settings, std::move(probe));
  }

  static std::unique_ptr<test::TempDir> temp_;
  static std::shared_ptr<const Model> model_;
};

std::unique_ptr<test::TempDir> EngineTest::temp_;
std::shared_ptr<const Model> EngineTest::model_;

const std::vector<std::string_view> kSentences = {
    "Marie Curie discovered polonium in 1898.",
    "The strike obtained political support from the committee, and the workers were addressed.",
    "He served as the first Prime Minister of Australia and became a founding justice.",
    "One.",
};

Settings costly(std::int32_t threads, bool shared) {
  Settings settings{.samples = 256, .steps = 3, .top_k = 64, .rule = Rule::kAllRuns};
  if (shared) {
    settings.times = {16, 9, 4};
    settings.shared = {32, 4, 2};
    settings.stratified = true;
  }
  settings.threads = threads;
  return settings;
}

void expect_same(const std::vector<SentenceResult>& a, const std::vector<SentenceResult>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    SCOPED_TRACE(i);
    test::expect_same(a[i], b[i]);
  }
}

// With one thread no passage is split; with several each of these is, and all of its rows meet the
// same numbers.
TEST_F(EngineTest, SplitPassagesGiveTheSameBitsAsWholeOnes) {
  for (const bool shared : {false, true}) {
    Engine whole = make(costly(1, shared));
    const std::vector<SentenceResult> expected = whole.extract(kSentences);
    ASSERT_FALSE(expected[0].extractions.empty());
    const auto samples = whole.sample(kSentences);
    for (const std::int32_t threads : {2, 3, 8}) {
      Engine split = make(costly(threads, shared));
      const std::size_t pieces = 19;
      ASSERT_LT(plan_work(std::vector{pieces}, {256, 1, 256 * 3, 2}).front().front().rows, 256u)
          << "nothing would be split";
      expect_same(split.extract(kSentences), expected);
      const auto of_split = split.sample(kSentences);
      for (std::size_t i = 0; i < samples.size(); ++i) EXPECT_EQ(of_split[i].tags, samples[i].tags);
      // One at a time: the whole call is one passage.
      for (std::size_t i = 0; i < kSentences.size(); ++i) {
        expect_same(split.extract({&kSentences[i], 1}), {expected[i]});
      }
    }
  }
}

TEST_F(EngineTest, AFailingSentenceFailsAlone) {
  for (const std::int32_t samples : {8, 256}) {  // in a group, and split
    for (const std::int32_t threads : {1, 2}) {
      Settings settings = costly(threads, false);
      settings.samples = samples;
      const std::vector<SentenceResult> expected = make(settings).extract(kSentences);
      Engine failing = make(settings, [](std::size_t sentence, std::size_t) {
        if (sentence == 1) throw Error(ErrorCode::kExhausted, "no room for it");
        if (sentence == 2) throw std::bad_alloc();
      });
      const std::vector<SentenceResult> results = failing.extract(kSentences);
      ASSERT_EQ(results.size(), kSentences.size());
      EXPECT_EQ(results[1].error, ErrorCode::kExhausted);
      EXPECT_EQ(results[1].error_message, "no room for it");
      EXPECT_TRUE(results[1].extractions.empty());
      EXPECT_EQ(results[2].error, ErrorCode::kExhausted);
      EXPECT_EQ(results[2].error_message, "out of memory");
      for (const std::size_t fine : {0u, 3u}) {
        EXPECT_FALSE(results[fine].error.has_value());
        expect_same({results[fine]}, {expected[fine]});
      }
      EXPECT_ERROR(failing.sample(kSentences), ErrorCode::kExhausted, "no room");
    }
  }
}

// Memory for so many passages at a time and no more.
struct Room {
  std::size_t passages = 0;
  std::atomic<int> refused = 0;

  void operator()(std::size_t together) {
    if (together <= passages) return;
    ++refused;
    throw Error(ErrorCode::kExhausted, "no room for so many");
  }
};

TEST_F(EngineTest, GroupsThatDoNotFitAreHalvedAndSmallerFromThenOn) {
  std::vector<std::string_view> many;
  for (int copy = 0; copy < 24; ++copy)
    many.insert(many.end(), kSentences.begin(), kSentences.end());
  Settings settings = costly(1, false);
  settings.samples = 4;
  const std::vector<SentenceResult> expected = make(settings).extract(many);
  for (const std::int32_t threads : {1, 3}) {
    settings.threads = threads;
    Room room{2};
    Engine engine = make(settings, [&](std::size_t, std::size_t together) { room(together); });
    EXPECT_TRUE(engine.take_notices().empty());
    expect_same(engine.extract(many), expected);
    EXPECT_GT(room.refused, 0);
    const std::vector<std::string> notices = engine.take_notices();
    ASSERT_EQ(notices.size(), 1u);
    EXPECT_EQ(notices[0],
              "memory was short: sentences are taken in smaller groups from here on "
              "(no room for so many)");
    // Groups are measured by tokens: pairs of long sentences still fit what short ones failed at.
    const int refused = room.refused;
    expect_same(engine.extract(many), expected);
    expect_same(engine.extract(many), expected);
    EXPECT_LT(room.refused - refused, refused) << "it went on failing";
    EXPECT_TRUE(engine.take_notices().empty());
  }
}

TEST_F(EngineTest, OneThatNeverFitsMakesNoOtherGroupSmaller) {
  std::vector<std::string_view> many(40, kSentences[0]);
  Settings settings = costly(2, false);
  settings.samples = 4;
  const std::vector<SentenceResult> expected = make(settings).extract(many);
  Engine engine = make(settings, [&](std::size_t sentence, std::size_t) {
    if (sentence == 17) throw Error(ErrorCode::kExhausted, "no room for it");
  });
  for (int turn = 0; turn < 2; ++turn) {
    const std::vector<SentenceResult> results = engine.extract(many);
    for (std::size_t i = 0; i < many.size(); ++i) {
      if (i == 17) continue;
      expect_same({results[i]}, {expected[i]});
    }
    EXPECT_EQ(results[17].error_message, "no room for it");
  }
  EXPECT_TRUE(engine.take_notices().empty());
}

// What is short while others compute may be enough for one alone.
TEST_F(EngineTest, ASentenceThatDoesNotFitIsTriedOnceMore) {
  const Settings settings = [] {
    Settings each = costly(1, false);
    each.samples = 4;
    return each;
  }();
  const std::vector<SentenceResult> expected = make(settings).extract(kSentences);
  std::vector<int> tried(kSentences.size());
  Engine engine = make(settings, [&](std::size_t sentence, std::size_t together) {
    if (together > 1) throw Error(ErrorCode::kInternal, "one at a time");
    if (++tried[sentence] == 1) throw Error(ErrorCode::kExhausted, "not now");
  });
  expect_same(engine.extract(kSentences), expected);
  EXPECT_EQ(tried, std::vector<int>(kSentences.size(), 2));
  EXPECT_TRUE(engine.take_notices().empty());
}

TEST_F(EngineTest, StopsWhenAskedTo) {
  std::stop_source stopped;
  stopped.request_stop();
  Engine engine = make(costly(2, false));
  EXPECT_ERROR(engine.extract(kSentences, stopped.get_token()), ErrorCode::kCancelled, "stopped");
  EXPECT_FALSE(engine.extract(kSentences)[0].extractions.empty()) << "it serves the next call";

  // On the way: not all sentences are begun.
  std::stop_source source;
  std::atomic<int> begun = 0;
  Engine watched = make(costly(1, false), [&](std::size_t, std::size_t) {
    if (++begun == 1) source.request_stop();
  });
  const std::vector<std::string_view> many(200, kSentences[1]);
  EXPECT_ERROR(watched.extract(many, source.get_token()), ErrorCode::kCancelled, "stopped");
  EXPECT_LT(begun, 200);
}

TEST_F(EngineTest, SettingsThatTheModelCannotServeAreRefused) {
  Settings settings;
  settings.steps = 17;
  EXPECT_ERROR(make(settings), ErrorCode::kInvalidArgument, "from 1 to 16");
  settings = {};
  settings.selector = SelectorKind::kLearned;
  EXPECT_ERROR(make(settings), ErrorCode::kInvalidArgument, "needs a ranker");
}

TEST_F(EngineTest, APresetsValuesAreThoseOfTheModel) {
  EXPECT_EQ(model_->settings(), model_->settings("balanced"));
  EXPECT_EQ(model_->settings("fast").samples, 16);
  EXPECT_EQ(model_->settings("fast").precision, Precision::kInt8);
  EXPECT_EQ(model_->settings("paper").precision, Precision::kFp32);
  EXPECT_ERROR(model_->settings("quick"), ErrorCode::kInvalidArgument,
               "'quick', must be one of balanced, best, fast, paper");
}

}  // namespace
}  // namespace diffie::engine
