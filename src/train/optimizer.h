// AdamW over the trained tensors, with master weights in fp32, clipping and an average of the
// weights. Works on lists of tensors, a handful of kernels a step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "train/params.h"
#include "train/torch.h"
#include "train/train_config.h"

namespace diffie::train {

// Factor on the rates at step `step` (from 0) of `total`.
double rate_factor(const TrainConfig& config, std::int64_t step, std::int64_t total);

// Factor on rate or encoder_rate for a tensor, 0 when it is frozen.
struct TensorRate {
  double base = 0;  // rate or encoder_rate, with layer_decay applied
  bool frozen = false;
};
TensorRate tensor_rate(const TrainConfig& config, std::string_view name);

class Optimizer {
 public:
  // `master` is fp32 on the device and is updated in place.
  Optimizer(const TrainConfig& config, const ParamSet& master);

  // What forward and backward run on: trained tensors ask for gradients; matrices and biases of
  // linear layers are in bf16 where the run says so, else the master tensors themselves.
  const ParamSet& compute_params() const { return compute_; }

  // Takes the gradients of compute_params() over, in fp32, always to the same addresses.
  void collect_gradients();
  // Updates the weights with the gradients that were collected.
  void step(std::int64_t step, std::int64_t total);

  // The averaged weights where the run keeps them, else the master weights.
  ParamSet export_params() const;

  // m.NAME, v.NAME and, with averaging, ema.NAME; for checkpoints. Same order every time.
  std::vector<std::pair<std::string, torch::Tensor>> state() const;

  // Call after master weights or state were overwritten.
  void refresh_compute_params();

 private:
  struct Group {
    double rate = 0;
    std::vector<torch::Tensor> master, compute, gradients, m, v;
  };
  static void collect_gradients(Group& group);
  torch::Tensor clip_coefficient() const;
  void average(double decay);
  void update(Group& group, double rate, std::int64_t step, const torch::Tensor& coefficient);

  TrainConfig config_;
  bool mixed_ = false;
  bool fused_ = false;  // one kernel for the whole update
  ParamSet master_;
  ParamSet compute_;
  std::vector<Group> groups_;
  std::vector<std::string> trained_names_;
  std::vector<torch::Tensor> trained_master_, trained_m_, trained_v_, ema_;
  torch::Tensor step_tensor_;
};

}  // namespace diffie::train
