// Selection by a trained ranker: coverage says which facts there are, the ranker how each is worded
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
  explicit LearnedSelector(const SelectorOptions& options) : options_(options) {}

  std::vector<RankedTriple> select(const Pool& pool) const override {
    std::vector<RankedTriple> ranked;
    FactWalk walk(pool);
    while (ranked.size() < kMaxFacts) {
      const std::optional<Fact> fact = walk.next();
      if (!fact) break;
      const Wording& wording = best_wording(options_.ranker->wording, fact->wordings);
      walk.show(wording.candidate);
      ranked.push_back({walk.candidate(wording.candidate).triple,
                        options_.ranker->confidence(wording.features)});
    }
    std::stable_sort(
        ranked.begin(), ranked.end(),
        [](const RankedTriple& a, const RankedTriple& b) { return a.confidence > b.confidence; });
    const auto end = std::find_if(ranked.begin(), ranked.end(), [&](const RankedTriple& triple) {
      return triple.confidence < options_.min_confidence;
    });
    ranked.erase(end, ranked.end());
    ranked.resize(std::min(ranked.size(), options_.top_k));
    return ranked;
  }

 private:
  SelectorOptions options_;
};

}  // namespace

std::unique_ptr<Selector> make_learned_selector(const SelectorOptions& options) {
  return std::make_unique<LearnedSelector>(options);
}

}  // namespace diffie::extract
