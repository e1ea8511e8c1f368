#include "extract/similarity.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace diffie::extract {
namespace {

constexpr double kTie = 1e-12;  // gains nearer than this are equal

}  // namespace

Similarity::Similarity(const Bags& bags) : size_(bags.size()), values_(size_ * size_) {
  for (std::size_t i = 0; i < size_; ++i) {
    values_[i * size_ + i] = 1.0;
    for (std::size_t j = i + 1; j < size_; ++j) {
      if (!bags.share_relation_word(i, j)) continue;
      const double f = 2.0 * bags.overlap(i, j) / (bags.num_words(i) + bags.num_words(j));
      values_[i * size_ + j] = values_[j * size_ + i] = f;
    }
  }
}

Similarity Similarity::raised_to(double power) const {
  Similarity raised = *this;
  for (double& value : raised.values_)
    if (value > 0 && value < 1) value = power == 2.0 ? value * value : std::pow(value, power);
  return raised;
}

GreedyCover::GreedyCover(const Similarity& credit, std::span<const double> weights)
    : credit_(credit),
      weights_(weights),
      covered_(credit.size(), 0.0),
      most_(credit.size(), std::numeric_limits<double>::infinity()) {}

double GreedyCover::gain(std::size_t i) const {
  const std::span<const double> row = credit_.row(i);
  double gain = 0;
  for (std::size_t j = 0; j < row.size(); ++j)
    gain += weights_[j] * std::max(row[j] - covered_[j], 0.0);
  return gain;
}

Choice GreedyCover::best() {
  Choice best;
  for (std::size_t i = 0; i < most_.size(); ++i) {
    if (most_[i] <= best.gain + kTie) continue;
    most_[i] = gain(i);
    if (most_[i] > best.gain + kTie) best = {i, most_[i]};
  }
  return best;
}

void GreedyCover::cover(std::size_t candidate) {
  const std::span<const double> row = credit_.row(candidate);
  for (std::size_t j = 0; j < row.size(); ++j) covered_[j] = std::max(covered_[j], row[j]);
}

std::span<const Candidate> most_frequent(const CandidateSet& pool) {
  return std::span(pool.candidates).first(std::min(pool.candidates.size(), kMaxCandidates));
}

std::vector<double> shares(std::span<const Candidate> candidates, std::uint32_t num_samples) {
  std::vector<double> weights;
  weights.reserve(candidates.size());
  for (const Candidate& candidate : candidates)
    weights.push_back(static_cast<double>(candidate.count) / num_samples);
  return weights;
}

}  // namespace diffie::extract
