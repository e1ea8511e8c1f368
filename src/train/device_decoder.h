// Anchored decoding on the device: the engine's decoder, asking a model in LibTorch about the rows
// of many sentences at once.
#pragma once

#include <span>
#include <vector>

#include "diffie/settings.h"
#include "diffusion/anchored_decoder.h"
#include "train/dev_set.h"
#include "train/torch_model.h"

namespace diffie::train {

// Of the settings: theta, branch, refine. Weights are of diffusion::kWeightUnit; a sentence
// without pieces has an empty pool.
std::vector<WordTagPool> decode_on_device(const TorchModel& model,
                                          std::span<const TextSentence> sentences,
                                          const Settings& settings);

}  // namespace diffie::train
