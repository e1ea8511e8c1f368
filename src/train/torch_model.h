// A trained model in LibTorch, to sample from: sentences are encoded once, the denoiser is asked at
// every step.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "diffusion/predictor.h"
#include "train/params.h"
#include "train/torch_modules.h"

namespace diffie::train {

using Pieces = std::span<const std::int32_t>;

class TorchModel {
 public:
  // `params` as inference_params made them. cls_id, sep_id: of the vocabulary.
  TorchModel(const TrainConfig& config, ParamSet params, std::int32_t cls_id, std::int32_t sep_id);

  const TrainConfig& config() const { return config_; }
  const ParamSet& params() const { return params_; }
  torch::Device device() const { return params_.tensors().front().device(); }
  const TorchDenoiser& denoiser() const { return *denoiser_; }
  const TorchJudge* judge() const { return judge_.get(); }  // nullptr: the model has none

  // Projected context [sentences, padded length, hidden] and valid [sentences, padded length]; for
  // the judge, where there is one, a projection of its own.
  struct Context {
    torch::Tensor projected, valid, judged;
  };
  Context context(std::span<const Pieces> sentences) const;

  // Tagger only: logits of one pass with dropout, [sentences, padded length, 4].
  torch::Tensor tagger_pass(std::span<const Pieces> sentences) const;

  // What diffusion::Sampler samples from for one sentence. Lives no longer than the model.
  std::unique_ptr<diffusion::Predictor> predictor(Pieces sentence) const;

 private:
  TrainConfig config_;
  ParamSet params_;
  std::int32_t cls_id_, sep_id_;
  std::unique_ptr<TorchEncoder> encoder_;
  std::unique_ptr<TorchDenoiser> denoiser_;  // none for a tagger
  std::unique_ptr<TorchJudge> judge_;
};

}  // namespace diffie::train
