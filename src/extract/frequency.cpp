#include "extract/selectors.h"

namespace diffie::extract {
namespace {

class FrequencySelector : public Selector {
 public:
  explicit FrequencySelector(const SelectorOptions& options) : options_(options) {}

  std::vector<RankedTriple> select(const Pool& pool) const override {
    std::vector<RankedTriple> ranked;
    for (const Candidate& candidate : pool.candidates) {
      const double confidence = static_cast<double>(candidate.count) / pool.num_samples;
      if (ranked.size() == options_.top_k || confidence < options_.min_confidence) break;
      ranked.push_back({candidate.triple, confidence});
    }
    return ranked;
  }

 private:
  SelectorOptions options_;
};

}  // namespace

std::unique_ptr<Selector> make_frequency_selector(const SelectorOptions& options) {
  return std::make_unique<FrequencySelector>(options);
}

}  // namespace diffie::extract
