// The judge in the engine: who is asked about, and that nobody's company matters.
#include "engine/judging.h"

#include <gtest/gtest.h>

#include <map>

#include "diffie/lab/model_files.h"
#include "engine/engine.h"
#include "engine/same_results.h"
#include "expect_error.h"
#include "temp_dir.h"
#include "text/lowercase.h"
#include "text/sentence.h"

namespace diffie::engine {
namespace {

const std::vector<std::string_view> kSentences = {
    "Marie Curie discovered polonium in 1898.",
    "",
    "The unfathomable strike obtained political support from the committee of Antananarivo.",
    "One.",
    "He served as the first Prime Minister of Australia and became a founding justice.",
};

class JudgingTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    temp_ = std::make_unique<test::TempDir>();
    InitOptions options;
    options.vocab = DIFFIE_SOURCE_DIR "/share/bert-base-uncased/vocab.txt";
    options.encoder_hidden = 32;
    options.denoiser_hidden = 32;
    init_model(temp_->path() / "plain", options);
    options.judge_layers = 2;
    options.judge_hidden = 24;
    options.weights = WeightType::kI8;
    init_model(temp_->path() / "judged", options);
    model_ = Model::load(temp_->path() / "judged");
  }
  static void TearDownTestSuite() {
    model_.reset();
    temp_.reset();
  }

  static Engine make(const Settings& settings) { return Engine(ModelParts::of(*model_), settings); }

  static std::unique_ptr<test::TempDir> temp_;
  static std::shared_ptr<const Model> model_;
};

std::unique_ptr<test::TempDir> JudgingTest::temp_;
std::shared_ptr<const Model> JudgingTest::model_;

Settings judged(std::int32_t count, std::int32_t threads = 1) {
  Settings settings{.samples = 256, .steps = 3, .top_k = 64, .rule = Rule::kAllRuns};
  settings.judged = count;
  settings.threads = threads;
  return settings;
}

// The sentence alone through encoder and judge, with these tags of its words.
model::Judgement ask_directly(const ModelParts& model, std::string_view text,
                              const std::string& word_tags) {
  const text::Sentence sentence =
      text::tokenize_sentence(model.tokenizer, text, text::WordMode::kRaw);
  std::vector<std::int32_t> ids = {model.tokenizer.cls_id()};
  ids.insert(ids.end(), sentence.piece_ids.begin(), sentence.piece_ids.end());
  ids.push_back(model.tokenizer.sep_id());
  std::vector<std::uint8_t> tags;
  for (std::size_t word = 0; word < sentence.words.size(); ++word) {
    tags.insert(tags.end(), sentence.words[word].num_pieces,
                static_cast<std::uint8_t>(std::string_view("BSRO").find(word_tags[word])));
  }
  const auto runner = model.backend(Precision::kInt8).make_runner(true);
  const auto encoded = runner->make_context();
  const auto length = static_cast<std::uint32_t>(ids.size());
  runner->encode(ids, std::vector<std::uint32_t>{0, length}, *encoded);
  model::Judgement judgement;
  const std::vector<std::uint32_t> offsets = {0, length - 2}, begins = {1};
  runner->judge(*encoded, {offsets, begins}, tags, {&judgement, 1});
  return judgement;
}

bool has_all_roles(const std::string& tags) {
  return tags.find('S') != tags.npos && tags.find('R') != tags.npos && tags.find('O') != tags.npos;
}

TEST_F(JudgingTest, TheMostFrequentCandidatesAreJudgedEachInItsSentence) {
  constexpr std::size_t kAsked = 7;
  const std::vector<SentenceSamples> all = make(judged(kAsked)).sample(kSentences);
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(all[i].judgements.size(), all[i].tags.size());
    std::size_t found = 0;
    for (std::size_t row = 0; row < all[i].tags.size(); ++row) {
      const auto& [tags, count] = all[i].tags[row];
      const model::Judgement& said = all[i].judgements[row];
      if (said.exact < 0) {
        EXPECT_EQ(said.lenient, -1);
        continue;
      }
      ++found;
      ASSERT_TRUE(has_all_roles(tags));
      EXPECT_EQ(said, ask_directly(ModelParts::of(*model_), kSentences[i], tags));
      for (std::size_t before = 0; before < row; ++before) {
        const auto& [frequent, times] = all[i].tags[before];
        if (times == count) continue;  // ties are in the order of the triples
        EXPECT_EQ(all[i].judgements[before].exact >= 0, has_all_roles(frequent));
      }
    }
    EXPECT_EQ(found, kSentences[i].size() > 10 ? kAsked : 0);
  }
  EXPECT_TRUE(make(judged(0)).sample(kSentences)[0].judgements.empty());
}

