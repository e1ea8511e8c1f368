// Where a run can go on from: weights, optimiser state, step. One safetensors file, replaced as a
// whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <future>
#include <map>
#include <string>

#include "train/optimizer.h"
#include "train/params.h"

namespace diffie::train {

struct CheckpointInfo {
  std::int64_t step = 0;  // steps done
  double seconds = 0;     // spent on them
  double loss_sum = 0;    // since the last row of metrics.csv
  std::int64_t loss_count = 0;
  std::string config;  // to_toml of the run
  std::string data_sha256;
};

// Writes in the background; the tensors are copied before write() returns. A second write() waits
// for the first.
class CheckpointWriter {
 public:
  explicit CheckpointWriter(std::filesystem::path path) : path_(std::move(path)) {}
  ~CheckpointWriter();

  void write(const ParamSet& master, const Optimizer& optimizer, const CheckpointInfo& info);
  void wait();  // throws what the background write threw

 private:
  std::filesystem::path path_;
  std::future<void> pending_;
};

// Puts trained weights and optimiser state back in place. Throws kNotFound, kCorruptModel, and
// kInvalidArgument when the checkpoint is of another config or other data.
CheckpointInfo load_checkpoint(const std::filesystem::path& path, const std::string& config,
                               const std::string& data_sha256, ParamSet& master,
                               Optimizer& optimizer);

// A tensor's bytes on the CPU under a name, for the safetensors writer. The tensor keeps them
// alive.
struct StoredTensor {
  torch::Tensor tensor;
  model_dir::TensorView view;
};
StoredTensor stored_tensor(std::string name, const torch::Tensor& tensor, torch::ScalarType type);

}  // namespace diffie::train
