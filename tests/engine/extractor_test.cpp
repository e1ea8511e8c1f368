#include "diffie/extractor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>

#include "diffie/trace.h"
#include "engine/engine.h"
#include "engine/same_results.h"
#include "engine/toy_model.h"
#include "expect_error.h"
#include "temp_dir.h"

namespace diffie {
namespace {

using test::expect_same;

class ExtractorTest : public ::testing::TestWithParam<const char*> {
 protected:
  static void SetUpTestSuite() {
    temp_ = std::make_unique<test::TempDir>();
    for (const char* kernel : {"uniform", "absorbing", "anchored"})
      test::init_toy_model(temp_->path() / kernel, kernel);
  }
  static void TearDownTestSuite() { temp_.reset(); }

  static std::shared_ptr<const Model> model(const char* kernel) {
    return Model::load(temp_->path() / kernel);
  }

  static Settings small_settings() {
    Settings settings;
    settings.precision = Precision::kFp32;
    settings.samples = 24;
    settings.steps = 4;
    settings.theta = 0.01;
    settings.threads = 2;
    return settings;
  }

  static std::unique_ptr<test::TempDir> temp_;
};

std::unique_ptr<test::TempDir> ExtractorTest::temp_;

const std::vector<std::string_view> kSentences = {
    "Marie Curie discovered polonium in 1898.",
    "The strike obtained political support from the committee, and the workers were addressed.",
    "",
    "One.",
    "Caf\xC3\xA9 \xE2\x80\x94 na\xC3\xAFve r\xC3\xA9sum\xC3\xA9s, \xE6\x9D\xB1\xE4\xBA\xAC and "
    "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC work.",
    "bad \xFF\xFE bytes stay \xC3 where they are",
    "He served as the first Prime Minister of Australia and became a founding justice.",
    " \t ",
};

void expect_quotes(std::string_view text, const std::string& slot, const std::vector<Span>& spans) {
  std::string joined;
  ASSERT_FALSE(spans.empty());
  std::size_t last_end = 0;
  for (const Span& span : spans) {
    ASSERT_LT(span.begin, span.end);
    ASSERT_LE(span.end, text.size());
    if (!joined.empty()) {
      EXPECT_GT(span.begin, last_end);
      joined += ' ';
    }
    joined += text.substr(span.begin, span.end - span.begin);
    last_end = span.end;
  }
  EXPECT_EQ(slot, joined);
}

// The random model with two implied words: they are offered, have no place in the text, and pools
// say that they are there.
TEST_P(ExtractorTest, ImpliedWordsHaveNoSpans) {
  const std::filesystem::path dir = temp_->path() / (std::string(GetParam()) + "-implied");
  test::init_toy_model(dir, GetParam(), {"is", "of"});
  Settings settings = small_settings();
  settings.rule = Rule::kAllRuns;
  settings.samples = 64;
  settings.top_k = 64;
  const auto loaded = Model::load(dir);
  const Extractor extractor(loaded, settings);
  std::size_t implied = 0;
  for (const std::string_view text : kSentences) {
    for (const Extraction& found : extractor.extract(text).extractions) {
      std::string relation;
      const auto append = [&](std::string_view word) {
        if (!relation.empty()) relation += ' ';
        relation += word;
      };
      const auto has = [&](const char* word) {
        return std::ranges::count(found.implied, word) > 0;
      };
      if (has("is")) append("is");
      for (const Span& span : found.relation_spans) {
        append(text.substr(span.begin, span.end - span.begin));
      }
      if (has("of")) append("of");
      EXPECT_EQ(found.relation, relation);
      expect_quotes(text, found.subject, found.subject_spans);
      expect_quotes(text, found.object, found.object_spans);
      implied += found.implied.size();
    }
  }
  EXPECT_GT(implied, 0U);
  const std::vector<engine::SentenceSamples> pools =
      engine::Engine(engine::ModelParts::of(*loaded), settings).sample(kSentences);
  EXPECT_EQ(pools[0].tags[0].first.size(), pools[0].words.size() + 2);
  EXPECT_TRUE(pools[2].words.empty());
}

TEST_P(ExtractorTest, FindsSomethingAndQuotesTheText) {
  const Extractor extractor(model(GetParam()), small_settings());
  const std::vector<SentenceResult> results = extractor.extract(kSentences);
  ASSERT_EQ(results.size(), kSentences.size());
  std::size_t found = 0;
  for (std::size_t index = 0; index < results.size(); ++index) {
    double last = 1;
    double mass = 0;
    for (const Extraction& extraction : results[index].extractions) {
      ++found;
      expect_quotes(kSentences[index], extraction.subject, extraction.subject_spans);
      expect_quotes(kSentences[index], extraction.relation, extraction.relation_spans);
      expect_quotes(kSentences[index], extraction.object, extraction.object_spans);
      EXPECT_GT(extraction.confidence, 0);
      EXPECT_LE(extraction.confidence, last);
      last = extraction.confidence;
      mass += extraction.confidence;
    }
    EXPECT_LE(mass, 1 + 1e-9);
    EXPECT_LE(results[index].extractions.size(), 4U);
  }
  EXPECT_GT(found, 5U);
  EXPECT_TRUE(results[2].extractions.empty());
  EXPECT_TRUE(results[7].extractions.empty());
}

TEST_P(ExtractorTest, SameForEveryBatchCompositionPositionAndThreadCount) {
  const auto loaded = model(GetParam());
  Settings settings = small_settings();
  settings.threads = 1;
  const Extractor reference(loaded, settings);
  std::vector<SentenceResult> expected;
  for (const std::string_view sentence : kSentences)
    expected.push_back(reference.extract(sentence));

  std::mt19937 shuffle_source(5);
  for (const std::int32_t threads : {1, 2, 5}) {
    settings.threads = threads;
    const Extractor extractor(loaded, settings);
    std::vector<std::size_t> order;
    for (std::size_t copy = 0; copy < 3; ++copy) {
      for (std::size_t index = 0; index < kSentences.size(); ++index) order.push_back(index);
    }
    std::shuffle(order.begin(), order.end(), shuffle_source);
    std::vector<std::string_view> batch;
    for (const std::size_t index : order) batch.push_back(kSentences[index]);
    const std::vector<SentenceResult> results = extractor.extract(batch);
    for (std::size_t place = 0; place < order.size(); ++place) {
      expect_same(results[place], expected[order[place]]);
    }
  }
}

TEST_P(ExtractorTest, ServesManyCallersAtOnce) {
  const Extractor extractor(model(GetParam()), small_settings());
  const std::vector<SentenceResult> expected = extractor.extract(kSentences);
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      const std::vector<SentenceResult> results = extractor.extract(kSentences);
      for (std::size_t index = 0; index < results.size(); ++index) {
        expect_same(results[index], expected[index]);
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST_P(ExtractorTest, SeedChangesTheSamples) {
  if (GetParam() == std::string_view("anchored")) GTEST_SKIP() << "draws none";
  const auto loaded = model(GetParam());
  Settings settings = small_settings();
  settings.selector = SelectorKind::kFrequency;
  const SentenceResult first = Extractor(loaded, settings).extract(kSentences[1]);
  settings.seed = 1;
  const SentenceResult second = Extractor(loaded, settings).extract(kSentences[1]);
  ASSERT_EQ(first.extractions.size(), 4U);
  ASSERT_EQ(second.extractions.size(), 4U);
  bool differ = false;
  for (std::size_t index = 0; index < 4; ++index) {
    differ |= first.extractions[index].relation_spans != second.extractions[index].relation_spans;
  }
  EXPECT_TRUE(differ);
}

TEST_P(ExtractorTest, ASentenceBeyondTheEncodersLengthIsReadInParts) {
  std::string text;
  for (int word = 0; word < 700; ++word) text += "word" + std::to_string(word % 10) + " ";
  Settings settings = small_settings();
  settings.samples = 32;
  settings.steps = 1;
  settings.top_k = 1024;
  settings.rule = Rule::kAllRuns;
  const SentenceResult all = Extractor(model(GetParam()), settings).extract(text);
  EXPECT_FALSE(all.error.has_value());
  bool in_first_part = false;
  bool in_last_part = false;
  double last = 1;
  for (const Extraction& extraction : all.extractions) {
    expect_quotes(text, extraction.object, extraction.object_spans);
    in_first_part |= extraction.object_spans.back().end < text.size() / 2;
    in_last_part |= extraction.object_spans.front().begin > text.size() / 2;
    EXPECT_LE(extraction.confidence, last);
    last = extraction.confidence;
  }
  EXPECT_TRUE(in_first_part);
  EXPECT_TRUE(in_last_part);
  settings.top_k = 2;
  EXPECT_EQ(Extractor(model(GetParam()), settings).extract(text).extractions.size(), 2U);
}

TEST_P(ExtractorTest, PretokenizedWordsAreTheWhiteSpaceTokens) {
  Settings settings = small_settings();
  settings.pretokenized = true;
  settings.rule = Rule::kAllRuns;
  const std::string text = "Wells -LRB- 1895 -RRB- wrote `` The Time-Machine '' .";
  const SentenceResult result = Extractor(model(GetParam()), settings).extract(text);
  ASSERT_FALSE(result.extractions.empty());
  for (const Extraction& extraction : result.extractions) {
    for (const auto* spans :
         {&extraction.subject_spans, &extraction.relation_spans, &extraction.object_spans}) {
      for (const Span& span : *spans) {
        EXPECT_TRUE(span.begin == 0 || text[span.begin - 1] == ' ');
        EXPECT_TRUE(span.end == text.size() || text[span.end] == ' ');
      }
    }
  }
}

TEST(Extractor, NullIsNoModel) {
  EXPECT_ERROR(Extractor(nullptr), ErrorCode::kInvalidArgument, "the model is null");
  EXPECT_ERROR(Extractor(nullptr, Settings{}), ErrorCode::kInvalidArgument, "the model is null");
  EXPECT_ERROR(trace(nullptr, Settings{}, "Ada."), ErrorCode::kInvalidArgument,
               "the model is null");
}

INSTANTIATE_TEST_SUITE_P(Kernels, ExtractorTest,
                         ::testing::Values("uniform", "absorbing", "anchored"),
                         [](const auto& kernel) { return std::string(kernel.param); });

}  // namespace
}  // namespace diffie
