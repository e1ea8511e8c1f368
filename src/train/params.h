// Named tensors of a model, and the ways in and out: random, safetensors, double precision.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model_dir/model_config.h"
#include "model_dir/safetensors.h"
#include "train/torch.h"
#include "train/train_config.h"

namespace diffie::train {

// In the order of model_dir::expected_tensors, which is also the order in files.
class ParamSet {
 public:
  void add(std::string name, torch::Tensor tensor);
  const torch::Tensor& at(std::string_view name) const;  // throws kCorruptModel when absent
  bool contains(std::string_view name) const;

  std::size_t size() const { return names_.size(); }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<torch::Tensor>& tensors() const { return tensors_; }

  // Copies, detached, in another type or on another device.
  ParamSet to(torch::Device device, torch::ScalarType type) const;

 private:
  std::vector<std::string> names_;
  std::vector<torch::Tensor> tensors_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

// The architecture part of config.json for a run.
model_dir::ModelConfig model_config(const TrainConfig& config);

// Names and shapes for the run: expected_tensors, or for a tagger the encoder's and
// tagger.head.{weight [4, hidden], bias [4]}.
std::vector<std::pair<std::string, std::vector<std::int64_t>>> param_shapes(
    const TrainConfig& config);

// fp32 on the CPU, a pure function of config and seed. Encoder: normal(0, 0.02). Denoiser: linear
// layers uniform in +-1/sqrt(inputs), qkv Xavier-uniform with zero bias, embeddings normal(0, 1).
ParamSet random_params(const TrainConfig& config, std::uint64_t seed);

// Puts every encoder tensor of `path` (names with or without "bert.", any float type) into
// `params`. Throws kCorruptModel when one is missing or has another shape.
void load_encoder(const std::filesystem::path& path, ParamSet& params);

// Whether a tensor takes part in bf16 arithmetic in a mixed-precision run: linear layers do; norms
// and embeddings stay in fp32, as under autocast.
bool computes_in_bf16(std::string_view name);

// A detached copy for forward passes on `device`, in mixed precision where `bf16` says so.
ParamSet inference_params(const ParamSet& params, torch::Device device, bool bf16);

// Weight files of a model directory (or a checkpoint's, with a prefix) to fp32 on the CPU.
ParamSet load_params(const std::vector<model_dir::SafetensorsFile>& files,
                     const TrainConfig& config, std::string_view prefix = "");

}  // namespace diffie::train
