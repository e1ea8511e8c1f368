#include "diffusion/row_noise.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <set>
#include <vector>

#include "diffusion/chi_square.h"

namespace diffie::diffusion {
namespace {

std::uint32_t word(std::uint64_t i) { return random_words(7, Stream::kStrata, i, 1, 0)[0]; }

TEST(Strata, ThirtyTwoNeighboursTakeEachOnceAndSiblingsSpreadEvenly) {
  for (std::uint64_t draw = 0; draw < 500; ++draw)
    for (std::uint32_t log_siblings = 0; log_siblings <= kLogStrata; ++log_siblings) {
      std::set<std::uint32_t> all;
      for (std::uint32_t index = 0; index < kStrata; ++index)
        all.insert(stratum(index, log_siblings, word(draw)));
      ASSERT_EQ(all.size(), kStrata);
      ASSERT_EQ(*all.rbegin(), kStrata - 1);
      const std::uint32_t siblings = 1u << log_siblings;
      for (std::uint32_t first = 0; first < kStrata; first += siblings) {
        std::set<std::uint32_t> parts;
        for (std::uint32_t i = 0; i < siblings; ++i)
          parts.insert(stratum(first + i, log_siblings, word(draw)) * siblings / kStrata);
        ASSERT_EQ(parts.size(), siblings);
      }
    }
}

// Without this a row alone would not have the law of the chain.
TEST(Strata, AnIndexAloneGoesAnywhereWithEqualProbability) {
  const std::vector<double> law(kStrata, 1.0 / kStrata);
  for (const std::uint32_t log_siblings : {0u, 1u, 2u, 3u, 5u})
    for (const std::uint32_t index : {0u, 1u, 6u, 13u, 31u}) {
      std::vector<std::uint64_t> counts(kStrata);
      for (std::uint64_t draw = 0; draw < 50'000; ++draw)
        ++counts[stratum(index, log_siblings, word(draw))];
      EXPECT_LT(chi_square_z(counts, law), 4.0) << log_siblings << " " << index;
    }
}

// Two rows that stand together at one position must part at the next: otherwise a block of rows
// would be a few rows, repeated.
TEST(Strata, NeighboursAtOnePositionAreStrangersAtAnother) {
  const std::uint32_t half = kStrata / 2;
  for (const std::uint32_t log_siblings : {0u, 2u}) {
    int together = 0, pairs = 0;
    for (std::uint64_t draw = 0; draw < 2000; ++draw)
      for (std::uint32_t index = 8; index < kStrata; index += 8) {
        ++pairs;
        together += stratum(0, log_siblings, word(draw)) / half ==
                    stratum(index, log_siblings, word(draw)) / half;
      }
    EXPECT_NEAR(together, pairs * (half - 1.0) / (kStrata - 1), 4 * std::sqrt(pairs * 0.25));
  }
}

TEST(RowNoise, StratifiedNumbersFillTheUnitIntervalEvenly) {
  for (const std::size_t length : {1u, 5u, 30u}) {
    std::vector<std::set<int>> cells(length);
    for (std::uint64_t row = 64; row < 64 + kStrata; ++row)
      for_each_uniform({.key = 3, .trajectory = row, .index = row, .step = 2, .stratified = true},
                       length, [&](std::size_t position, double u) {
                         ASSERT_GT(u, 0);
                         ASSERT_LT(u, 1);
                         cells[position].insert(static_cast<int>(u * kStrata));
                       });
    for (const std::set<int>& taken : cells) EXPECT_EQ(taken.size(), kStrata);
  }
}

}  // namespace
}  // namespace diffie::diffusion
