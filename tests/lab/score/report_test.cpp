// Intervals, paired tests, explanations and the picture.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diffie/lab/score_report.h"
#include "expect_error.h"

namespace diffie {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kSample = DIFFIE_SOURCE_DIR "/tests/lab/score/sample/";

struct Scored {
  GoldStandard gold;
  SystemOutput output;
  Score score;
};

Scored sample(Measure measure = Measure::kCarb, const char* file = "predictions.tsv") {
  Scored result;
  result.gold = read_gold(kSample + "gold.tsv", measure);
  result.output = read_predictions(kSample + file, measure).at(0);
  result.score = score_system(result.gold, result.output, measure);
  return result;
}

TEST(Bootstrap, IntervalsHoldTheScoreAndDependOnTheSeedAlone) {
  const Score score = sample().score;
  const ResamplingOptions options{.replicates = 300, .level = 0.95, .seed = 5};
  const BootstrapIntervals first = bootstrap(score, options);
  const BootstrapIntervals again = bootstrap(score, options);
  EXPECT_LT(first.f1.low, score.f1);
  EXPECT_GT(first.f1.high, score.f1);
  EXPECT_LT(first.auc.value().low, score.auc.value());
  EXPECT_EQ(first.f1.low, again.f1.low);
  EXPECT_EQ(first.auc->high, again.auc->high);
  ResamplingOptions other = options;
  other.seed = 6;
  EXPECT_NE(first.f1.low, bootstrap(score, other).f1.low);
  ResamplingOptions narrow = options;
  narrow.level = 0.5;
  EXPECT_GT(bootstrap(score, narrow).f1.low, first.f1.low);
}

TEST(Bootstrap, OneSentenceHasNoSpread) {
  Scored all = sample();
  all.gold.sentences.resize(1);
  const Score score = score_system(all.gold, all.output, Measure::kCarb);
  const BootstrapIntervals intervals = bootstrap(score, {});
  EXPECT_DOUBLE_EQ(intervals.f1.low, score.f1);
  EXPECT_DOUBLE_EQ(intervals.f1.high, score.f1);
}

TEST(Bootstrap, MeasuresWithoutACurveHaveNoArea) {
  EXPECT_FALSE(bootstrap(sample(Measure::kWire57C).score, {}).auc.has_value());
}

TEST(Resampling, OptionsAreChecked) {
  const Score score = sample().score;
  EXPECT_ERROR(bootstrap(score, {.replicates = 0}), ErrorCode::kInvalidArgument, "replicates is 0");
  EXPECT_ERROR(bootstrap(score, {.replicates = 9, .level = 1}), ErrorCode::kInvalidArgument,
               "level is 1");
}

TEST(Compare, ASystemDoesNotDifferFromItself) {
  const Score score = sample().score;
  const Comparison same = compare(score, score, {});
  EXPECT_EQ(same.f1.difference, 0);
  EXPECT_EQ(same.f1.bootstrap_p, 1);
  EXPECT_EQ(same.f1.permutation_p.value(), 1);
  EXPECT_EQ(same.sentences_better + same.sentences_worse, 0u);
}

// 60 sentences; a is right on all, b on every fourth.
TEST(Compare, AClearDifferenceIsSignificantBothWays) {
  GoldStandard gold;
  SystemOutput a{"a", {}, {}};
  SystemOutput b{"b", {}, {}};
  for (int i = 0; i < 60; ++i) {
    const std::string sentence = "s" + std::to_string(i);
    GoldPart word{"w", {}, 0};
    gold.sentences.push_back({{}, sentence, {}, {{word, {word, word}, 0}}, 1});
    a.sentences.push_back({{}, sentence, {{"w", {"w", "w"}, 1}}});
    b.sentences.push_back({{}, sentence, {{i % 4 == 0 ? "w" : "x", {"w", "w"}, 1}}});
  }
  const Score score_a = score_system(gold, a, Measure::kCarb);
  const Score score_b = score_system(gold, b, Measure::kCarb);
  const Comparison forward = compare(score_a, score_b, {});
  EXPECT_NEAR(forward.f1.difference, 0.75, 1e-12);
  EXPECT_LT(forward.f1.bootstrap_p, 0.005);
  EXPECT_LT(forward.f1.permutation_p.value(), 0.005);
  EXPECT_GT(forward.f1.interval.low, 0.5);
  EXPECT_EQ(forward.sentences_better, 45u);
  const Comparison backward = compare(score_b, score_a, {});
  EXPECT_NEAR(backward.f1.difference, -0.75, 1e-12);
  EXPECT_LT(backward.f1.bootstrap_p, 0.005);
}

TEST(Compare, RefusesScoresOfDifferentKinds) {
  EXPECT_ERROR(compare(sample().score, sample(Measure::kCarb11).score, {}),
               ErrorCode::kInvalidArgument, "one measure");
  Scored fewer = sample();
  fewer.gold.sentences.pop_back();
  EXPECT_ERROR(compare(sample().score, score_system(fewer.gold, fewer.output, Measure::kCarb), {}),
               ErrorCode::kInvalidArgument, "one gold");
}

TEST(Explain, CreditsAddUpToTheScore) {
  for (const Measure measure :
       {Measure::kCarb, Measure::kCarb11, Measure::kCarbHungarianF1, Measure::kWire57C}) {
    const Scored scored = sample(measure);
    double precision = 0;
    double recall = 0;
    double num_predicted = 0;
    for (std::size_t i = 0; i < scored.gold.sentences.size(); ++i) {
      const Explanation e = explain(scored.gold, scored.output, measure, i);
      double sum = 0;
      for (const PairCredit& pair : e.precision_pairs) sum += pair.precision;
      EXPECT_NEAR(sum, e.precision_sum, 1e-12);
      for (const PairCredit& pair : e.recall_pairs) ASSERT_LT(pair.predicted, e.predicted.size());
      precision += e.precision_sum;
      recall += e.recall_sum;
      num_predicted += static_cast<double>(e.num_predicted);
    }
    EXPECT_NEAR(precision / num_predicted, scored.score.all_predictions.precision, 1e-12);
    EXPECT_NEAR(recall / static_cast<double>(scored.score.num_gold),
                scored.score.all_predictions.recall, 1e-12);
  }
}

TEST(Explain, LeavesOutWhatIsUnderTheThreshold) {
  const Scored scored = sample();
  const Explanation e = explain(scored.gold, scored.output, Measure::kCarb, 0, 0.9);
  EXPECT_EQ(e.predicted, std::vector<std::string>{"(Mira Holt; painted; the old mill; in 1931)"});
  EXPECT_EQ(e.below_threshold, 1u);
  EXPECT_DOUBLE_EQ(e.precision_pairs.at(0).precision, 1);
  EXPECT_ERROR(explain(scored.gold, scored.output, Measure::kCarb, 12), ErrorCode::kInvalidArgument,
               "no sentence 13; the gold has 12");
}

TEST(Explain, ShowsBenchieFacts) {
  const GoldStandard gold = read_gold(kSample + "benchie_gold.txt", Measure::kBenchie);
  const auto output = read_predictions(kSample + "benchie_explicit.txt", Measure::kBenchie).at(0);
  const Explanation e = explain(gold, output, Measure::kBenchie, 0);
  EXPECT_EQ(e.gold.size(), 2u);
  EXPECT_EQ(e.num_predicted, 3u);  // two facts hit and one wrong; the repeated hit is not counted
  EXPECT_EQ(e.precision_sum, 2);
}

}  // namespace
}  // namespace diffie
