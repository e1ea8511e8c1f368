// Selection by coverage: the few triples that together stand for most of the pool.
#include <algorithm>
#include <optional>

#include "extract/selectors.h"
#include "extract/similarity.h"

namespace diffie::extract {
namespace {

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
  explicit CoverageSelector(const Settings& settings) : settings_(settings) {}

  std::vector<RankedTriple> select(const CandidateSet& pool) const override {
    const std::span<const Candidate> candidates = most_frequent(pool);
    const Similarity similarity{Bags(candidates, pool.words)};
    const Similarity credit = similarity.raised_to(settings_.power);
    const std::vector<double> weights = shares(candidates, pool.num_samples);

    GreedyCover cover(credit, weights);
    std::vector<bool> shown(candidates.size(), false);
    std::vector<RankedTriple> ranked;
    while (ranked.size() < top_k(settings_)) {
      const Choice choice = cover.best();
      if (choice.gain <= kMinGain || choice.gain < settings_.min_confidence) break;
      cover.cover(choice.candidate);
      std::size_t wording = choice.candidate;
      if (settings_.wording > 0) {
        const auto usual =
            usual_wording(similarity.row(choice.candidate), settings_.wording, shown);
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
  Settings settings_;
};

}  // namespace

std::unique_ptr<Selector> make_coverage_selector(const Settings& settings) {
  return std::make_unique<CoverageSelector>(settings);
}

}  // namespace diffie::extract
