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
      EXPECT_EQ(value(wording, "last_r"),
                static_cast<float>(whole ? WordKind::kBe : WordKind::kPreposition));
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

TEST(FactWalk, WhatTheJudgeSaysWorkedOutByHand) {
  CandidateSetBuilder builder({"the", "dog", "bit", "a", "man", "."}, Rule::kAllRuns);
  builder.add(roles_of("SSROOB"), 6, 0.25f, 0.75f);
  builder.add(roles_of("BSROOB"), 2, 0.5f, 0.625f);
  builder.add(roles_of("SBRBBO"), 1);  // too far down to be asked about
  builder.add(roles_of("BBBBBB"), 1);
  const CandidateSet pool = builder.finish();
  FactWalk walk(pool);
  const auto fact = walk.next();
  ASSERT_TRUE(fact);
  ASSERT_EQ(fact->wordings.size(), 2u);
  const Wording& first = fact->wordings[0];
  EXPECT_EQ(value(first, "judged"), 1);
  EXPECT_EQ(value(first, "judge_exact"), 0.25f);
  EXPECT_EQ(value(first, "judge_lenient"), 0.75f);
  EXPECT_EQ(value(first, "judge_of_best"), 0.5f);
  EXPECT_EQ(value(first, "judge_rank"), 1);
  EXPECT_NEAR(value(first, "judge_share"), 0.25 * 0.6, 1e-6);
  EXPECT_EQ(value(first, "judge_near"), 0.75f);
  EXPECT_EQ(value(first, "judge_total"), 0.75f);
  EXPECT_EQ(value(first, "judge_of_wordings"), 0.5f);
  EXPECT_EQ(value(fact->wordings[1], "judge_rank"), 0);
  EXPECT_EQ(value(fact->wordings[1], "judge_of_wordings"), 1);
  const auto last = walk.next();
  ASSERT_TRUE(last);
  const Wording& unjudged = last->wordings.back();
  EXPECT_EQ(value(unjudged, "judged"), 0);
  EXPECT_EQ(value(unjudged, "judge_exact"), 0);
  EXPECT_EQ(value(unjudged, "judge_lenient"), 0);
  EXPECT_EQ(value(unjudged, "judge_rank"), 2);
  EXPECT_EQ(value(unjudged, "judge_near"), 0);
  EXPECT_EQ(value(unjudged, "judge_of_wordings"), 0);
  EXPECT_EQ(value(unjudged, "content_o"), 0);
  EXPECT_EQ(value(unjudged, "marks_at_ends"), 2);
  EXPECT_EQ(value(unjudged, "open_s"), 1);
}

TEST(FactWalk, HolesOfTheSlots) {
  const std::vector<std::string> words = {"the",  "big",  "dog", "was", "not", "often",
                                          "seen", "here", "by",  "a",   "man", "of"};
  const auto of = [&](const char* roles) {
    CandidateSetBuilder builder(words, Rule::kAllRuns);
    builder.add(roles_of(roles), 1);
    const CandidateSet pool = builder.finish();
    return FactWalk(pool).next()->wordings.front();
  };
  const Wording solid = of("SSSRRRRRROOB");
  for (const char* name : {"hole_s", "hole_r", "hole_r_beyond_verb", "hole_o", "open_o"})
    EXPECT_EQ(value(solid, name), 0) << name;
  EXPECT_EQ(value(solid, "content_s"), 2);
  EXPECT_EQ(value(solid, "content_o"), 1);
  const Wording split_verb = of("SBSRBBRRROBO");
  EXPECT_EQ(value(split_verb, "hole_s"), 1);
  EXPECT_EQ(value(split_verb, "hole_r"), 2);
  EXPECT_EQ(value(split_verb, "hole_r_beyond_verb"), 0);
  EXPECT_EQ(value(split_verb, "hole_o"), 1);
  EXPECT_EQ(value(split_verb, "open_o"), 1);
  const Wording torn = of("SSSRRBRBROOB");  // was not | seen | by
  EXPECT_EQ(value(torn, "hole_r"), 2);
  EXPECT_EQ(value(torn, "hole_r_beyond_verb"), 1);
}

