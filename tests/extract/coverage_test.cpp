#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "extract/pools.h"

namespace diffie::extract {
namespace {

// F(a, j), 0 without a common relation word.
double similarity(const Triple& a, const Triple& b, const CandidateSet& pool) {
  if (a == b) return 1;
  if (common_words(a, b, 1, pool.words) == 0) return 0;
  return 2.0 * total_common(a, b, pool.words) / (total_words(a) + total_words(b));
}

// The greedy maximisation, with the whole sum computed anew for every candidate.
class Transcription {
 public:
  Transcription(const CandidateSet& pool, double power)
      : pool_(pool), size_(std::min<std::size_t>(pool.candidates.size(), 160)), credit_(size_) {
    for (std::size_t i = 0; i < size_; ++i)
      for (std::size_t j = 0; j < size_; ++j)
        credit_[i].push_back(std::pow(
            similarity(pool.candidates[i].triple, pool.candidates[j].triple, pool), power));
  }

  std::vector<RankedTriple> select(std::size_t top_k) const {
    std::vector<std::size_t> chosen;
    std::vector<RankedTriple> ranked;
    while (ranked.size() < top_k) {
      const double before = covered_mass(chosen);
      double best_gain = 0;
      std::size_t best = 0;
      for (std::size_t i = 0; i < size_; ++i) {
        chosen.push_back(i);
        const double gain = covered_mass(chosen) - before;
        chosen.pop_back();
        if (gain > best_gain + 1e-12) {
          best_gain = gain;
          best = i;
        }
      }
      if (best_gain <= 1e-4) break;
      chosen.push_back(best);
      ranked.push_back({pool_.candidates[best].triple, best_gain});
    }
    return ranked;
  }

 private:
  // sum_j w_j max_{a in chosen} F(a, j)^power
  double covered_mass(const std::vector<std::size_t>& chosen) const {
    double total = 0;
    for (std::size_t j = 0; j < size_; ++j) {
      double best = 0;
      for (const std::size_t a : chosen) best = std::max(best, credit_[a][j]);
      total += best * pool_.candidates[j].count / pool_.num_samples;
    }
    return total;
  }

  const CandidateSet& pool_;
  std::size_t size_;
  std::vector<std::vector<double>> credit_;
};

std::vector<RankedTriple> coverage(const CandidateSet& pool, Settings settings) {
  settings.selector = SelectorKind::kCoverage;
  return make_selector(settings)->select(pool);
}

TEST(Coverage, EqualsItsFormulaOnRandomPools) {
  for (unsigned seed = 0; seed < 24; ++seed) {
    const RandomPool input(seed, 5 + seed, 1 + seed % 4, 60, seed % 3 == 0 ? 4 : 30);
    const CandidateSet pool = input.build(static_cast<Rule>(seed % 3));
    for (const double power : {1.0, 2.0, 3.5}) {
      const auto ranked = coverage(pool, {.top_k = 5, .power = power});
      const auto expected = Transcription(pool, power).select(5);
      ASSERT_EQ(ranked.size(), expected.size()) << "seed " << seed << " power " << power;
      for (std::size_t i = 0; i < ranked.size(); ++i) {
        ASSERT_EQ(ranked[i].triple, expected[i].triple) << "seed " << seed << " power " << power;
        ASSERT_NEAR(ranked[i].confidence, expected[i].confidence, 1e-10);
      }
    }
  }
}

TEST(Coverage, LooksAtTheMostFrequent160Only) {
  // 160 equal candidates of two samples each that share no relation word, then one more.
  CandidateSet pool;
  for (std::uint32_t i = 0; i < 161; ++i) {
    for (const char* role : {"s", "r", "o"}) pool.words.push_back(fmt::format("{}{}", role, i));
    pool.candidates.push_back({Triple{{{{3 * i}, {3 * i + 1}, {3 * i + 2}}}}, i < 160 ? 2u : 1u});
  }
  pool.num_samples = 321;
  const auto ranked = coverage(pool, {.top_k = 1000});
  ASSERT_EQ(ranked.size(), 160u);
  for (std::size_t i = 0; i < ranked.size(); ++i)  // ties: first come, first shown
    EXPECT_EQ(ranked[i], (RankedTriple{pool.candidates[i].triple, 2.0 / 321}));
}

TEST(Coverage, TheMiddleOneMayBeatTheMostFrequentOne) {
  CandidateSet pool{
      .words = {"s", "r", "1", "2", "3", "4", "5"}, .candidates = {}, .num_samples = 10};
  pool.candidates = {{Triple{{{{0}, {1}, {2, 3}}}}, 4},
                     {Triple{{{{0}, {1}, {4, 5}}}}, 3},
                     {Triple{{{{0}, {1}, {2, 3, 4, 5}}}}, 3}};
  const auto ranked = coverage(pool, {.top_k = 2, .power = 1});
  ASSERT_GE(ranked.size(), 1u);
  EXPECT_EQ(ranked[0].triple, pool.candidates[2].triple);
  // With usual wording the same fact is said as the most frequent candidate that is near enough.
  const auto worded = coverage(pool, {.top_k = 1, .power = 1, .wording = 0.8});
  ASSERT_EQ(worded.size(), 1u);
  EXPECT_EQ(worded[0].triple, pool.candidates[0].triple);
  EXPECT_EQ(worded[0].confidence, ranked[0].confidence);
}

TEST(Coverage, UsualWordingNeverSaysTheSameTwice) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const RandomPool input(seed, 8, 1 + seed % 3, 60, 6);
    const CandidateSet pool = input.build(Rule::kAllRuns);
    for (const double wording : {0.3, 0.5, 0.8, 1.0}) {
      const auto ranked = coverage(pool, {.top_k = 10, .wording = wording});
      for (std::size_t i = 0; i < ranked.size(); ++i)
        for (std::size_t j = i + 1; j < ranked.size(); ++j)
          ASSERT_FALSE(ranked[i].triple == ranked[j].triple) << "seed " << seed;
    }
  }
}

TEST(Coverage, CandidatesWithoutACommonRelationWordDoNotCoverEachOther) {
  CandidateSet pool{.words = {"s", "r", "q", "1", "2", "3"}, .candidates = {}, .num_samples = 2};
  pool.candidates = {{Triple{{{{0}, {1}, {3, 4, 5}}}}, 1}, {Triple{{{{0}, {2}, {3, 4, 5}}}}, 1}};
  const auto ranked = coverage(pool, {.top_k = 4});
  ASSERT_EQ(ranked.size(), 2u);
  EXPECT_EQ(ranked[0].confidence, 0.5);
  EXPECT_EQ(ranked[1].confidence, 0.5);
}

}  // namespace
}  // namespace diffie::extract
