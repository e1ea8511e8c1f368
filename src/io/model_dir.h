// A model directory: config.json, weights, vocab.txt, MODEL_CARD.md, SHA256SUMS. Read as hostile.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/model_config.h"
#include "io/safetensors.h"

namespace diffie::io {

// Opened, with the config checked and every tensor that the architecture needs present in the right
// shape. Checksums are checked by verify_model_dir, and here too where `check_sums` says so.
class ModelDir {
 public:
  static ModelDir open(const std::filesystem::path& dir, bool check_sums = true);

  const std::filesystem::path& path() const { return path_; }
  const ModelConfig& config() const { return config_; }
  std::filesystem::path vocab_path() const { return path_ / "vocab.txt"; }

  // The tensor under this name from any of the weight files; throws kCorruptModel when absent.
  const TensorView& tensor(std::string_view name) const;
  // As fp32 with int8 scales applied; the shape must be exactly `shape`.
  std::vector<float> floats(std::string_view name, std::initializer_list<std::int64_t> shape) const;

 private:
  std::filesystem::path path_;
  ModelConfig config_;
  std::vector<SafetensorsFile> weights_;
};

// Names and shapes of all tensors that an architecture has; the contract between trainer, importer
// and engine. Linear weights are [out, in] as in PyTorch.
//   bert.embeddings.{word_embeddings,position_embeddings,token_type_embeddings}.weight
//   bert.embeddings.LayerNorm.{weight,bias}
//   bert.encoder.layer.N.attention.self.{query,key,value}.{weight,bias}
//   bert.encoder.layer.N.attention.output.dense.{weight,bias},
//   .attention.output.LayerNorm.{weight,bias}
//   bert.encoder.layer.N.intermediate.dense.{weight,bias}, .output.dense.{weight,bias},
//   .output.LayerNorm.* denoiser.tag.weight [states, d]   denoiser.time.weight [T, d] (row t - 1
//   for step t) denoiser.context.{weight,bias} [d, encoder hidden]   denoiser.fuse.{weight,bias}
//   [d, 2d] (tag half first) denoiser.input_norm.{weight,bias}
//   denoiser.blocks.N.{norm1,norm2}.{weight,bias}, .qkv.{weight,bias} [3d, d], .out.*, .up.* [4d,
//   d], .down.* denoiser.final_norm.{weight,bias}   denoiser.head.{weight,bias} [4, d]
struct TensorSpec {
  std::string name;
  std::vector<std::uint64_t> shape;
};
std::vector<TensorSpec> expected_tensors(const ModelConfig& config);

}  // namespace diffie::io
