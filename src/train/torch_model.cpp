#include "train/torch_model.h"

#include <algorithm>
#include <cstring>

#include "train/device_data.h"
#include "train/objective.h"

namespace diffie::train {
namespace {

using torch::Tensor;

class TorchPredictor final : public diffusion::RowPredictor {
 public:
  TorchPredictor(const TorchDenoiser& denoiser, TorchModel::Context context)
      : denoiser_(denoiser), context_(std::move(context)) {}

 private:
  void predict_rows(std::span<const std::uint8_t> states, std::size_t rows, std::size_t length,
                    std::int32_t step, std::span<float> logits) override {
    const torch::NoGradGuard no_grad;
    const auto num_rows = static_cast<std::int64_t>(rows);
    const auto num_pieces = static_cast<std::int64_t>(length);
    const std::int64_t padded = context_.valid.size(1);
    const Tensor given = torch::from_blob(const_cast<std::uint8_t*>(states.data()),
                                          {num_rows, num_pieces}, torch::kUInt8)
                             .to(context_.valid.device(), torch::kInt64);
    const Tensor tags = at::constant_pad_nd(given, {0, padded - num_pieces});
    const Tensor steps = at::full({num_rows}, step, tags.options());
    const Tensor out =
        denoiser_
            .forward(context_.projected, tags, steps, context_.valid.expand({num_rows, padded}), {})
            .narrow(1, 0, num_pieces)
            .to(torch::kCPU, torch::kFloat32)
            .contiguous();
    std::memcpy(logits.data(), out.data_ptr<float>(), out.nbytes());
  }

  const TorchDenoiser& denoiser_;
  TorchModel::Context context_;
};

}  // namespace

TorchModel::TorchModel(const TrainConfig& config, ParamSet params, std::int32_t cls_id,
                       std::int32_t sep_id)
    : config_(config), params_(std::move(params)), cls_id_(cls_id), sep_id_(sep_id) {
  encoder_ = std::make_unique<TorchEncoder>(params_, config.encoder);
  if (config.objective == Objective::kDiffusion) {
    denoiser_ = std::make_unique<TorchDenoiser>(params_, config.denoiser);
  }
  if (has_judge(config)) judge_ = std::make_unique<TorchJudge>(params_, config.judge);
}

TorchModel::Context TorchModel::context(std::span<const Pieces> sentences) const {
  const torch::NoGradGuard no_grad;
  const EncoderInput input = pad_sentences(sentences, cls_id_, sep_id_, device());
  std::size_t longest = 1;
  for (const Pieces& sentence : sentences) longest = std::max(longest, sentence.size());
  const std::int64_t length = padded_length(static_cast<std::int64_t>(longest), device());
  const Tensor states = piece_states(encoder_->forward(input.ids, input.valid, {}), length);
  // Piece p stands at place p + 1, and [SEP] after the last: p is a piece where place p + 2 is
  // valid.
  return {denoiser_->project(states), input.valid.narrow(1, 2, length),
          judge_ ? judge_->project(states) : Tensor()};
}

Tensor TorchModel::tagger_pass(std::span<const Pieces> sentences) const {
  const torch::NoGradGuard no_grad;
  const EncoderInput input = pad_sentences(sentences, cls_id_, sep_id_, device());
  const Tensor states = encoder_->forward(input.ids, input.valid,
                                          {config_.encoder_dropout, config_.attention_dropout});
  return tagger_logits(params_, piece_states(states, states.size(1) - 2), config_.encoder_dropout);
}

std::unique_ptr<diffusion::Predictor> TorchModel::predictor(Pieces sentence) const {
  return std::make_unique<TorchPredictor>(*denoiser_, context({&sentence, 1}));
}

}  // namespace diffie::train
