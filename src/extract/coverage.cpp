// Selection by coverage: the few triples that together stand for most of the pool.
#include <algorithm>
#include <cmath>
#include <optional>

#include "extract/bags.h"
#include "extract/selectors.h"

namespace diffie::extract {
namespace {

constexpr std::size_t kMaxCandidates = 160;  // the most frequent ones; the rest is noise and n^2
constexpr double kMinGain = 1e-4;            // facts of less gain are no facts
constexpr double kTie = 1e-12;               // gains nearer than this are equal: first candidate

// F(i, j) of all pairs, 0 without a common relation word, row by row.
class Similarity {
 public:
  explicit Similarity(const Bags& bags) : size_(bags.size()), values_(size_ * size_) {
    for (std::size_t i = 0; i < size_; ++i) {
      values_[i * size_ + i] = 1.0;
      for (std::size_t j = i + 1; j < size_; ++j) {
        if (!bags.share_relation_word(i, j)) continue;
        const double f = 2.0 * bags.overlap(i, j) / (bags.num_words(i) + bags.num_words(j));
        values_[i * size_ + j] = values_[j * size_ + i] = f;
      }
    }
  }

  std::size_t size() const { return size_; }
  std::span<const double> row(std::size_t i) const { return {values_.data() + i * size_, size_}; }

  Similarity raised_to(double power) const {
    Similarity raised = *this;
    for (double& value : raised.values_)
      if (value > 0 && value < 1) value = power == 2.0 ? value * value : std::pow(value, power);
    return raised;
  }

 private:
  std::size_t size_;
  std::vector<double> values_;
};

struct Choice {
  std::size_t candidate = 0;
  double gain = 0;
};

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

// The most frequent candidate not yet shown with F >= wording to the chosen one: how the fact is
// usually said. Candidates are sorted by falling count, so the first one found is it.
std::optional<std::size_t> usual_wording(std::span<const double> similarity, double wording,
                                         const std::vector<bool>& shown) {
  for (std::size_t j = 0; j < similarity.size(); ++j)
    if (!shown[j] && similarity[j] >= wording - 1e-9) return j;
  return std::nullopt;
}

class CoverageSelector : public Selector {
 public:
  explicit CoverageSelector(const SelectorOptions& options) : options_(options) {}

  std::vector<RankedTriple> select(const Pool& pool) const override {
    const std::span<const Candidate> candidates =
        std::span(pool.candidates).first(std::min(pool.candidates.size(), kMaxCandidates));
    const Similarity similarity{Bags(candidates, pool.words)};
    const Similarity credit = similarity.raised_to(options_.power);
    std::vector<double> weights;
    for (const Candidate& candidate : candidates)
      weights.push_back(static_cast<double>(candidate.count) / pool.num_samples);

    std::vector<double> covered(candidates.size(), 0.0);
    std::vector<bool> shown(candidates.size(), false);
    std::vector<RankedTriple> ranked;
    while (ranked.size() < options_.top_k) {
      const Choice choice = best_choice(credit, weights, covered);
      if (choice.gain <= kMinGain || choice.gain < options_.min_confidence) break;
      const std::span<const double> row = credit.row(choice.candidate);
      for (std::size_t j = 0; j < row.size(); ++j) covered[j] = std::max(covered[j], row[j]);
      std::size_t wording = choice.candidate;
      if (options_.wording > 0) {
        const auto usual = usual_wording(similarity.row(choice.candidate), options_.wording, shown);
        if (!usual) continue;  // everything like it stands for another fact already
        wording = *usual;
      }
      shown[wording] = true;
      // Gains fall as the cover grows; what rounding and ties add to that is cut off.
      const double bound = ranked.empty() ? 1.0 : ranked.back().confidence;
      ranked.push_back({candidates[wording].triple, std::min(choice.gain, bound)});
    }
    return ranked;
  }

 private:
  SelectorOptions options_;
};

}  // namespace

std::unique_ptr<Selector> make_coverage_selector(const SelectorOptions& options) {
  return std::make_unique<CoverageSelector>(options);
}

}  // namespace diffie::extract
