// Pools of tag samples of many sentences, drawn on the device. No LibTorch in here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace diffie::train {

struct PoolOptions {
  std::filesystem::path model;      // a model directory, or a tagger's
  std::filesystem::path sentences;  // one a line, white-space tokens
  std::filesystem::path out;        // JSON lines, see docs/training.md
  std::int32_t samples = 512;
  std::int32_t steps = 0;  // 0: all that were trained
  double temperature = 1.0;
  double remask = 0.0;
  std::uint64_t seed = 0;
  bool bf16 = true;  // on CUDA
  std::string device = "auto";

  // Throws kInvalidArgument naming the field.
  void validate() const;
};

struct PoolResult {
  std::size_t sentences = 0;
  double sampling_seconds = 0;  // encoder and denoiser, without reading and writing
  double seconds = 0;
};

// One line per sentence, in order:
// {"sentence": "...", "words": [...], "pool": [["BSSROO", 12], ...]}, by falling count; with
// "implied": 8 when the last 8 words are the model's implied ones. A sentence that is empty or too
// long for the encoder has an empty pool.
PoolResult sample_pools(const PoolOptions& options);

}  // namespace diffie::train
