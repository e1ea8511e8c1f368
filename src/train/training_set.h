// Which instances of a training file a run uses.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/data/training_file.h"
#include "train/train_config.h"

namespace diffie::train {

using data::TrainingSet;

inline std::int32_t sentence_length(const TrainingSet& set, std::int32_t sentence) {
  const auto at = static_cast<std::size_t>(sentence);
  return set.sentence_offsets[at + 1] - set.sentence_offsets[at];
}

// The pseudo-words that end every sentence of the file.
std::vector<std::string> implied_words(const TrainingSet& set);

// Indices of the instances that the config keeps (length, relaxations), in file order. Throws
// kBadInput when none is left or a piece lies outside the vocabulary.
std::vector<std::int32_t> select_instances(const TrainingSet& set, const TrainConfig& config);

}  // namespace diffie::train
