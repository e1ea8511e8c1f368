#pragma once

#include <map>
#include <span>
#include <string>

#include "train/metrics.h"
#include "train/train_config.h"

namespace diffie::train {

struct RunFacts {
  std::size_t instances = 0;
  std::size_t sentences = 0;
  std::int64_t steps = 0;
  std::int64_t parameters = 0;
  double seconds = 0;
  std::map<std::string, std::string> provenance;
};

// MODEL_CARD.md: what the model is, what it was trained on and how, what was measured, what it
// cannot do. Says nothing that the run did not see.
std::string model_card(const TrainConfig& config, const RunFacts& facts,
                       std::span<const MetricRow> rows);

}  // namespace diffie::train
