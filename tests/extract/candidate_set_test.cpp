#include <gtest/gtest.h>

#include <algorithm>

#include "extract/pools.h"

namespace diffie::extract {
namespace {

constexpr Rule kRules[] = {Rule::kLongest, Rule::kRelationRuns, Rule::kAllRuns};

TEST(CandidateSetBuilder, CountsSamplesWithoutATripleToo) {
  CandidateSetBuilder builder({"a", "b", "c", "d"}, Rule::kLongest);
  builder.add(roles_of("SROB"), 3);
  builder.add(roles_of("BBBB"), 5);
  builder.add(roles_of("SROO"));
  builder.add(roles_of("SROB"));
  builder.add(roles_of("OORS"), 0);
  const CandidateSet pool = builder.finish();
  EXPECT_EQ(pool.num_samples, 10u);
  EXPECT_EQ(pool.words, (std::vector<std::string>{"a", "b", "c", "d"}));
  ASSERT_EQ(pool.candidates.size(), 2u);
  EXPECT_EQ(pool.candidates[0], (Candidate{{{{{0}, {1}, {2}}}}, 4}));
  EXPECT_EQ(pool.candidates[1], (Candidate{{{{{0}, {1}, {2, 3}}}}, 1}));
}

TEST(CandidateSetBuilder, RowsThatGiveTheSameTripleAreOneCandidate) {
  CandidateSetBuilder builder({"a", "b", "c", "d", "e"}, Rule::kLongest);
  builder.add(roles_of("SSROB"));
  builder.add(roles_of("SSROB"));
  builder.add(roles_of("SSROS"));  // the lone S is dropped
  const CandidateSet pool = builder.finish();
  ASSERT_EQ(pool.candidates.size(), 1u);
  EXPECT_EQ(pool.candidates[0].count, 3u);
}

TEST(CandidateSetBuilder, JudgementsOfRowsAreThoseOfTheirTriple) {
  CandidateSetBuilder builder({"a", "b", "c", "d", "e"}, Rule::kLongest);
  builder.add(roles_of("SSROS"), 2, 0.75f, 0.75f);
  builder.add(roles_of("SSROB"), 2, 0.25f, 0.5f);
  builder.add(roles_of("SROBB"), 1);
  builder.add(roles_of("BBBBB"), 1);
  const auto triples =
      builder.triples_of(std::vector{roles_of("SSROS"), roles_of("SSROB"), roles_of("BBBBB")});
  EXPECT_EQ(triples[0], triples[1]);
  EXPECT_FALSE(triples[2]);
  const CandidateSet pool = builder.finish();
  ASSERT_EQ(pool.candidates.size(), 2u);
  EXPECT_EQ(pool.candidates[0].triple, triples[0]);
  EXPECT_EQ(pool.candidates[0].count, 4u);
  EXPECT_EQ(pool.candidates[0].exact, 0.25f);
  EXPECT_EQ(pool.candidates[0].lenient, 0.5f);
  EXPECT_FALSE(pool.candidates[1].is_judged());
}

TEST(CandidateSetBuilder, ATripleIsJudgedAsTheBestOfTheRowsThatBecomeIt) {
  for (std::size_t best = 6; best < 12; ++best) {
    CandidateSetBuilder builder(std::vector<std::string>(12, "a"), Rule::kLongest);
    for (std::size_t stray = 6; stray < 12; ++stray) {  // a lone S is dropped
      std::string roles = "SSROBBBBBBBB";
      roles[stray] = 'S';
      builder.add(roles_of(roles), 1, stray == best ? 0.75f : 0.25f, 0.5f);
    }
    builder.add(roles_of("SROBBBBBBBBB"), 1, 0.0f, 0.0f);
    const CandidateSet pool = builder.finish();
    ASSERT_EQ(pool.candidates.size(), 2u);
    EXPECT_EQ(pool.candidates[0].count, 6u);
    EXPECT_EQ(pool.candidates[0].exact, 0.75f);
    EXPECT_TRUE(pool.candidates[1].is_judged());
  }
}

TEST(CandidateSetBuilder, IsSortedAndIndependentOfTheOrderOfAdds) {
  std::mt19937 random(3);
  for (const Rule rule : kRules)
    for (unsigned seed = 0; seed < 10; ++seed) {
      RandomPool input(seed, 9, 3, 60, 5);
      const CandidateSet pool = input.build(rule);
      for (std::size_t i = 1; i < pool.candidates.size(); ++i) {
        const Candidate& before = pool.candidates[i - 1];
        const Candidate& here = pool.candidates[i];
        ASSERT_TRUE(before.count > here.count ||
                    (before.count == here.count && before.triple < here.triple));
      }
      for (int shuffle = 0; shuffle < 5; ++shuffle) {
        std::shuffle(input.samples.begin(), input.samples.end(), random);
        const CandidateSet other = input.build(rule);
        ASSERT_EQ(other.candidates, pool.candidates);
        ASSERT_EQ(other.num_samples, pool.num_samples);
      }
    }
}

TEST(CandidateSetBuilder, OneImpliedVerbIsEnough) {
  CandidateSetBuilder builder({"ann", "spy", "is", "was", "of"}, Rule::kAllRuns, 3);
  builder.add(roles_of("SORRR"));
  builder.add(roles_of("SOBRB"), 2);
  builder.add(roles_of("SORBB"));
  const CandidateSet pool = builder.finish();
  ASSERT_EQ(pool.candidates.size(), 3u);
  for (const Candidate& candidate : pool.candidates) {
    const std::vector<std::uint32_t>& relation = candidate.triple.words[1];
    EXPECT_EQ(std::ranges::count(relation, 2u) + std::ranges::count(relation, 3u), 1);
  }
  EXPECT_EQ(pool.candidates[1].triple.words[1], (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(pool.candidates[2].triple.words[1], (std::vector<std::uint32_t>{3, 4}));
}

TEST(CandidateSetBuilder, OfImpliedVerbsThatAreEqualTheFirstStays) {
  CandidateSetBuilder builder({"ann", "spy", "is", "was", "of"}, Rule::kAllRuns, 3);
  builder.add(roles_of("SORRB"));
  const CandidateSet pool = builder.finish();
  ASSERT_EQ(pool.candidates.size(), 1u);
  EXPECT_EQ(pool.candidates[0].triple.words[1], (std::vector<std::uint32_t>{2}));
}

TEST(CandidateSetBuilder, RowsThatAreAskedAboutHaveOneImpliedVerbToo) {
  CandidateSetBuilder builder({"ann", "spy", "is", "was", "of"}, Rule::kAllRuns, 3);
  builder.add(roles_of("SORRR"));
  builder.add(roles_of("SOBRB"), 2);
  const std::vector<std::vector<Role>> asked = {roles_of("SORRR")};
  const auto triples = builder.triples_of(asked);
  ASSERT_TRUE(triples[0]);
  EXPECT_EQ(triples[0]->words[1], (std::vector<std::uint32_t>{3, 4}));
}

TEST(CandidateSetBuilder, NothingAddedIsAnEmptyPool) {
  const CandidateSet pool = CandidateSetBuilder({"a"}, Rule::kLongest).finish();
  EXPECT_TRUE(pool.candidates.empty());
  EXPECT_EQ(pool.num_samples, 0u);
  const CandidateSet no_words = CandidateSetBuilder({}, Rule::kAllRuns).finish();
  EXPECT_TRUE(no_words.words.empty());
}

TEST(CandidateSetBuilder, IsEmptyAfterFinish) {
  CandidateSetBuilder builder({"a", "b", "c", "is"}, Rule::kLongest, 1);
  builder.add(roles_of("SROB"));
  EXPECT_EQ(builder.finish().candidates.size(), 1u);
  const CandidateSet second = builder.finish();
  EXPECT_TRUE(second.candidates.empty());
  EXPECT_TRUE(second.words.empty());
  EXPECT_EQ(second.num_implied, 0u);
  EXPECT_EQ(second.num_samples, 0u);
}

}  // namespace
}  // namespace diffie::extract
