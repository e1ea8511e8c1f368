#include "extract/similarity.h"

#include <algorithm>
#include <cmath>

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

Choice best_choice(const Similarity& credit, std::span<const double> weights,
                   std::span<const double> covered) {
  Choice best;
  for (std::size_t i = 0; i < credit.size(); ++i) {
    const std::span<const double> row = credit.row(i);
    double gain = 0;
    for (std::size_t j = 0; j < row.size(); ++j)
      gain += weights[j] * std::max(row[j] - covered[j], 0.0);
    if (gain > best.gain + kTie) best = {i, gain};
  }
  return best;
}

std::span<const Candidate> most_frequent(const Pool& pool) {
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
