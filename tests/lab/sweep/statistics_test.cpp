#include <gtest/gtest.h>

#include "diffie/lab/sweep.h"
#include "lab/sweep/invented.h"

namespace diffie {
namespace {

TEST(PoolStatistics, CountsWhatLongestMeets) {
  // 10 samples: R in two runs of 1 and 2 (one word lost) 3 times; S and O in two runs, 1 + 1 words
  // lost, once; complete and whole 4 times; no relation twice.
  const std::vector<TagPool> pools = {
      {"a b c d e f",
       {"a", "b", "c", "d", "e", "f"},
       {{"SRORRB", 3}, {"SROSBO", 1}, {"SSRROO", 4}, {"SBBBBO", 2}}},
      {"too long", {"too", "long"}, {}},
  };
  const PoolStatistics statistics = pool_statistics(pools);
  EXPECT_EQ(statistics.num_sentences, 1u);
  EXPECT_EQ(statistics.num_samples, 10u);
  EXPECT_DOUBLE_EQ(statistics.distinct_per_sentence, 4);
  EXPECT_DOUBLE_EQ(statistics.no_triple, 0.2);
  EXPECT_DOUBLE_EQ(statistics.discontinuous, 0.4);
  EXPECT_DOUBLE_EQ(statistics.discontinuous_by_role[0], 0.1);
  EXPECT_DOUBLE_EQ(statistics.discontinuous_by_role[1], 0.3);
  EXPECT_DOUBLE_EQ(statistics.discontinuous_by_role[2], 0.1);
  EXPECT_DOUBLE_EQ(statistics.discarded, 0.5);
  EXPECT_DOUBLE_EQ(statistics.discarded_when_discontinuous, 1.25);
}

TEST(PoolStatistics, OfNothingIsZero) {
  EXPECT_EQ(pool_statistics({}).num_samples, 0u);
  const std::vector<TagPool> pools = {{"", {}, {}}};
  EXPECT_EQ(pool_statistics(pools).discontinuous, 0);
  const std::vector<TagPool> whole = {{"a", {"a"}, {{"S", 3}}}};
  EXPECT_EQ(pool_statistics(whole).discarded_when_discontinuous, 0);
}

}  // namespace
}  // namespace diffie
