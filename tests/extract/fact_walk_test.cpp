#include "extract/fact_walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "extract/pools.h"
#include "extract/rankers.h"

namespace diffie::extract {
namespace {

float value(const Wording& wording, std::string_view feature) {
  return wording.features[feature_index(feature)];
}

std::vector<Fact> all_facts(const CandidateSet& pool) {
  FactWalk walk(pool);
  std::vector<Fact> facts;
  while (auto fact = walk.next()) {
    walk.show(fact->wordings.front().candidate);
    facts.push_back(std::move(*fact));
  }
  return facts;
}

TEST(FactWalk, FindsTheFactsOfTheCoverageSelector) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const CandidateSet pool =
        RandomPool(seed, 4 + seed % 12, 1 + seed % 5, 60, 8).build(Rule::kAllRuns);
    const auto covering =
        make_selector({.top_k = 1000, .selector = SelectorKind::kCoverage})->select(pool);
    FactWalk walk(pool);
    for (const RankedTriple& expected : covering) {
      const auto fact = walk.next();  // nothing is shown, so no fact is passed over
      ASSERT_TRUE(fact);
      ASSERT_EQ(pool.candidates[fact->candidate].triple, expected.triple);
      ASSERT_NEAR(fact->gain, expected.confidence, 1e-12);
    }
    ASSERT_FALSE(walk.next());
  }
}

TEST(FactWalk, EveryFeatureIsFiniteAndSharesAreShares) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const CandidateSet pool =
        RandomPool(seed, 3 + seed, 1 + seed % 6, 1 + seed * 4, 9).build(Rule::kAllRuns);
    for (const Fact& fact : all_facts(pool)) {
      ASSERT_FALSE(fact.wordings.empty());
      for (const Wording& wording : fact.wordings) {
        for (std::size_t i = 0; i < kNumFeatures; ++i)
          ASSERT_TRUE(std::isfinite(wording.features[i])) << kFeatureNames[i];
        for (const char* name : {"share", "mass_1", "mass_8", "near_50", "precision", "recall",
                                 "agree_s", "equal_o", "own", "any_r", "least_s", "missing_max",
                                 "mass_rank", "no_triple", "gain_2", "uncovered", "like_fact"}) {
          ASSERT_GE(value(wording, name), -1e-6f) << name;
          ASSERT_LE(value(wording, name), 1 + 1e-5f) << name;
        }
      }
    }
  }
}

TEST(FactWalk, ImpliedWordsAreCountedAndHaveNoPlace) {
  CandidateSetBuilder builder({"ann", ",", "a", "spy", "of", "is"}, Rule::kAllRuns, 2);
  builder.add(roles_of("SBOOBR"), 3);
  builder.add(roles_of("SBORRR"), 1);
  for (const Fact& fact : all_facts(builder.finish())) {
    for (const Wording& wording : fact.wordings) {
      const bool whole = value(wording, "said_r") == 0;
      EXPECT_EQ(value(wording, "implied_r"), whole ? 1 : 2);
      EXPECT_EQ(value(wording, "words"), 4);
      EXPECT_EQ(value(wording, "runs_r"), whole ? 0 : 1);
      EXPECT_EQ(value(wording, "first_r"), static_cast<float>(WordKind::kBe));
      EXPECT_EQ(value(wording, "gap_sr"), whole ? 0 : 3);
      EXPECT_EQ(value(wording, "gap_ro"), whole ? 2 : -1);
      EXPECT_EQ(value(wording, "after_o"),
                static_cast<float>(whole ? WordKind::kNone : WordKind::kContent));
    }
  }
}

TEST(FactWalk, FeaturesOfAPoolWorkedOutByHand) {
  CandidateSetBuilder builder({"the", "dog", "bit", "a", "man", "."}, Rule::kAllRuns);
  builder.add(roles_of("SSROOB"), 6);
  builder.add(roles_of("BSROOB"), 2);  // F = 2 * 4 / 9 to the first
  builder.add(roles_of("BBBBBB"), 2);
  const CandidateSet pool = builder.finish();
  FactWalk walk(pool);
  const auto fact = walk.next();
  ASSERT_TRUE(fact);
  ASSERT_EQ(fact->wordings.size(), 2u);
  const Wording& first = fact->wordings[0];
  const double f = 8.0 / 9;
  EXPECT_NEAR(value(first, "share"), 0.6, 1e-6);
  EXPECT_NEAR(value(first, "mass_1"), 0.6 + 0.2 * f, 1e-6);
  EXPECT_NEAR(value(first, "mass_4"), 0.6 + 0.2 * f * f * f * f, 1e-6);
  EXPECT_NEAR(value(first, "near_85"), 0.8, 1e-6);
  const double weight = 0.6 + 0.2 * f * f;
  EXPECT_NEAR(value(first, "equal_r"), 1, 1e-6);
  EXPECT_NEAR(value(first, "equal_s"), 0.6 / weight, 1e-6);
  EXPECT_NEAR(value(first, "least_s"), 0.6 / weight, 1e-6);  // "the"
  EXPECT_NEAR(value(first, "precision"), (0.6 + 0.2 * f * f * 0.8) / weight, 1e-6);
  EXPECT_NEAR(value(first, "missing_sum"), 0, 1e-6);
  EXPECT_NEAR(value(fact->wordings[1], "missing_max"), 0.6 * f * f / (0.6 * f * f + 0.2), 1e-6);
  EXPECT_NEAR(value(first, "no_triple"), 0.2, 1e-6);
  EXPECT_EQ(value(first, "words_s"), 2);
  EXPECT_EQ(value(first, "first_s"), static_cast<float>(WordKind::kDeterminer));
  EXPECT_EQ(value(first, "after_o"), static_cast<float>(WordKind::kPunctuation));
  EXPECT_EQ(value(first, "before_s"), static_cast<float>(WordKind::kNone));
  EXPECT_EQ(value(first, "holes"), 0);
  EXPECT_EQ(value(first, "is_fact"), 1);
  EXPECT_EQ(value(fact->wordings[1], "is_fact"), 0);
  EXPECT_EQ(value(fact->wordings[1], "more_s"), -1);
  EXPECT_EQ(value(fact->wordings[1], "more_o"), 0);
  EXPECT_NEAR(value(first, "gain_2"), weight, 1e-6);
  EXPECT_NEAR(value(first, "uncovered"), 0.8, 1e-6);
}

TEST(FactWalk, NeverOffersWhatWasShown) {
  const CandidateSet pool = RandomPool(5, 9, 2, 200, 5).build(Rule::kAllRuns);
  FactWalk walk(pool);
  std::vector<std::size_t> shown;
  while (const auto fact = walk.next()) {
    for (const Wording& wording : fact->wordings)
      EXPECT_EQ(std::count(shown.begin(), shown.end(), wording.candidate), 0);
    shown.push_back(fact->wordings.back().candidate);
    walk.show(shown.back());
  }
  EXPECT_GT(shown.size(), 2u);
}

}  // namespace
}  // namespace diffie::extract
