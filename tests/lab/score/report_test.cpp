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
  EXPECT_ERROR(bootstrap(score, {.replicates = 9, .level = 0}), ErrorCode::kInvalidArgument,
               "level is 0");
  EXPECT_ERROR(bootstrap(score, {.replicates = 1'000'001}), ErrorCode::kInvalidArgument,
               "replicates is 1000001");
  EXPECT_NO_THROW((ResamplingOptions{.replicates = 1'000'000}.validate()));
  EXPECT_NO_THROW(bootstrap(score, {.replicates = 1}));
  EXPECT_ERROR(compare(score, score, {.replicates = 0}), ErrorCode::kInvalidArgument, "replicates");
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

// Twenty sentences with a fact each. The values below come from a transcription of the definitions
// in another language, with the same generator.
struct TwentySentences {
  GoldStandard gold;
  SystemOutput a{"a", {}, {}};
  SystemOutput b{"b", {}, {}};

  TwentySentences() {
    const auto tuple = [](bool right, int confidence) {
      return PredictedTuple{right ? "w" : "x", {"w", "w"}, static_cast<double>(confidence)};
    };
    for (int i = 0; i < 20; ++i) {
      const std::string sentence = "s" + std::to_string(i);
      const GoldPart word{"w", {}, 0};
      gold.sentences.push_back({{}, sentence, {}, {{word, {word, word}, 0}}, 1});
      a.sentences.push_back({{}, sentence, {tuple(i % 3 != 0, i * 7 % 20)}});
      if (i % 5 == 0) a.sentences.back().tuples.push_back(tuple(false, i * 3 % 20));
      if (i % 7 != 6) b.sentences.push_back({{}, sentence, {tuple(i % 4 < 2, i * 11 % 20)}});
    }
  }
};

constexpr ResamplingOptions kTranscribed{.replicates = 200, .level = 0.8, .seed = 11};

void expect_interval(const Interval& interval, double low, double high) {
  EXPECT_NEAR(interval.low, low, 1e-12);
  EXPECT_NEAR(interval.high, high, 1e-12);
}

TEST(Bootstrap, GivesTheTranscriptionsIntervals) {
  const TwentySentences data;
  const BootstrapIntervals intervals =
      bootstrap(score_system(data.gold, data.a, Measure::kCarb11), kTranscribed);
  expect_interval(intervals.precision, 0.7644257703081232, 1);
  expect_interval(intervals.recall, 0.5, 0.8);
  expect_interval(intervals.f1, 0.6451612903225806, 0.8428947368421053);
  expect_interval(intervals.auc.value(), 0.46038944307326657, 0.75);
}

TEST(Compare, GivesTheTranscriptionsDifferences) {
  const TwentySentences data;
  const Comparison both = compare(score_system(data.gold, data.a, Measure::kCarb11),
                                  score_system(data.gold, data.b, Measure::kCarb11), kTranscribed);
  EXPECT_NEAR(both.f1.difference, 0.26917293233082706, 1e-12);
  expect_interval(both.f1.interval, 0.08182550184759796, 0.4188811188811188);
  EXPECT_NEAR(both.f1.bootstrap_p, 0.09950248756218906, 1e-12);
  EXPECT_NEAR(both.f1.permutation_p.value(), 0.12935323383084577, 1e-12);
  ASSERT_TRUE(both.auc.has_value());
  EXPECT_NEAR(both.auc->difference, 0.3433567004890534, 1e-12);
  expect_interval(both.auc->interval, 0.0983307046303369, 0.5212131244873118);
  EXPECT_NEAR(both.auc->bootstrap_p, 0.10945273631840796, 1e-12);
  EXPECT_FALSE(both.auc->permutation_p.has_value());
  EXPECT_EQ(both.sentences_better, 7u);
  EXPECT_EQ(both.sentences_worse, 4u);
}

