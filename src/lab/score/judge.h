// How one sentence's predictions fare against its gold: the part in which the measures differ.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "diffie/lab/score.h"
#include "lab/score/matching.h"
#include "lab/score/pair_score.h"

namespace diffie::score {

// What a sentence adds to the sums, and the pairs (gold, predicted) that it comes from. The rows
// are gold tuples, for BenchIE facts.
struct Verdict {
  double precision_sum = 0;
  double num_predicted = 0;  // what precision_sum is divided by
  double recall_sum = 0;
  std::vector<Match> precision_pairs;
  std::vector<Match> recall_pairs;
};

class SentenceJudge {
 public:
  virtual ~SentenceJudge() = default;
  // Only the predictions with active[i] take part.
  virtual Verdict judge(const std::vector<char>& active) const = 0;
  virtual PairScore pair(std::size_t gold, std::size_t predicted) const = 0;
};

using JudgeMaker = std::function<std::unique_ptr<SentenceJudge>(
    const GoldSentence& gold, const std::vector<PredictedTuple>& predicted)>;

// The result keeps state between sentences (word numbers) and serves one thread.
JudgeMaker carb_judges(Measure measure);
JudgeMaker benchie_judges();
JudgeMaker wire57_judges(Measure measure);
JudgeMaker make_judges(Measure measure);

}  // namespace diffie::score