// By falling probability; what is like something shown is no fact of its own.
TEST(FactWalk, MayFollowTheJudge) {
  CandidateSetBuilder builder({"the", "dog", "bit", "a", "man", "and", "ran", "home"},
                              Rule::kAllRuns);
  builder.add(roles_of("SSROOBBB"), 9, 0.25f, 0.5f);
  builder.add(roles_of("BSROOBBB"), 2, 0.5f, 0.5f);   // F = 8/9 to the first
  builder.add(roles_of("SSBBBBRO"), 3, 0.75f, 0.5f);  // another relation
  builder.add(roles_of("SSROBBBB"), 4);               // not judged, F = 8/9 to the first
  builder.add(roles_of("BSBBBBOR"), 1);               // not judged
  const CandidateSet pool = builder.finish();
  FactWalk walk(pool, Walk::kJudged);
  std::vector<std::vector<std::uint32_t>> relations;
  std::vector<std::size_t> shown;
  while (const auto fact = walk.next()) {
    ASSERT_FALSE(fact->wordings.empty());
    relations.push_back(pool.candidates[fact->candidate].triple.words[1]);
    shown.push_back(fact->candidate);
    walk.show(fact->candidate);
  }
  const std::vector<std::vector<std::uint32_t>> wanted = {{6}, {2}, {2}, {7}};
  EXPECT_EQ(relations, wanted);
  EXPECT_EQ(pool.candidates[shown[1]].exact, 0.5f);
  EXPECT_FALSE(pool.candidates[shown[2]].is_judged());  // F = 6/8 to "dog bit a man"
  for (unsigned seed = 0; seed < 20; ++seed) {
    CandidateSet random = RandomPool(seed, 10, 4, 90, 8).build(Rule::kAllRuns);
    for (std::size_t i = 0; i < random.candidates.size(); ++i)
      random.candidates[i].exact = i % 3 == 0 ? -1 : static_cast<float>(i * 7 % 11) / 11;
    const Bags bags(random.candidates, random.words);
    FactWalk judged(random, Walk::kJudged);
    std::vector<std::size_t> chosen;
    double before = 1;
    while (const auto fact = judged.next()) {
      const Candidate& candidate = random.candidates[fact->candidate];
      EXPECT_LE(candidate.exact, before);
      before = candidate.exact;
      const std::size_t taken = fact->wordings.back().candidate;
      for (const std::size_t other : chosen) {
        if (bags.share_relation_word(taken, other)) {
          EXPECT_LT(lenient_f1(random.candidates[taken].triple, random.candidates[other].triple,
                               random.words),
                    0.8);
        }
      }
      chosen.push_back(taken);
      judged.show(taken);
    }
    EXPECT_EQ(chosen.empty(), random.candidates.empty());
  }
}

TEST(FactWalk, TheJudgesFactsEndWhereNoneIsShown) {
  CandidateSet pool = RandomPool(3, 10, 4, 90, 8).build(Rule::kAllRuns);
  for (std::size_t i = 0; i < pool.candidates.size(); ++i)
    pool.candidates[i].exact = static_cast<float>(i * 7 % 11) / 11;
  FactWalk walk(pool, Walk::kJudged);
  std::vector<std::size_t> met;
  while (const auto fact = walk.next()) {
    ASSERT_EQ(std::count(met.begin(), met.end(), fact->candidate), 0);
    met.push_back(fact->candidate);
    for (const Wording& wording : fact->wordings) {
      if (wording.candidate != fact->candidate) continue;
      EXPECT_NEAR(value(wording, "gain_2"), fact->gain, 1e-6);
    }
  }
  EXPECT_EQ(met.size(), pool.candidates.size());
}

// Eight wordings are offered, and the fact's own where it is rarer than they are.
TEST(FactWalk, AFactIsAmongItsWordings) {
  CandidateSetBuilder builder({"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"},
                              Rule::kAllRuns);
  for (std::size_t left_out = 0; left_out < 10; ++left_out) {  // all alike: F = 20/22
    std::string roles = "SSSSSSSSSSRO";
    roles[left_out] = 'B';
    builder.add(roles_of(roles), 20 - static_cast<std::uint32_t>(left_out),
                left_out == 9 ? 0.75f : 0.25f, 0.5f);
  }
  const CandidateSet pool = builder.finish();
  ASSERT_EQ(pool.candidates.size(), 10u);
  const auto fact = FactWalk(pool, Walk::kJudged).next();
  ASSERT_TRUE(fact);
  EXPECT_EQ(fact->candidate, 9u);
  std::vector<std::size_t> offered;
  for (const Wording& wording : fact->wordings) offered.push_back(wording.candidate);
  EXPECT_EQ(offered, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 9}));
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
