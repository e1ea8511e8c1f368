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
  return builder.finish();
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

// [feature, wording]
std::vector<std::vector<float>> all_features() {
  std::vector<std::vector<float>> columns(kNumFeatures);
  for (const CandidateSet& pool : pools()) {
    FactWalk walk(pool);
    while (const auto fact = walk.next()) {
      for (const Wording& wording : fact->wordings)
        for (std::size_t i = 0; i < kNumFeatures; ++i) columns[i].push_back(wording.features[i]);
      walk.show(fact->wordings.back().candidate);
    }
  }
  return columns;
}

// features.json was written when schema 1 got its number. No two columns are equal, so a function
// that stands under another one's name is noticed.
TEST(Features, MeanWhatRankersOfSchema1HaveLearned) {
  std::ifstream file(DIFFIE_SOURCE_DIR "/tests/extract/features.json");
  ASSERT_TRUE(file);
  const auto golden = nlohmann::ordered_json::parse(file);
  const std::vector<std::vector<float>> columns = all_features();
  ASSERT_EQ(golden.size(), kNumFeatures);
  std::size_t index = 0;
  for (const auto& [name, values] : golden.items()) {
    EXPECT_EQ(kFeatureNames[index], name);
    const auto expected = values.get<std::vector<float>>();
    ASSERT_EQ(columns[index].size(), expected.size());
    for (std::size_t row = 0; row < expected.size(); ++row)
      EXPECT_FLOAT_EQ(columns[index][row], expected[row]) << name << ", row " << row;
    ++index;
  }
  EXPECT_EQ(std::set(columns.begin(), columns.end()).size(), kNumFeatures);
}

TEST(Features, HaveDifferentNames) {
  EXPECT_EQ(std::set(kFeatureNames.begin(), kFeatureNames.end()).size(), kNumFeatures);
}

}  // namespace
}  // namespace diffie::extract
