// What a ranker sees of a candidate: its place in the pool, its words, and what is chosen already.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "extract/feature_table.h"
#include "extract/similarity.h"
#include "extract/word_kind.h"

namespace diffie::extract {

// Candidates at least as like each other as this (F, less what rounding makes) may word one fact.
inline constexpr double kWordingLikeness = 0.75 - 1e-9;

// The part of the features that belongs to the pool and its candidates alone.
class PoolFeatures {
 public:
  // Borrows all of them.
  PoolFeatures(const CandidateSet& pool, const Bags& bags, const Similarity& similarity,
               std::span<const double> weights);

  // Words of the relation that stand in the sentence.
  std::span<const std::uint32_t> said_relation(const Triple& triple) const;

  // All but the features of a Moment, which are 0.
  FeatureRow row(std::size_t candidate) const;

  double mass_2(std::size_t candidate) const { return mass_2_[candidate]; }
  // What the judge says, 0: it was not asked.
  double exact(std::size_t candidate) const { return exact_[candidate]; }

 private:
  Place place(std::size_t candidate) const;
  Phrase phrase(const Triple& triple) const;
  Opinion opinion(std::size_t candidate) const;

  const CandidateSet& pool_;
  const Bags& bags_;
  const Similarity& similarity_;
  std::span<const double> weights_;
  std::size_t in_sentence_;      // words, the implied ones not counted
  std::vector<WordKind> kinds_;  // of all words
  std::vector<double> mass_2_;   // sum_j w_j F(i, j)^2
  double top_mass_ = 0;
  std::vector<double> exact_;
  double best_exact_ = 0;
  double total_exact_ = 0;
  FeatureRow pool_row_{};  // the features that all candidates share
};

}  // namespace diffie::extract
