// Which predictions belong to which gold sentence.
#pragma once

#include <cstddef>
#include <vector>

#include "diffie/lab/score.h"

namespace diffie::score {

class SentenceIndex {
 public:
  // Throws kInvalidArgument when the measure knows sentences by text and the output only by id.
  SentenceIndex(const GoldStandard& gold, const SystemOutput& output, Measure measure);

  // The predictions of a gold sentence, by its place in the gold; maybe none.
  const std::vector<PredictedTuple>& predicted(std::size_t gold_sentence) const;
  // Every sentence of the output that counts: of two spellings of one sentence only the later.
  const std::vector<const PredictedSentence*>& kept() const { return kept_; }

 private:
  std::vector<const PredictedSentence*> by_gold_;
  std::vector<const PredictedSentence*> kept_;
};

}  // namespace diffie::score
