#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "diffie/lab/rank.h"
#include "expect_error.h"
#include "extract/ranker.h"
#include "lab/rank/invented.h"

namespace diffie {
namespace {

RankOptions quick() {
  RankOptions options;
  options.trees = 40;
  options.depth = 3;
  options.threads = 2;
  return options;
}

const RankRow& row_of(const RankResult& result, const std::string& selector) {
  return *std::find_if(result.rows.begin(), result.rows.end(),
                       [&](const RankRow& row) { return row.selector == selector; });
}

TEST(TrainRanker, LearnsWhatFrequencyDoesNotShow) {
  const test::Invented input(400);
  const RankResult result = train_ranker(std::vector{input.pool}, input.gold, quick());
  EXPECT_EQ(result.num_sentences, 400u);
  EXPECT_GT(result.num_wordings, 400u);
  EXPECT_GT(result.num_facts, 800u);
  const RankRow& learned = row_of(result, "learned");
  EXPECT_EQ(learned.pool, "invented");
  EXPECT_EQ(learned.samples, 48);
  EXPECT_GT(learned.strict_f1, row_of(result, "lenient").strict_f1 + 0.1);
  EXPECT_GT(learned.carb_f1, row_of(result, "coverage").carb_f1);
  EXPECT_LT(result.reliability.error, 0.05);
  EXPECT_NO_THROW(extract::parse_ranker(result.ranker, "ranker.json"));
  EXPECT_THAT(result.ranker, testing::HasSubstr(R"("version":2,"schema":1,)"));
  EXPECT_THAT(rank_text(result), testing::HasSubstr("expected calibration error"));
}

// Triples whose words and counts say nothing: only the judge knows which is right.
test::Invented told_by_the_judge(std::size_t size) {
  test::Invented input(size);
  std::mt19937 random(3);
  for (std::size_t i = 0; i < size; ++i) {
    TagPool& pool = input.pool.sentences[i];
    pool.tags = {{"SROBBBB", 12}, {"SBBBROB", 12}, {"OBBBRSB", 12}, {"ORSBBBB", 12}};
    const bool turned = random() % 2 == 0;
    if (turned) {
      for (data::Triple& triple : input.gold[i].triples) std::swap(triple.subject, triple.object);
    }
    for (std::size_t entry = 0; entry < pool.tags.size(); ++entry) {
      const bool right = turned == (entry >= 2);
      const float noise = static_cast<float>(random() % 100) / 500;
      pool.tags[entry].exact = right ? 0.8f - noise : noise;
      pool.tags[entry].lenient = right ? 0.9f : 0.3f;
    }
  }
  return input;
}

TEST(TrainRanker, LearnsFromTheJudge) {
  const test::Invented input = told_by_the_judge(400);
  const RankResult result = train_ranker(std::vector{input.pool}, input.gold, quick());
  EXPECT_EQ(result.schema, 2);
  EXPECT_EQ(extract::parse_ranker(result.ranker, "r").schema, 2);
  EXPECT_GT(row_of(result, "learned").strict_f1, 0.95);
  EXPECT_GT(row_of(result, "learned").strict_threshold, 0.2);
  EXPECT_LT(row_of(result, "coverage").strict_f1, 0.7);
  RankOptions deaf = quick();
  deaf.schema = 1;
  const RankResult without = train_ranker(std::vector{input.pool}, input.gold, deaf);
  EXPECT_EQ(without.schema, 1);
  EXPECT_EQ(extract::parse_ranker(without.ranker, "r").schema, 1);
  EXPECT_LT(row_of(without, "learned").strict_f1, 0.7);
}

TEST(TrainRanker, MayWalkAsTheJudgeSays) {
  const test::Invented input = told_by_the_judge(200);
  RankOptions options = quick();
  options.walk = "judged";
  const RankResult result = train_ranker(std::vector{input.pool}, input.gold, options);
  EXPECT_EQ(extract::parse_ranker(result.ranker, "r").walk, extract::Walk::kJudged);
  EXPECT_GT(row_of(result, "learned").strict_f1, 0.95);
}

// However much exactness weighs, scores are calibrated and confidences are what they say.
TEST(TrainRanker, ExactnessMayWeighMuch) {
  const test::Invented input(300);
  for (const double bonus : {5.0, 60.0}) {
    RankOptions options = quick();
    options.exact_bonus = bonus;
    const RankResult result = train_ranker(std::vector{input.pool}, input.gold, options);
    EXPECT_GT(row_of(result, "learned").strict_f1, row_of(result, "lenient").strict_f1 + 0.1);
    EXPECT_LT(result.reliability.error, 0.05) << bonus;
  }
}

// One word too many: nearly right.
TEST(TrainRanker, WhatIsRightIsAnOption) {
  test::Invented input(60);
  for (TagPool& pool : input.pool.sentences) pool.tags = {{"SROOBBB", 8}, {"SBBRROB", 8}};
  const auto num_right = [&](double right_f1) {
    RankOptions options = quick();
    options.right_f1 = right_f1;
    double right = 0;
    for (const ReliabilityBin& bin :
         train_ranker(std::vector{input.pool}, input.gold, options).reliability.bins)
      right += bin.right * static_cast<double>(bin.count);
    return right;
  };
  EXPECT_NEAR(num_right(0.7), 120, 1e-6);
  EXPECT_NEAR(num_right(0.95), 0, 1e-6);
}

TEST(TrainRanker, GivesTheSameBytesWhateverTheThreads) {
  const test::Invented input(60);
  RankOptions options = quick();
  options.samples = {0, 16};
  const std::string ranker = train_ranker(std::vector{input.pool}, input.gold, options).ranker;
  options.threads = 1;
  EXPECT_EQ(train_ranker(std::vector{input.pool}, input.gold, options).ranker, ranker);
  options.seed = 5;
  EXPECT_NE(train_ranker(std::vector{input.pool}, input.gold, options).ranker, ranker);
}

TEST(TrainRanker, ManyTimesTheSameSentenceIsEnough) {
  test::Invented input(1);
  EXPECT_NO_THROW(train_ranker(std::vector{input.pool}, input.gold, quick()));
}

TEST(TrainRanker, FactsOfOneWordingNeedNoChoice) {
  test::Invented input(5);
  for (TagPool& tags : input.pool.sentences) tags.tags = {{"SROBBBB", 3}};
  const RankResult result = train_ranker(std::vector{input.pool}, input.gold, quick());
  EXPECT_EQ(result.num_wordings, 0u);
  EXPECT_EQ(result.num_facts, 5u);
}

TEST(TrainRanker, SaysWhatIsMissing) {
  test::Invented input(3);
  const auto train = [&](const RankOptions& options) {
    return train_ranker(std::vector{input.pool}, input.gold, options);
  };
  RankOptions too_many = quick();
  too_many.samples = {4096};
  EXPECT_ERROR(train(too_many), ErrorCode::kBadInput, "no sentence");
  for (TagPool& tags : input.pool.sentences) tags.tags = {{"BBBBBBB", 4}};
  EXPECT_ERROR(train(quick()), ErrorCode::kBadInput, "no sample holds a triple");
  input.gold.clear();
  EXPECT_ERROR(train(quick()), ErrorCode::kBadInput, "no sentence");
}

TEST(RankOptions, RefusesWhatCannotBe) {
  const auto refuses = [](auto change, const char* fragment) {
    RankOptions options;
    change(options);
    EXPECT_ERROR(options.validate(), ErrorCode::kInvalidArgument, fragment);
  };
  refuses([](RankOptions& options) { options.samples = {}; }, "samples");
  refuses([](RankOptions& options) { options.samples = {-1}; }, "samples is -1");
  refuses([](RankOptions& options) { options.trees = 0; }, "trees is 0");
  refuses([](RankOptions& options) { options.depth = 9; }, "depth is 9");
  refuses([](RankOptions& options) { options.rate = 0; }, "rate is 0");
  refuses([](RankOptions& options) { options.folds = 1; }, "folds is 1");
  refuses([](RankOptions& options) { options.exactness = std::nan(""); }, "exactness is nan");
  refuses([](RankOptions& options) { options.right_f1 = 1.5; }, "right-f1 is 1.5");
  refuses([](RankOptions& options) { options.schema = 3; }, "schema is 3");
  refuses([](RankOptions& options) { options.walk = "far"; }, "walk is 'far'");
}

}  // namespace
}  // namespace diffie
