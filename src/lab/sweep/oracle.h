// What the best choice from the pool would reach.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "diffie/lab/score.h"
#include "extract/selector.h"
#include "lab/score/judge.h"

namespace diffie::sweep {

// Chooses and ranks by the gold: for every gold tuple (BenchIE: fact) the candidate with the
// largest pair F1 under the measure, the more frequent one on ties, none where all are 0. A
// candidate is taken once, its confidence is the largest pair F1 it was chosen for. What is best
// for each gold tuple need not be best for the final score, but nothing that reads the pool alone
// comes near.
class Oracle {
 public:
  explicit Oracle(const GoldStandard& gold);  // borrows it

  bool knows(const std::string& sentence) const;

  // `judges`: of the measure, one per thread. Empty for sentences without gold.
  std::vector<PredictedTuple> choose(const std::string& sentence, const extract::CandidateSet& pool,
                                     const std::vector<std::string>& words,
                                     const score::JudgeMaker& judges) const;

 private:
  const GoldStandard& gold_;
  std::unordered_map<std::string, std::size_t> place_by_key_;
};

}  // namespace diffie::sweep
