#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "extract/fact_walk.h"
#include "extract/pools.h"

namespace diffie::extract {
namespace {

CandidateSet pool_of(const std::vector<std::string>& words, std::size_t num_implied,
                     const std::vector<Sample>& samples) {
  CandidateSetBuilder builder(words, Rule::kAllRuns, num_implied);
  for (const Sample& sample : samples) builder.add(roles_of(sample.roles), sample.count);
  CandidateSet pool = builder.finish();
  // All but the last are judged; features of schema 1 do not see it.
  for (std::size_t i = 0; i + 1 < pool.candidates.size(); ++i) {
    pool.candidates[i].exact = static_cast<float>((i * 5 + 3) % 7) / 8;
    pool.candidates[i].lenient = static_cast<float>((i * 3 + 4) % 8) / 8;
  }
  return pool;
}

// Two pools in which no two features are alike throughout.
std::vector<CandidateSet> pools() {
  return {pool_of({"yesterday", ",", "the", "tall", "man", "said", "that", "he", "and", "ann",
                   "walked", "to", "town", ".", "is", "of"},
                  2,
                  {{"BBSSSROOOOOOOBBB", 7},
                   {"BBBSSRBOOOOOOBBB", 4},
                   {"BBBBBBBSSSRROBBB", 5},
                   {"BBBBBBBSBBRROBBR", 2},
                   {"BBSSSBBBBOBBBBRR", 3},
                   {"OBSSSRBOOOOOOBBB", 1},
                   {"BBSSSROOOOOOBBBB", 2},
                   {"BBSSSROOBBBBBBBB", 2},
                   {"BBBBBBBBBBBBBBBB", 3}}),
          pool_of({"going", ",", "not", "to", "be", "seen", ",", "(", "she", "-", "kept", "trying",
                   "in", "it", ")", "with", "us"},
                  0,
                  {{"BBBBBBBBSBRRROBBB", 9},
                   {"BBBBBBBSSSRRBOBOO", 2},
                   {"BBBBBBBBSBBRRBOOO", 5},
                   {"SBRRRRROBBBBBBBBB", 3},
                   {"SBBRRRROOBBBBBBBB", 4},
                   {"RBBBBBBSSSBBBOBOO", 1},
                   {"BBBBBBBBSBBBRRBBO", 2},
                   {"BBBBBBBBBBBBBBBBB", 30}})};
}

// And one with holes in every slot.
std::vector<CandidateSet> pools_with_holes() {
  std::vector<CandidateSet> all = pools();
  all.push_back(pool_of(
      {"the", "dog", "of", "ann", "was", "not", "often", "seen", "with", "a", "man", "or", "ball"},
      0,
      {{"SBBSRBRRROBBO", 4},
       {"SSSBRRBRBOOBO", 3},
       {"BSBSRBBRROOOB", 2},
       {"SSBBBBBRBBROB", 6},
       {"SBSBRRBRBBBOB", 1},
       {"BBBSRRRRROOBB", 5}}));
  return all;
}

// [feature, wording]
std::vector<std::vector<float>> all_features(const std::vector<CandidateSet>& pools) {
  std::vector<std::vector<float>> columns(kNumFeatures);
  for (const CandidateSet& pool : pools) {
    FactWalk walk(pool);
    while (const auto fact = walk.next()) {
      for (const Wording& wording : fact->wordings)
        for (std::size_t i = 0; i < kNumFeatures; ++i) columns[i].push_back(wording.features[i]);
      walk.show(fact->wordings.back().candidate);
    }
  }
  return columns;
}

void expect_golden(const std::string& name, std::size_t first, std::size_t end,
                   const std::vector<std::vector<float>>& columns) {
  std::ifstream file(fmt::format("{}/tests/extract/{}", DIFFIE_SOURCE_DIR, name));
  ASSERT_TRUE(file);
  const auto golden = nlohmann::ordered_json::parse(file);
  ASSERT_EQ(golden.size(), end - first);
  std::size_t index = first;
  for (const auto& [feature, values] : golden.items()) {
    EXPECT_EQ(kFeatureNames[index], feature);
    const auto expected = values.get<std::vector<float>>();
    ASSERT_EQ(columns[index].size(), expected.size());
    for (std::size_t row = 0; row < expected.size(); ++row)
      EXPECT_FLOAT_EQ(columns[index][row], expected[row]) << feature << ", row " << row;
    ++index;
  }
}

// Each file was written when its schema got its number. No two columns are equal, so a function
// that stands under another one's name is noticed.
TEST(Features, MeanWhatRankersOfSchema1HaveLearned) {
  const std::vector<std::vector<float>> columns = all_features(pools());
  expect_golden("features.json", 0, 88, columns);
  EXPECT_EQ(std::set(columns.begin(), columns.begin() + 88).size(), 88u);
}

TEST(Features, MeanWhatRankersOfSchema2HaveLearned) {
  const std::vector<std::vector<float>> columns = all_features(pools_with_holes());
  expect_golden("features-2.json", 88, 106, columns);
  EXPECT_EQ(std::set(columns.begin(), columns.end()).size(), kNumFeatures);
}

TEST(Features, HaveDifferentNames) {
  EXPECT_EQ(std::set(kFeatureNames.begin(), kFeatureNames.end()).size(), kNumFeatures);
}

}  // namespace
}  // namespace diffie::extract
