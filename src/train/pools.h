// Pools of tag samples of many sentences, drawn on the device. No LibTorch in here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "diffie/settings.h"

namespace diffie::train {

struct PoolOptions {
  std::filesystem::path model;      // a model directory, or a tagger's
  std::filesystem::path sentences;  // one a line, white-space tokens
  std::filesystem::path out;        // JSON lines, see docs/training.md
  std::int32_t steps = 0;           // 0: all that were trained
  Settings settings;                // samples, seed, times, temperature and remask of it, or theta,
                                    // branch and refine
  bool bf16 = true;                 // on CUDA
  std::string device = "auto";
};

struct PoolResult {
  std::size_t sentences = 0;
  double sampling_seconds = 0;  // encoder and denoiser, without reading and writing
  double seconds = 0;
};

// One line per sentence, in order:
// {"sentence": "...", "words": [...], "pool": [["BSSROO", 12], ...]}, by falling count; with
// "implied": 8 when the last 8 words are the model's implied ones. A sentence that is empty or too
// long for the encoder has an empty pool. Throws kInvalidArgument as sample_on_device.
PoolResult sample_pools(const PoolOptions& options);

}  // namespace diffie::train
