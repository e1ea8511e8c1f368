// Selection by a trained ranker: a walk says which facts there are, the ranker how each is worded
// and what it is worth.
#include <algorithm>

#include "extract/fact_walk.h"
#include "extract/ranker.h"
#include "extract/selectors.h"

namespace diffie::extract {
namespace {

// Facts that are looked at, whatever top_k is: a smaller top_k gives the first ones of a larger.
constexpr std::size_t kMaxFacts = 16;

class LearnedSelector : public Selector {
 public:
  LearnedSelector(const Settings& settings, std::shared_ptr<const Ranker> ranker)
      : settings_(settings), ranker_(std::move(ranker)) {}

  std::vector<RankedTriple> select(const CandidateSet& pool) const override {
    FactWalk walk(pool, ranker_->walk);
    std::vector<Wording> chosen;
    chosen.reserve(kMaxFacts);
    while (chosen.size() < kMaxFacts) {
      const std::optional<Fact> fact = walk.next();
      if (!fact) break;
      chosen.push_back(best_wording(ranker_->wording, fact->wordings));
      walk.show(chosen.back().candidate);
    }
    const std::vector<double> confidences = ranker_->confidences(feature_rows(chosen));
    std::vector<RankedTriple> ranked;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (confidences[i] < settings_.min_confidence) continue;
      ranked.push_back({walk.candidate(chosen[i].candidate).triple, confidences[i]});
    }
    std::stable_sort(
        ranked.begin(), ranked.end(),
        [](const RankedTriple& a, const RankedTriple& b) { return a.confidence > b.confidence; });
    ranked.resize(std::min(ranked.size(), top_k(settings_)));
    return ranked;
  }

 private:
  Settings settings_;
  std::shared_ptr<const Ranker> ranker_;
};

}  // namespace

std::unique_ptr<Selector> make_learned_selector(const Settings& settings,
                                                std::shared_ptr<const Ranker> ranker) {
  return std::make_unique<LearnedSelector>(settings, std::move(ranker));
}

}  // namespace diffie::extract
