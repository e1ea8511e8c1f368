// How alike the candidates of a pool are.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "extract/bags.h"

namespace diffie::extract {

// F(i, j) of all pairs, 0 without a common relation word, row by row.
class Similarity {
 public:
  explicit Similarity(const Bags& bags);

  std::size_t size() const { return size_; }
  std::span<const double> row(std::size_t i) const { return {values_.data() + i * size_, size_}; }

  Similarity raised_to(double power) const;

 private:
  std::size_t size_;
  std::vector<double> values_;
};

// A candidate and what it adds to the cover.
struct Choice {
  std::size_t candidate = 0;
  double gain = 0;  // 0: nothing is left to cover
};

// Chooses candidates one after the other: next the i with the largest sum_j weights[j]
// max(credit(i, j) - covered(j), 0), the first one on ties, where covered(j) is the largest credit
// of a chosen one. What a candidate adds never grows, so those whose last known gain is too small
// are not looked at again; the choice is the same.
class GreedyCover {
 public:
  // Both arguments must outlive this.
  GreedyCover(const Similarity& credit, std::span<const double> weights);

  Choice best();
  void cover(std::size_t candidate);
  std::span<const double> covered() const { return covered_; }

 private:
  double gain(std::size_t i) const;

  const Similarity& credit_;
  std::span<const double> weights_;
  std::vector<double> covered_;
  std::vector<double> most_;  // upper bounds of the gains
};

inline constexpr std::size_t kMaxCandidates = 160;  // the most frequent ones; the rest is noise
inline constexpr double kMinGain = 1e-4;            // facts of less gain are no facts

// The candidates that are looked at, and their shares of the samples.
std::span<const Candidate> most_frequent(const CandidateSet& pool);
std::vector<double> shares(std::span<const Candidate> candidates, std::uint32_t num_samples);

}  // namespace diffie::extract
