#include "diffie/lab/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "expect_error.h"
#include "extract/selector.h"
#include "lab/sweep/candidates.h"
#include "lab/sweep/invented.h"

namespace diffie {
namespace {

using test::invented_golds;
using test::invented_pool;

// A pool of many random tag sequences over one sentence of repeated and mixed-case words.
SweepPool random_pool(std::uint32_t seed) {
  const std::vector<std::string> words = {"The", "dog", "and", "the", "cat", "saw", "The", "bird"};
  std::uint64_t state = seed + 1;
  SweepPool pool{"random", "random.jsonl", {}};
  for (const char* sentence : {"one", "two", "three"}) {
    std::map<std::string, std::uint32_t> counts;
    for (int sample = 0; sample < 60; ++sample) {
      std::string tags;
      for (std::size_t i = 0; i < words.size(); ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        tags += "BSRRO"[(state >> 33) % 5];
      }
      ++counts[tags];
    }
    TagPool entry{sentence, words, {}};
    for (const auto& [tags, count] : counts) entry.tags.push_back({tags, count});
    pool.sentences.push_back(std::move(entry));
  }
  return pool;
}

std::vector<SweepGold> random_golds() {
  GoldStandard gold;
  for (const char* sentence : {"one", "two", "three"}) {
    GoldSentence& entry = gold.sentences.emplace_back();
    entry.sentence = sentence;
    entry.tuples = {test::gold_tuple("The dog", "saw", "The bird"),
                    test::gold_tuple("the cat", "and saw", "bird")};
    entry.num_facts = 2;
  }
  return {{Measure::kCarb, gold}};
}

TEST(Sweep, DefaultIsThePapersPoint) {
  const SweepTable table = run_sweep(std::vector{invented_pool()}, invented_golds(), {});
  ASSERT_EQ(table.rows.size(), 1u);
  const SweepRow& row = table.rows[0];
  EXPECT_EQ(row.label, "a");
  EXPECT_EQ(row.pool, "a.jsonl");
  EXPECT_EQ(row.runs, 1u);
  EXPECT_EQ(row.point.selector, SelectorKind::kLenient);
  EXPECT_EQ(row.point.rule, Rule::kLongest);
  EXPECT_EQ(row.point.samples, 8);
  EXPECT_EQ(row.point.top_k, 4);
  EXPECT_EQ(row.point.tau, 0.9);
  EXPECT_FALSE(row.point.power);
  ASSERT_EQ(row.scores.size(), 2u);
  EXPECT_FALSE(row.scores[0].f1.deviation);
}

// k = 1: (Ann; met; Bob) and (Dan; left; home), both exact: P = 1; the second gold tuple gets 2/3
// of its words from the first prediction in carb, nothing in carb_1_1.
TEST(Sweep, ScoresAnInventedPoolAsByHand) {
  SweepOptions options;
  options.axes.top_k = {1};
  const SweepTable table = run_sweep(std::vector{invented_pool()}, invented_golds(), options);
  const std::vector<SweepScore>& scores = table.rows.at(0).scores;
  EXPECT_DOUBLE_EQ(scores[0].precision.mean, 1);
  EXPECT_NEAR(scores[0].recall.mean, (1 + 2.0 / 3 + 1) / 3, 1e-12);
  EXPECT_NEAR(scores[1].recall.mean, 2.0 / 3, 1e-12);
  EXPECT_NEAR(scores[1].f1.mean, 0.8, 1e-12);
}

TEST(Sweep, AxesThatASelectorDoesNotReadDoNotMultiply) {
  SweepOptions options;
  options.axes.selector = {SelectorKind::kLenient, SelectorKind::kFrequency,
                           SelectorKind::kCoverage};
  options.axes.tau = {0.7, 0.9};
  options.axes.power = {1, 2, 4};
  options.axes.wording = {0, 0.8};
  options.axes.top_k = {1, 4};
  options.axes.rule = {Rule::kLongest, Rule::kAllRuns};
  options.axes.samples = {4, 0};
  options.axes.min_confidence = {0, 0.3, 0.5};
  options.oracle = true;
  const SweepTable table = run_sweep(std::vector{invented_pool()}, invented_golds(), options);
  const std::size_t selections = 2 + 1 + 3 * 2;
  EXPECT_EQ(table.rows.size(), 2 * 2 * (selections * 2 * 3 + 1));
  for (const SweepRow& row : table.rows) {
    EXPECT_EQ(row.point.tau.has_value(), row.point.selector == SelectorKind::kLenient);
    EXPECT_EQ(row.point.power.has_value(), row.point.selector == SelectorKind::kCoverage);
    EXPECT_EQ(row.point.wording.has_value(), row.point.selector == SelectorKind::kCoverage);
    EXPECT_EQ(row.point.top_k.has_value(), row.point.selector.has_value());
  }
}

// A point of the grid is what the selector gives when it is asked for that point alone.
TEST(Sweep, EveryPointEqualsASelectorOfItsOwn) {
  SweepOptions options;
  options.axes.selector = {SelectorKind::kLenient, SelectorKind::kFrequency,
                           SelectorKind::kCoverage};
  options.axes.tau = {0.6, 0.9};
  options.axes.wording = {0, 0.7};
  options.axes.top_k = {1, 3, 7};
  options.axes.min_confidence = {0, 1.0 / 30, 0.1};
  options.axes.rule = {Rule::kLongest, Rule::kRelationRuns, Rule::kAllRuns};
  const SweepPool pool = random_pool(1);
  const std::vector<SweepGold> golds = random_golds();
  const SweepTable table = run_sweep(std::vector{pool}, golds, options);
  ASSERT_EQ(table.rows.size(), 3u * (2 + 1 + 2) * 3 * 3);
  for (const SweepRow& row : table.rows) {
    Settings alone;
    alone.selector = *row.point.selector;
    alone.top_k = *row.point.top_k;
    alone.tau = row.point.tau.value_or(0.9);
    alone.power = row.point.power.value_or(2);
    alone.wording = row.point.wording.value_or(0);
    alone.min_confidence = *row.point.min_confidence;
    SystemOutput output;
    for (const TagPool& sentence : pool.sentences) {
      std::vector<std::string> lower = sentence.words;
      lower[0] = lower[6] = "the";
      std::vector<std::uint32_t> counts;
      for (const TagCount& entry : sentence.tags) counts.push_back(entry.count);
      const extract::CandidateSet candidates =
          sweep::make_candidates(sentence, counts, lower, row.point.rule);
      PredictedSentence& predicted = output.sentences.emplace_back();
      predicted.sentence = sentence.sentence;
      for (const auto& ranked : extract::make_selector(alone)->select(candidates)) {
        predicted.tuples.push_back(
            sweep::to_tuple(ranked.triple, ranked.confidence, sentence.words));
      }
    }
    const Score wanted = score_system(golds[0].gold, output, Measure::kCarb);
    EXPECT_EQ(row.scores[0].f1.mean, wanted.f1) << row.point.selector_name() << *row.point.top_k;
    EXPECT_EQ(row.scores[0].auc->mean, *wanted.auc);
  }
}

TEST(Sweep, SubsetsAreRepeatedOnlyBelowThePoolsSize) {
  SweepOptions options;
  options.axes.samples = {5, 60, 0};
  options.repeats = 7;
  const SweepTable table = run_sweep(std::vector{random_pool(2)}, random_golds(), options);
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0].runs, 7u);
  EXPECT_GT(*table.rows[0].scores[0].f1.deviation, 0);
  for (const std::size_t all : {1u, 2u}) {
    EXPECT_EQ(table.rows[all].runs, 1u);
    EXPECT_EQ(table.rows[all].point.samples, 60);
    EXPECT_FALSE(table.rows[all].scores[0].f1.deviation);
  }
}

