// What a ranker sees of a candidate: its place in the pool, its words, and what is chosen already.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "extract/similarity.h"
#include "extract/word_kind.h"

namespace diffie::extract {

// In this order in every feature vector. docs/selection.md says what each one is.
inline constexpr auto kFeatureNames = std::to_array<std::string_view>({
    // the candidate in its pool
    "share",
    "mass_1",
    "mass_2",
    "mass_4",
    "mass_8",
    "near_50",
    "near_70",
    "near_85",
    "precision",
    "recall",
    "agree_s",
    "agree_r",
    "agree_o",
    "equal_s",
    "equal_r",
    "equal_o",
    "own",
    "any_s",
    "any_r",
    "any_o",
    "least_s",
    "least_r",
    "least_o",
    "missing_max",
    "missing_sum",
    "mass_rank",
    // the pool
    "samples",
    "words",
    "no_triple",
    "entropy",
    "distinct",
    "top_mass",
    "facts",
    "punctuation",
    // the candidate's words
    "words_s",
    "words_r",
    "words_o",
    "runs_s",
    "runs_r",
    "runs_o",
    "first_s",
    "last_s",
    "first_r",
    "last_r",
    "first_o",
    "last_o",
    "content_r",
    "be_r",
    "prepositions_r",
    "marks_s",
    "marks_r",
    "marks_o",
    "gap_sr",
    "gap_ro",
    "begin",
    "end",
    "before_s",
    "after_o",
    "before_r",
    "after_r",
    "r_ing",
    "r_ed",
    "r_to",
    "r_said",
    "o_that",
    "joins_s",
    "joins_o",
    "prepositions_o",
    "holes",
    // what is chosen already
    "step",
    "gain_1",
    "gain_2",
    "gain_4",
    "gain_share",
    "like_chosen",
    "like_chosen_words",
    "uncovered",
    // the candidate beside the one that stands for the fact
    "like_fact",
    "share_of_best",
    "is_fact",
    "fact_gain_2",
    "fact_gain_1",
    "more_s",
    "more_r",
    "more_o",
    "mass_of_fact",
    // words that the sentence lacks
    "implied_r",
    "said_r",
});
inline constexpr std::size_t kNumFeatures = kFeatureNames.size();
using FeatureRow = std::array<float, kNumFeatures>;

// The part of the features that belongs to the pool and its candidates alone.
class PoolFeatures {
 public:
  // Borrows all of them.
  PoolFeatures(const Pool& pool, const Bags& bags, const Similarity& similarity,
               std::span<const double> weights);

  // Words of the relation that stand in the sentence.
  std::span<const std::uint32_t> said_relation(const Triple& triple) const;

  // Fills the first ones of `row` and returns how many.
  std::size_t fill(std::size_t candidate, FeatureRow& row) const;

  double mass_2(std::size_t candidate) const { return mass_2_[candidate]; }

 private:
  float* put_place(std::size_t candidate, float* out) const;
  float* put_pool(float* out) const;
  float* put_words(const Triple& triple, float* out) const;

  const Pool& pool_;
  const Bags& bags_;
  const Similarity& similarity_;
  std::span<const double> weights_;
  std::size_t in_sentence_;      // words, the implied ones not counted
  std::vector<WordKind> kinds_;  // of all words
  std::vector<double> mass_2_;   // sum_j w_j F(i, j)^2
  double top_mass_ = 0;
  double entropy_ = 0;
  double facts_ = 0;  // effective number of facts: 1 / mean mass
};

}  // namespace diffie::extract