TEST(Compare, WithoutPredictionsOnBothSidesNothingDiffers) {
  const TwentySentences data;
  const Score none = score_system(data.gold, SystemOutput{"none", {}, {}}, Measure::kCarb11);
  const Comparison same = compare(none, none, kTranscribed);
  EXPECT_EQ(same.f1.difference, 0);
  EXPECT_EQ(same.f1.permutation_p.value(), 1);
  const Comparison better =
      compare(score_system(data.gold, data.a, Measure::kCarb11), none, kTranscribed);
  EXPECT_NEAR(better.f1.difference, 0.7428571428571429, 1e-12);
  EXPECT_EQ(better.sentences_better, 13u);  // as many as are right at the best threshold
  EXPECT_EQ(better.sentences_worse, 0u);
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

TEST(Explain, SaysWhatMetWhat) {
  const GoldPart a{"a", {}, 0}, b{"b", {}, 0}, c{"c", {}, 0};
  const GoldStandard gold{
      {{"", "none", "", {}, 0},
       {"7", "a b c", "", {{b, {a, c}, 0}, {{"d", {}, 0}, {a, b, c}, 0}, {c, {}, 0}}, 3}},
      {}};
  const SystemOutput output{"system",
                            {{{},
                              "a b c",
                              {{"x", {"a"}, 0.125},
                               {"d", {"a", "b c"}, 0.75},
                               {"y", {}, 0.25},
                               {"b e", {"a", "c"}, 0.5}}}},
                            {}};
  const Explanation e = explain(gold, output, Measure::kCarb11, 1, 0.25);
  EXPECT_EQ(e.id, "7");
  EXPECT_EQ(e.sentence, "a b c");
  EXPECT_EQ(e.gold, (std::vector<std::string>{"(a; b; c)", "(a; d; b; c)", "(; c)"}));
  EXPECT_EQ(e.num_gold, 3u);
  EXPECT_EQ(e.predicted, (std::vector<std::string>{"(a; d; b c)", "(; y)", "(a; b e; c)"}));
  EXPECT_EQ(e.confidences, (std::vector<double>{0.75, 0.25, 0.5}));
  EXPECT_EQ(e.below_threshold, 1u);
  EXPECT_EQ(e.num_predicted, 3u);
  for (const auto& pairs : {e.precision_pairs, e.recall_pairs}) {  // in the order of the gold
    ASSERT_EQ(pairs.size(), 2u);
    EXPECT_EQ(pairs[0].gold, 0u);
    EXPECT_EQ(pairs[0].predicted, 2u);  // among those that are shown
    EXPECT_DOUBLE_EQ(pairs[0].precision, 0.75);
    EXPECT_DOUBLE_EQ(pairs[0].recall, 1);
    EXPECT_EQ(pairs[1].gold, 1u);
    EXPECT_EQ(pairs[1].predicted, 0u);
    EXPECT_DOUBLE_EQ(pairs[1].precision, 1);
  }
  EXPECT_DOUBLE_EQ(e.precision_sum, 1.75);
  EXPECT_DOUBLE_EQ(e.recall_sum, 2);
  const Explanation nothing = explain(gold, output, Measure::kCarb11, 0);
  EXPECT_TRUE(nothing.predicted.empty());
  EXPECT_EQ(nothing.num_predicted, 0u);
}

TEST(Explain, ABenchieFactHasItsFirstWordingAndTheNumberOfTheOthers) {
  const GoldPart a{"a", {}, 0}, b{"b", {}, 0}, c{"c", {}, 0};
  const GoldStandard gold{
      {{"1", "a b c", "", {{b, {a, c}, 0}, {c, {a, b}, 0}, {c, {b, a}, 0}, {a, {b, c}, 2}}, 3}},
      {}};
  const Explanation e = explain(gold, SystemOutput{}, Measure::kBenchie, 0);
  EXPECT_EQ(e.gold, (std::vector<std::string>{"(a; b; c) and 2 other wordings",
                                              "(a fact without a wording)", "(b; a; c)"}));
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