TEST(Sweep, SameTableWhateverTheThreads) {
  SweepOptions options;
  options.axes.samples = {4, 16};
  options.axes.selector = {SelectorKind::kLenient, SelectorKind::kCoverage};
  options.repeats = 3;
  options.oracle = true;
  options.threads = 1;
  const std::vector<SweepPool> pools = {random_pool(1), random_pool(2)};
  const std::string one = sweep_tsv(run_sweep(pools, random_golds(), options));
  options.threads = 4;
  EXPECT_EQ(one, sweep_tsv(run_sweep(pools, random_golds(), options)));
  options.seed = 1;
  EXPECT_NE(one, sweep_tsv(run_sweep(pools, random_golds(), options)));
}

TEST(Sweep, PoolsOfOneLabelAreAveraged) {
  std::vector<SweepPool> pools = {random_pool(1), random_pool(2), random_pool(3)};
  pools[0].label = pools[2].label = "both";
  pools[1].label = "alone";
  SweepOptions options;
  options.axes.top_k = {1, 4};
  const SweepTable table = run_sweep(pools, random_golds(), options);
  ASSERT_EQ(table.rows.size(), 3u * 2 + 2);
  for (std::size_t point = 0; point < 2; ++point) {
    const SweepRow& mean = table.rows[6 + point];
    EXPECT_EQ(mean.label, "both");
    EXPECT_EQ(mean.pool, "");
    EXPECT_EQ(mean.runs, 2u);
    EXPECT_EQ(mean.point.top_k, table.rows[point].point.top_k);
    const double a = table.rows[point].scores[0].f1.mean;
    const double b = table.rows[4 + point].scores[0].f1.mean;
    EXPECT_NEAR(mean.scores[0].f1.mean, (a + b) / 2, 1e-15);
    EXPECT_NEAR(*mean.scores[0].f1.deviation, std::abs(a - b) / std::sqrt(2.0), 1e-15);
  }
}

