#include "engine/passage_tags.h"

#include <gtest/gtest.h>

namespace diffie::engine {
namespace {

// Three words, the second of two pieces, and an implied one.
Passage small_passage() {
  Passage passage;
  passage.word_bytes = {{0, 1}, {2, 4}, {5, 6}};
  passage.piece_counts = {1, 2, 1, 1};
  passage.piece_ids = {7, 8, 9, 10, 11};
  return passage;
}

extract::CandidateSetBuilder builder() { return {{"ann", "saw", "bob", "is"}, Rule::kAllRuns, 1}; }

TEST(PassageTags, CountsSamplesByWord) {
  const std::vector<std::uint8_t> samples = {1, 2, 2, 3, 0,   // SRO
                                             1, 2, 0, 3, 0,   // half a word is none
                                             1, 2, 2, 3, 1,   // implied: relation or nothing
                                             1, 0, 0, 3, 2};  // "is"
  const CountedTags counted = count_tags(small_passage(), samples);
  EXPECT_EQ(counted, (CountedTags{{"SROB", 2}, {"SBOB", 1}, {"SBOR", 1}}));
  EXPECT_EQ(first_sample(small_passage(), samples, "SROB"), 0u);
  EXPECT_EQ(first_sample(small_passage(), samples, "SBOB"), 1u);
  EXPECT_EQ(first_sample(small_passage(), samples, "SBOR"), 3u);
  EXPECT_EQ(first_sample(small_passage(), samples, "BBBB"), 4u);
  auto candidates = builder();
  add_tags(small_passage(), samples, candidates);
  const extract::CandidateSet set = candidates.finish();
  EXPECT_EQ(set.num_samples, 4u);
  ASSERT_EQ(set.candidates.size(), 2u);
  EXPECT_EQ(set.candidates[0].count, 2u);
}

TEST(PassageTags, WhatWeightsLackIsSamplesWithoutATriple) {
  const std::vector<diffusion::WeightedTags> weighted = {{"SROB", 1 << 18}, {"SBOR", 1000}};
  const std::uint32_t rest = (1 << 20) - (1 << 18) - 1000;
  const CountedTags counted = count_tags(small_passage(), weighted);
  EXPECT_EQ(counted, (CountedTags{{"BBBB", rest}, {"SROB", 1 << 18}, {"SBOR", 1000}}));
  auto candidates = builder();
  add_tags(small_passage(), weighted, candidates);
  const extract::CandidateSet set = candidates.finish();
  EXPECT_EQ(set.num_samples, 1u << 20);
  ASSERT_EQ(set.candidates.size(), 2u);
  EXPECT_EQ(set.candidates[0].count, 1u << 18);
  EXPECT_EQ(set.candidates[1].triple.words[1], (std::vector<std::uint32_t>{3}));
}

TEST(PassageTags, FullWeightsLeaveNothing) {
  const std::vector<diffusion::WeightedTags> all = {{"SROB", 1 << 20}};
  EXPECT_EQ(count_tags(small_passage(), all), (CountedTags{{"SROB", 1 << 20}}));
  const std::vector<diffusion::WeightedTags> none;
  EXPECT_EQ(count_tags(small_passage(), none), (CountedTags{{"BBBB", 1 << 20}}));
}

}  // namespace
}  // namespace diffie::engine
