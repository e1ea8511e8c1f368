#include "extract/selectors.h"

namespace diffie::extract {
namespace {

class FrequencySelector : public Selector {
 public:
  explicit FrequencySelector(const Settings& settings) : settings_(settings) {}

  std::vector<RankedTriple> select(const CandidateSet& pool) const override {
    std::vector<RankedTriple> ranked;
    for (const Candidate& candidate : pool.candidates) {
      const double confidence = static_cast<double>(candidate.count) / pool.num_samples;
      if (ranked.size() == top_k(settings_) || confidence < settings_.min_confidence) break;
      ranked.push_back({candidate.triple, confidence});
    }
    return ranked;
  }

 private:
  Settings settings_;
};

}  // namespace

std::unique_ptr<Selector> make_frequency_selector(const Settings& settings) {
  return std::make_unique<FrequencySelector>(settings);
}

}  // namespace diffie::extract
