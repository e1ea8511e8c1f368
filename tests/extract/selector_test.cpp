// What holds for every selector.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "expect_error.h"
#include "extract/pools.h"

namespace diffie::extract {
namespace {

class EverySelector : public testing::TestWithParam<SelectorKind> {
 protected:
  std::vector<RankedTriple> select(const CandidateSet& pool, std::size_t top_k,
                                   double min_confidence = 0) const {
    Settings settings;
    settings.selector = GetParam();
    settings.top_k = static_cast<std::int32_t>(top_k);
    settings.min_confidence = min_confidence;
    return make_selector(settings)->select(pool);
  }
};

TEST_P(EverySelector, KeepsItsPromisesOnRandomPools) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const RandomPool input(seed, 3 + seed % 20, 1 + seed % 6, 1 + seed * 3, 8);
    const CandidateSet pool = input.build(static_cast<Rule>(seed % 3));
    const auto everything = select(pool, 1000);
    for (const std::size_t top_k : {1u, 4u, 1000u}) {
      const auto ranked = select(pool, top_k);
      ASSERT_LE(ranked.size(), top_k);
      ASSERT_EQ(ranked.empty(), pool.candidates.empty());
      double sum = 0, before = 1;
      for (std::size_t i = 0; i < ranked.size(); ++i) {
        ASSERT_EQ(ranked[i], everything[i]);  // a smaller k is a prefix
        ASSERT_GT(ranked[i].confidence, 0.0);
        ASSERT_LE(ranked[i].confidence, before);
        before = ranked[i].confidence;
        sum += before;
        ASSERT_TRUE(std::any_of(pool.candidates.begin(), pool.candidates.end(),
                                [&](const auto& c) { return c.triple == ranked[i].triple; }));
      }
      ASSERT_LE(sum, 1 + 1e-12);
    }
  }
}

TEST_P(EverySelector, DoesNotSeeTheOrderOfSamples) {
  std::mt19937 random(9);
  for (unsigned seed = 0; seed < 10; ++seed) {
    RandomPool input(seed, 10, 3, 60, 6);
    const auto ranked = select(input.build(Rule::kAllRuns), 8);
    for (int shuffle = 0; shuffle < 3; ++shuffle) {
      std::shuffle(input.samples.begin(), input.samples.end(), random);
      ASSERT_EQ(select(input.build(Rule::kAllRuns), 8), ranked);
    }
  }
}

TEST_P(EverySelector, DropsWhatIsBelowMinConfidence) {
  const CandidateSet pool = RandomPool(4, 10, 3, 80, 6).build(Rule::kLongest);
  const auto all = select(pool, 1000);
  ASSERT_GT(all.size(), 3u);
  const double cut = all[2].confidence;
  for (const RankedTriple& kept : select(pool, 1000, cut)) EXPECT_GE(kept.confidence, cut);
  EXPECT_GE(select(pool, 1000, cut).size(), 3u);  // exactly the bound is kept
  EXPECT_TRUE(select(pool, 1000, 1.0).empty());
}

TEST_P(EverySelector, OneCertainTripleHasConfidenceOne) {
  CandidateSetBuilder builder({"a", "b", "c"}, Rule::kLongest);
  builder.add(roles_of("SRO"), 512);
  const auto ranked = select(builder.finish(), 4, 1.0);
  ASSERT_EQ(ranked.size(), 1u);
  EXPECT_EQ(ranked[0].confidence, 1.0);
}

TEST_P(EverySelector, AnEmptyPoolGivesNothing) {
  EXPECT_TRUE(select(CandidateSet{}, 4).empty());
  CandidateSetBuilder builder({"a", "b", "c"}, Rule::kLongest);
  builder.add(roles_of("BBB"), 512);
  EXPECT_TRUE(select(builder.finish(), 4).empty());
}

INSTANTIATE_TEST_SUITE_P(Names, EverySelector,
                         testing::Values(SelectorKind::kLenient, SelectorKind::kFrequency,
                                         SelectorKind::kCoverage));

TEST(MakeSelector, RefusesWhatCannotBe) {
  const double nan = std::nan("");
  const auto refuses = [](const Settings& settings, const char* fragment) {
    EXPECT_ERROR(make_selector(settings), ErrorCode::kInvalidArgument, fragment);
  };
  refuses({.selector = SelectorKind::kLearned}, "needs a ranker");
  refuses({.selector = static_cast<SelectorKind>(7)}, "lenient, frequency, coverage, learned");
  refuses({.top_k = 0}, "top_k");
  for (const double tau : {0.0, -0.5, 1.0001, nan}) refuses({.tau = tau}, "tau");
  for (const double power : {0.0, -1.0, 65.0, nan}) refuses({.power = power}, "power");
  for (const double wording : {-0.1, 1.1, nan}) refuses({.wording = wording}, "wording");
  for (const double bound : {-0.1, 1.1, nan}) refuses({.min_confidence = bound}, "min_confidence");
}

TEST(LenientF1, IsTwiceTheOverlapOverTheSizes) {
  const std::vector<std::string> words = {"the", "the", "dog", "bit", "the", "man"};
  const Triple a{{{{0, 2}, {3}, {4, 5}}}};
  const Triple b{{{{0, 1, 2}, {3}, {5}}}};
  EXPECT_DOUBLE_EQ(lenient_f1(a, b, words), 2.0 * (2 + 1 + 1) / 10);
  EXPECT_EQ(lenient_f1(a, a, words), 1.0);
  EXPECT_EQ(lenient_f1(a, Triple{{{{3}, {5}, {2}}}}, words), 0.0);
  EXPECT_EQ(lenient_f1(Triple{}, Triple{}, words), 0.0);
}

TEST(LenientF1, IsTheDefinitionOnRandomTriples) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const RandomPool input(seed, seed % 2 ? 150 : 10, 3, 12, 4);
    const CandidateSet pool = input.build(Rule::kAllRuns);
    for (const Candidate& a : pool.candidates)
      for (const Candidate& b : pool.candidates)
        ASSERT_DOUBLE_EQ(lenient_f1(a.triple, b.triple, pool.words),
                         2.0 * total_common(a.triple, b.triple, pool.words) /
                             (total_words(a.triple) + total_words(b.triple)));
  }
}

}  // namespace
}  // namespace diffie::extract