// The pool has (Ann; met; Bob), (Ann; met; Bob and Cid), (Bob; met; Cid), (Dan; left; home) and
// (home; left; Dan). Two gold tuples have an exact candidate, confidence 1. For (Ann; met; Cid) the
// best pair F1 is 2 * 3 / (5 + 3) = 0.75, with the second; it is left out at the best threshold.
TEST(Sweep, OracleTakesAndRanksTheBestCandidateOfEachGoldTuple) {
  SweepOptions options;
  options.oracle = true;
  const SweepTable table = run_sweep(std::vector{invented_pool()}, invented_golds(), options);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[1].point.selector_name(), "oracle");
  const SweepScore& carb = table.rows[1].scores[0];
  const double recall = (1 + 2.0 / 3 + 1) / 3;
  EXPECT_NEAR(carb.precision.mean, 1, 1e-12);
  EXPECT_NEAR(carb.recall.mean, recall, 1e-12);
  // Both points of the curve: (1, 2.6 / 3) and (recall, 1), then (0, 1).
  EXPECT_NEAR(carb.auc->mean, recall + (1 - recall) * (1 + 2.6 / 3) / 2, 1e-12);
  // One-to-one the third prediction is worth its place.
  const SweepScore& one_to_one = table.rows[1].scores[1];
  EXPECT_NEAR(one_to_one.precision.mean, (1 + 0.6 + 1) / 3, 1e-12);
  EXPECT_NEAR(one_to_one.recall.mean, 1, 1e-12);
}

TEST(Sweep, SentencesWithoutSamplesOrGoldCountAsInTheScorer) {
  SweepPool pool = invented_pool();
  pool.sentences[0].tags.clear();
  pool.sentences.push_back({"no gold here", {"no", "gold", "here"}, {{"SRO", 8}}});
  const SweepTable table = run_sweep(std::vector{pool}, invented_golds(), {});
  EXPECT_NEAR(table.rows[0].scores[1].recall.mean, 1.0 / 3, 1e-12);
}

TEST(Sweep, RefusesPoolsThatCannotServe) {
  SweepOptions options;
  options.axes.samples = {9};
  EXPECT_ERROR(run_sweep(std::vector{invented_pool()}, invented_golds(), options),
               ErrorCode::kInvalidArgument, "a.jsonl has 8");
  SweepPool uneven = invented_pool();
  uneven.sentences[1].tags[0].count = 6;
  EXPECT_ERROR(run_sweep(std::vector{uneven}, invented_golds(), {}), ErrorCode::kBadInput,
               "8 and with 9");
  SweepPool empty{"e", "e.jsonl", {}};
  EXPECT_ERROR(run_sweep(std::vector{empty}, invented_golds(), {}), ErrorCode::kBadInput,
               "e.jsonl: no samples");
  EXPECT_ERROR(run_sweep(std::vector{invented_pool()}, random_golds(), {}), ErrorCode::kBadInput,
               "none of its sentences has gold for carb");
  EXPECT_ERROR(run_sweep(std::vector{invented_pool()}, {}, {}), ErrorCode::kInvalidArgument,
               "no measure");
}

TEST(SweepOptions, RefuseImpossibleValuesByName) {
  const auto refuses = [](auto change, const char* fragment) {
    SweepOptions options;
    change(options);
    EXPECT_ERROR(options.validate(), ErrorCode::kInvalidArgument, fragment);
  };
  refuses([](SweepOptions& o) { o.axes.samples = {4, -1}; }, "samples is -1");
  refuses([](SweepOptions& o) { o.axes.top_k = {0}; }, "top_k is 0");
  refuses([](SweepOptions& o) { o.axes.tau = {0.9, 0}; }, "tau is 0");
  refuses([](SweepOptions& o) { o.axes.tau = {std::nan("")}; }, "tau is nan");
  refuses([](SweepOptions& o) { o.axes.power = {65}; }, "power is 65");
  refuses([](SweepOptions& o) { o.axes.wording = {1.5}; }, "wording is 1.5");
  refuses([](SweepOptions& o) { o.axes.min_confidence = {-0.5}; }, "min_confidence is -0.5");
  refuses([](SweepOptions& o) { o.axes.rule = {static_cast<Rule>(9)}; }, "rule is 9");
  refuses([](SweepOptions& o) { o.axes.selector = {static_cast<SelectorKind>(4)}; },
          "selector is 4");
  refuses([](SweepOptions& o) { o.axes.selector = {}; }, "selector has no value");
  refuses([](SweepOptions& o) { o.repeats = 0; }, "repeats is 0");
  refuses([](SweepOptions& o) { o.threads = -1; }, "threads is -1");
}

TEST(SweepTsv, HasOneCellPerColumnInEveryRow) {
  SweepPool pool = invented_pool("tab\there", "line\nbreak");
  SweepOptions options;
  options.axes.selector = {SelectorKind::kLenient, SelectorKind::kCoverage};
  options.oracle = true;
  std::istringstream tsv(sweep_tsv(run_sweep(std::vector{pool}, invented_golds(), options)));
  std::size_t rows = 0;
  for (std::string line; std::getline(tsv, line); ++rows) {
    EXPECT_EQ(std::count(line.begin(), line.end(), '\t'), 10 + 2 * 8) << line;
  }
  EXPECT_EQ(rows, 4u);
}

}  // namespace
}  // namespace diffie
