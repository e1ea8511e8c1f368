#include "lab/sweep/subset.h"

#include <gtest/gtest.h>

#include <numeric>

namespace diffie::sweep {
namespace {

TagPool uneven_pool() {
  return {"a b c", {"a", "b", "c"}, {{"SRO", 60}, {"SRB", 30}, {"BBB", 10}}};
}

std::uint32_t sum(const std::vector<std::uint32_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), 0u);
}

TEST(Subset, HasAsManySamplesAsAskedAndNeverMoreOfAKind) {
  const TagPool pool = uneven_pool();
  for (std::size_t n : {1u, 2u, 7u, 50u, 99u}) {
    for (std::uint32_t repeat = 0; repeat < 20; ++repeat) {
      const auto counts = subset_counts(pool, n, 3, repeat);
      ASSERT_EQ(counts.size(), 3u);
      EXPECT_EQ(sum(counts), n);
      for (std::size_t i = 0; i < 3; ++i) EXPECT_LE(counts[i], pool.tags[i].count);
    }
  }
}

TEST(Subset, OfAllSamplesIsThePool) {
  const std::vector<std::uint32_t> all = {60, 30, 10};
  EXPECT_EQ(subset_counts(uneven_pool(), 100, 0, 0), all);
  EXPECT_EQ(subset_counts(uneven_pool(), 1000, 0, 1), all);
  EXPECT_TRUE(subset_counts({"", {}, {}}, 16, 0, 0).empty());
}

TEST(Subset, SmallerOnesAreNested) {
  for (std::uint32_t repeat = 0; repeat < 10; ++repeat) {
    std::vector<std::uint32_t> smaller(3, 0);
    for (std::size_t n = 1; n <= 100; ++n) {
      const auto counts = subset_counts(uneven_pool(), n, 1, repeat);
      for (std::size_t i = 0; i < 3; ++i) EXPECT_GE(counts[i], smaller[i]) << n;
      smaller = counts;
    }
  }
}

TEST(Subset, DependsOnSeedRepeatAndSentence) {
  TagPool pool{"a", {"a"}, {}};
  for (std::uint32_t i = 0; i < 4; ++i) pool.tags.push_back({std::string(1, "BSRO"[i]), 64});
  const auto counts = subset_counts(pool, 100, 1, 0);
  EXPECT_EQ(counts, subset_counts(pool, 100, 1, 0));
  EXPECT_NE(counts, subset_counts(pool, 100, 2, 0));
  EXPECT_NE(counts, subset_counts(pool, 100, 1, 1));
  pool.sentence = "b";
  EXPECT_NE(counts, subset_counts(pool, 100, 1, 0));
}

// What was drawn before must be drawn again.
TEST(Subset, OfASeedIsAlwaysTheSame) {
  EXPECT_EQ(subset_counts(uneven_pool(), 7, 3, 0), (std::vector<std::uint32_t>{5, 2, 0}));
  EXPECT_EQ(subset_counts(uneven_pool(), 50, 3, 1), (std::vector<std::uint32_t>{37, 9, 4}));
  EXPECT_EQ(subset_counts(uneven_pool(), 99, 3, 2), (std::vector<std::uint32_t>{60, 29, 10}));
}

TEST(Subset, OfWeightsIsInProportionToo) {
  const TagPool pool{
      "a b c", {"a", "b", "c"}, {{"SRO", 600'000}, {"BBB", 300'000}, {"ORS", 148'576}}};
  const auto counts = subset_counts(pool, 10'000, 1, 0);
  EXPECT_EQ(sum(counts), 10'000u);
  EXPECT_NEAR(counts[0], 10'000 * 600'000.0 / (1 << 20), 250);  // five deviations
  EXPECT_NEAR(counts[1], 10'000 * 300'000.0 / (1 << 20), 230);
}

// Every sample is as likely as every other: the first kind makes up 60 of 100.
TEST(Subset, DrawsInProportion) {
  double first = 0;
  constexpr int kRepeats = 2000;
  for (std::uint32_t repeat = 0; repeat < kRepeats; ++repeat) {
    first += subset_counts(uneven_pool(), 10, 7, repeat)[0];
  }
  // Hypergeometric: mean 6, deviation 1.48 of one draw, 0.033 of the mean of 2000.
  EXPECT_NEAR(first / kRepeats, 6.0, 0.15);
}

}  // namespace
}  // namespace diffie::sweep