TEST_F(JudgingTest, CompanyThreadsAndSplitsDoNotMatter) {
  Engine one = make(judged(40));
  const std::vector<SentenceSamples> expected = one.sample(kSentences);
  for (const std::int32_t threads : {1, 2, 5}) {  // several: passages are split
    Engine engine = make(judged(40, threads));
    const std::vector<SentenceSamples> together = engine.sample(kSentences);
    for (std::size_t i = 0; i < kSentences.size(); ++i) {
      EXPECT_EQ(together[i].judgements, expected[i].judgements);
      EXPECT_EQ(engine.sample({&kSentences[i], 1})[0].judgements, expected[i].judgements);
    }
  }
}

// Rows that the rule makes the same triple have one judgement.
TEST_F(JudgingTest, TagsOfOneTripleAreJudgedAlike) {
  Settings settings = judged(1024);
  settings.rule = Rule::kLongest;
  const SentenceSamples samples = make(settings).sample({&kSentences[2], 1})[0];
  std::vector<std::string> words;
  for (const Span& word : samples.words) {
    words.push_back(text::lowercase(kSentences[2].substr(word.begin, word.end - word.begin)));
  }
  extract::CandidateSetBuilder builder(words, Rule::kLongest);
  std::vector<std::vector<extract::Role>> rows;
  for (const auto& [tags, count] : samples.tags) {
    rows.emplace_back();
    for (const char tag : tags)
      rows.back().push_back(static_cast<extract::Role>(std::string_view("BSRO").find(tag)));
    const model::Judgement& said = samples.judgements[rows.size() - 1];
    builder.add(rows.back(), count, said.exact, said.lenient);
  }
  const auto triples = builder.triples_of(rows);
  std::map<extract::Triple, model::Judgement> by_triple;
  std::size_t again = 0;
  for (std::size_t i = 0; i < triples.size(); ++i) {
    ASSERT_EQ(samples.judgements[i].exact >= 0, triples[i].has_value());
    if (!triples[i]) continue;
    const auto [place, is_new] = by_triple.emplace(*triples[i], samples.judgements[i]);
    if (!is_new) ++again;
    ASSERT_EQ(place->second, samples.judgements[i]);
  }
  EXPECT_GT(again, 0u);
  for (const extract::Candidate& candidate : builder.finish().candidates) {
    EXPECT_EQ(candidate.exact, by_triple.at(candidate.triple).exact);
    EXPECT_EQ(candidate.lenient, by_triple.at(candidate.triple).lenient);
  }
}

TEST_F(JudgingTest, TimeAndCandidatesAreCounted) {
  Engine engine = make(judged(5));
  engine.extract(kSentences);
  const StageTimes times = engine.stage_times();
  EXPECT_EQ(times.judged, 3u * 5);
  EXPECT_GT(times.judge_s, 0);
  EXPECT_GT(times.judge_flop, 0);
  Engine silent = make(judged(0));
  silent.extract(kSentences);
  EXPECT_EQ(silent.stage_times().judged, 0u);
  EXPECT_EQ(silent.stage_times().judge_s, 0);
}

// A selector that does not read judgements chooses what it chose before.
TEST_F(JudgingTest, WhatIsSampledDoesNotChange) {
  const auto asked = make(judged(40)).extract(kSentences);
  const auto silent = make(judged(0)).extract(kSentences);
  ASSERT_FALSE(silent[0].extractions.empty());
  for (std::size_t i = 0; i < asked.size(); ++i) test::expect_same(asked[i], silent[i]);
}

TEST_F(JudgingTest, AModelWithoutAJudgeSaysSo) {
  const auto plain = Model::load(temp_->path() / "plain");
  EXPECT_ERROR(Engine(ModelParts::of(*plain), judged(3)), ErrorCode::kInvalidArgument,
               "judged is 3, model 'untrained' has no judge");
}

TEST_F(JudgingTest, StopsWhenAskedTo) {
  std::stop_source stopped;
  stopped.request_stop();
  Engine engine = make(judged(3));
  EXPECT_ERROR(engine.extract(kSentences, stopped.get_token()), ErrorCode::kCancelled, "stopped");
}

}  // namespace
}  // namespace diffie::engine
