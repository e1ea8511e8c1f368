#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

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
}

}  // namespace
}  // namespace diffie
