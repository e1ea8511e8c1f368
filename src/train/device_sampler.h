// Sampling with the LibTorch twins: a Predictor for the real sampler, and a faster sampler of its
// own that stays on the device and takes many sentences at once. Same distribution; other random
// numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "diffusion/predictor.h"
#include "diffusion/sampler.h"
#include "train/params.h"
#include "train/torch_modules.h"

namespace diffie::train {

using Pieces = std::span<const std::int32_t>;

// Encodes sentences once; asks for logits per sentence.
class TorchModel {
 public:
  // `params` as inference_params made them. cls_id, sep_id: of the vocabulary.
  TorchModel(const TrainConfig& config, ParamSet params, std::int32_t cls_id, std::int32_t sep_id);

  const TrainConfig& config() const { return config_; }
  const ParamSet& params() const { return params_; }
  torch::Device device() const { return params_.tensors().front().device(); }
  const TorchDenoiser& denoiser() const { return *denoiser_; }

  // Projected context [sentences, padded length, hidden] and valid [sentences, padded length].
  struct Context {
    torch::Tensor projected, valid;
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
};

// Per sentence tags [samples * length], each 0..3. A function of (seed, sentences, samples) on one
// machine. The tagger takes the likeliest tag of each pass under fresh dropout.
std::vector<std::vector<std::uint8_t>> sample_on_device(const TorchModel& model,
                                                        std::span<const Pieces> sentences,
                                                        std::int32_t samples,
                                                        const diffusion::SamplerOptions& options,
                                                        std::uint64_t seed);

// Cuts sentences, given by length in rising order, into groups of at most `max_tokens` padded
// places with `samples` rows each; a group has at least one sentence. Returns the group ends.
std::vector<std::size_t> group_by_tokens(std::span<const std::size_t> lengths, std::size_t samples,
                                         std::size_t max_tokens);

}  // namespace diffie::train
