#include <gtest/gtest.h>

#include <algorithm>

#include "extract/pools.h"
#include "extract/rankers.h"

namespace diffie::extract {
namespace {

std::vector<RankedTriple> select(const CandidateSet& pool, const Ranker& ranker, std::size_t top_k,
                                 double min_confidence = 0) {
  Settings settings;
  settings.selector = SelectorKind::kLearned;
  settings.top_k = static_cast<std::int32_t>(top_k);
  settings.min_confidence = min_confidence;
  return make_selector(settings, std::make_shared<Ranker>(ranker))->select(pool);
}

TEST(LearnedSelector, KeepsTheSelectorsPromisesOnRandomPools) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const RandomPool input(seed, 3 + seed % 20, 1 + seed % 6, 1 + seed * 3, 8);
    const CandidateSet pool = input.build(static_cast<Rule>(seed % 3));
    const auto everything = select(pool, plain_ranker(), 1000);
    for (const std::size_t top_k : {1u, 4u, 1000u}) {
      const auto ranked = select(pool, plain_ranker(), top_k);
      ASSERT_EQ(ranked.size(), std::min(top_k, everything.size()));
      ASSERT_EQ(ranked.empty(), pool.candidates.empty());
      double before = 1;
      for (std::size_t i = 0; i < ranked.size(); ++i) {
        ASSERT_EQ(ranked[i], everything[i]);  // a smaller k is a prefix
        ASSERT_GT(ranked[i].confidence, 0.0);
        ASSERT_LE(ranked[i].confidence, before);
        before = ranked[i].confidence;
        ASSERT_EQ(
            std::count_if(everything.begin(), everything.end(),
                          [&](const auto& other) { return other.triple == ranked[i].triple; }),
            1);  // nothing is said twice
      }
    }
  }
}

TEST(LearnedSelector, DoesNotSeeTheOrderOfSamples) {
  std::mt19937 random(9);
  RandomPool input(3, 10, 3, 60, 6);
  const auto ranked = select(input.build(Rule::kAllRuns), plain_ranker(), 8);
  for (int shuffle = 0; shuffle < 5; ++shuffle) {
    std::shuffle(input.samples.begin(), input.samples.end(), random);
    ASSERT_EQ(select(input.build(Rule::kAllRuns), plain_ranker(), 8), ranked);
  }
}

TEST(LearnedSelector, LooksAtSixteenFactsAtMost) {
  constexpr std::size_t kFacts = 20;
  std::vector<std::string> words;
  for (std::size_t word = 0; word < 3 * kFacts; ++word) words.push_back(std::to_string(word));
  CandidateSetBuilder builder(words, Rule::kAllRuns);
  for (std::size_t fact = 0; fact < kFacts; ++fact) {
    std::string roles(words.size(), 'B');
    roles.replace(3 * fact, 3, "SRO");
    builder.add(roles_of(roles));
  }
  EXPECT_EQ(select(builder.finish(), plain_ranker(), 1000).size(), 16u);
}

TEST(LearnedSelector, NothingComesFromNothing) {
  EXPECT_TRUE(select(CandidateSet{}, plain_ranker(), 4).empty());
  CandidateSetBuilder builder({"a", "b"}, Rule::kAllRuns);
  builder.add(roles_of("BB"), 9);
  EXPECT_TRUE(select(builder.finish(), plain_ranker(), 4).empty());
}

TEST(LearnedSelector, DropsWhatIsBelowMinConfidence) {
  const CandidateSet pool = RandomPool(4, 10, 3, 80, 6).build(Rule::kLongest);
  const auto all = select(pool, plain_ranker(), 16);
  ASSERT_GT(all.size(), 3u);
  const double cut = all[2].confidence;
  const auto kept = select(pool, plain_ranker(), 16, cut);
  EXPECT_GE(kept.size(), 3u);  // exactly the bound is kept
  EXPECT_LT(kept.size(), all.size());
  EXPECT_TRUE(select(pool, plain_ranker(), 16, 1.0).empty());
}

// Two wordings of one fact, 5 : 4, and a fact of its own.
CandidateSet two_facts() {
  CandidateSetBuilder builder({"the", "old", "dog", "bit", "a", "man", "and", "ran", "home"},
                              Rule::kAllRuns);
  builder.add(roles_of("SSSROOBBB"), 5);
  builder.add(roles_of("BSSROOBBB"), 4);
  builder.add(roles_of("SSSBBBBRO"), 3);
  return builder.finish();
}

TEST(LearnedSelector, TheRankerChoosesTheWording) {
  Ranker ranker = plain_ranker();
  const auto frequent = select(two_facts(), ranker, 4);
  EXPECT_EQ(frequent[0].triple.words[0], (std::vector<std::uint32_t>{0, 1, 2}));
  ranker.wording = staircase("share", 64, -1);
  const auto rare = select(two_facts(), ranker, 4);
  EXPECT_EQ(rare[0].triple.words[0], (std::vector<std::uint32_t>{1, 2}));
}

TEST(LearnedSelector, TheRankerSaysHowFactsAreFound) {
  CandidateSetBuilder builder({"ann", "met", "bob", "and", "cid", "today"}, Rule::kAllRuns);
  builder.add(roles_of("SROOOB"), 9, 0.25f, 0.5f);
  builder.add(roles_of("SROOOO"), 4, 0.5f, 0.5f);  // F = 10 / 11 to the first
  builder.add(roles_of("SRBBBO"), 1, 0.375f, 0.5f);
  const CandidateSet pool = builder.finish();
  Ranker ranker = plain_ranker();
  EXPECT_EQ(select(pool, ranker, 16).size(), 3u);
  ranker.walk = Walk::kJudged;
  EXPECT_EQ(select(pool, ranker, 16).size(), 2u);  // "ann met bob and cid" is said once
}

TEST(LearnedSelector, TheRankerChoosesTheOrder) {
  Ranker ranker = plain_ranker();
  const auto by_gain = select(two_facts(), ranker, 16);
  ASSERT_GE(by_gain.size(), 2u);
  EXPECT_EQ(by_gain[0].triple.words[1], (std::vector<std::uint32_t>{3}));
  EXPECT_EQ(by_gain[1].triple.words[1], (std::vector<std::uint32_t>{7}));
  ranker.worth = staircase("fact_gain_2", 64, -1);
  ranker.calibration = Calibration({{-64, 0.1}, {0, 0.9}});
  const auto reversed = select(two_facts(), ranker, 16);
  EXPECT_EQ(reversed.back().triple, by_gain[0].triple);
  EXPECT_EQ(reversed[reversed.size() - 2].triple, by_gain[1].triple);
}

}  // namespace
}  // namespace diffie::extract
