// What the best choice from the pool would reach.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "diffie/score.h"
#include "extract/selector.h"
#include "score/judge.h"

namespace diffie::sweep {

// Chooses by the gold: for every gold tuple (BenchIE: fact) the candidate with the largest pair F1
// under the measure, the more frequent one on ties, none where all are 0; each candidate once, all
// with confidence 1. It maximises pair by pair, not the final score.
class Oracle {
 public:
  explicit Oracle(const GoldStandard& gold);  // borrows it

  // `judges`: of the measure, one per thread. Empty for sentences without gold.
  std::vector<PredictedTuple> choose(const std::string& sentence, const extract::Pool& pool,
                                     const std::vector<std::string>& words,
                                     const score::JudgeMaker& judges) const;

 private:
  const GoldStandard& gold_;
  std::unordered_map<std::string, std::size_t> place_by_key_;
};

}  // namespace diffie::sweep
