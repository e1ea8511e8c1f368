// What a step minimises: the loss of one batch under the config's objective.
#pragma once

#include <vector>

#include "train/device_data.h"
#include "train/torch_modules.h"

namespace diffie::train {

// Signal levels: [T + 1], entry t is abar_t (uniform) or alpha_t (absorbing), entry 0 is 1.
std::vector<double> signal_levels(const diffusion::DiffusionConfig& diffusion);

class ObjectiveFunction {
 public:
  ObjectiveFunction(const TrainConfig& config, torch::Device device);

  // A scalar tensor; with `training` dropout is on. Draws steps and noise from torch's generator
  // of the device.
  torch::Tensor loss(const ParamSet& params, const Batch& batch, bool training) const;

  // The parts, for tests. y0 [rows, length]; steps [rows]; corrupted tags [rows, length].
  torch::Tensor corrupt(const torch::Tensor& y0, const torch::Tensor& steps) const;
  // Class- and instance-weighted mean cross-entropy; weight [rows], valid and noisy [rows, length].
  torch::Tensor cross_entropy(const torch::Tensor& logits, const torch::Tensor& y0,
                              const torch::Tensor& noisy, const torch::Tensor& steps,
                              const torch::Tensor& valid, const torch::Tensor& weight) const;

 private:
  torch::Tensor diffusion_loss(const ParamSet& params, const Batch& batch, bool training) const;
  torch::Tensor denoiser_loss(const ParamSet& params, const Batch& batch,
                              const torch::Tensor& encoded, double dropout) const;
  torch::Tensor judge_loss(const ParamSet& params, const Batch& batch, const torch::Tensor& encoded,
                           double dropout) const;
  torch::Tensor tagger_loss(const ParamSet& params, const Batch& batch, bool training) const;
  torch::Tensor encode(const ParamSet& params, const Batch& batch, bool training) const;
  bool anchored() const { return config_.diffusion.kernel == diffusion::KernelKind::kAnchored; }
  bool absorbing() const { return config_.diffusion.kernel == diffusion::KernelKind::kAbsorbing; }

  TrainConfig config_;
  torch::Tensor levels_;         // [T + 1]
  torch::Tensor elbo_weight_;    // [T + 1]
  torch::Tensor class_weights_;  // [4]
};

// Logits of the tagger, [rows, length, 4]; its dropout is what makes its samples differ.
torch::Tensor tagger_logits(const ParamSet& params, const torch::Tensor& states, double dropout);

}  // namespace diffie::train
