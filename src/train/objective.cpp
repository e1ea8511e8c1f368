#include "train/objective.h"

#include "diffusion/schedule.h"
#include "train/stages.h"

namespace diffie::train {
namespace {

using torch::Tensor;

constexpr std::int64_t kTags = 4;
constexpr std::int64_t kMaskState = 4;

// Of each sentence's states [sentences, length, width], those of the sentence that a row is about.
Tensor rows_of(const Tensor& states, const Tensor& slots) {
  const Tensor select = one_hot(slots, states.size(0), states.scalar_type());
  return at::matmul(select, states.flatten(1))
      .view({slots.size(0), states.size(1), states.size(2)});
}

Tensor to_tensor(const std::vector<double>& values, torch::Device device) {
  return torch::tensor(values, torch::kFloat64).to(torch::kFloat32).to(device);
}

// T (alpha_{t-1} - alpha_t) / (1 - alpha_t): the discrete-time bound of MDLM, per masked place,
// for t drawn uniformly.
std::vector<double> elbo_weights(const std::vector<double>& levels) {
  const auto steps = static_cast<double>(levels.size() - 1);
  std::vector<double> weights = {0};
  for (std::size_t t = 1; t < levels.size(); ++t) {
    weights.push_back(steps * (levels[t - 1] - levels[t]) / (1 - levels[t]));
  }
  return weights;
}

}  // namespace

std::vector<double> signal_levels(const diffusion::DiffusionConfig& config) {
  const diffusion::Schedule schedule(config);
  std::vector<double> levels;
  for (std::int32_t t = 0; t <= schedule.steps(); ++t) levels.push_back(schedule.abar(t));
  return levels;
}

ObjectiveFunction::ObjectiveFunction(const TrainConfig& config, torch::Device device)
    : config_(config) {
  const std::vector<double> levels = signal_levels(config.diffusion);
  levels_ = to_tensor(levels, device);
  elbo_weight_ = to_tensor(elbo_weights(levels), device);
  class_weights_ = to_tensor(config.class_weights, device);
}

Tensor ObjectiveFunction::loss(const ParamSet& params, const Batch& batch, bool training) const {
  return config_.objective == Objective::kTagger ? tagger_loss(params, batch, training)
                                                 : diffusion_loss(params, batch, training);
}

Tensor ObjectiveFunction::encode(const ParamSet& params, const Batch& batch, bool training) const {
  const Dropout dropout =
      training ? Dropout{config_.encoder_dropout, config_.attention_dropout} : Dropout{};
  const TorchEncoder encoder(params, config_.encoder);
  return piece_states(encoder.forward(batch.ids, batch.encoder_valid, dropout), batch.tags.size(1));
}

Tensor ObjectiveFunction::diffusion_loss(const ParamSet& params, const Batch& batch,
                                         bool training) const {
  const Tensor encoded = encode(params, batch, training);
  const double dropout = training ? config_.denoiser_dropout : 0;
  Tensor loss;
  if (config_.tags_loss > 0) {
    loss = config_.tags_loss * denoiser_loss(params, batch, encoded, dropout);
  }
  if (has_judge(config_) && config_.judge_loss > 0) {
    const Tensor judged = config_.judge_loss * judge_loss(params, batch, encoded, dropout);
    loss = loss.defined() ? loss + judged : judged;
  }
  return loss;
}

Tensor ObjectiveFunction::denoiser_loss(const ParamSet& params, const Batch& batch,
                                        const Tensor& encoded, double dropout) const {
  const TorchDenoiser denoiser(params, config_.denoiser);
  const std::int64_t levels = config_.levels;
  const Tensor rows = rows_of(denoiser.project(encoded), batch.slots.repeat({levels}));
  const Tensor y0 = batch.tags.repeat({levels, 1});
  const Tensor valid = batch.valid.repeat({levels, 1});
  const Tensor steps =
      anchored() ? draw_stages(y0.size(0), y0.options())
                 : at::randint(1, config_.diffusion.steps + 1, {y0.size(0)}, y0.options());
  const Tensor noisy = corrupt(y0, steps);
  const Tensor logits = denoiser.forward(rows, noisy, steps, valid, {dropout, dropout});
  return cross_entropy(logits, y0, noisy, steps, valid, batch.weight.repeat({levels}));
}

Tensor ObjectiveFunction::judge_loss(const ParamSet& params, const Batch& batch,
                                     const Tensor& encoded, double dropout) const {
  constexpr double kLenientShare = 0.5;
  const TorchJudge judge(params, config_.judge);
  const Tensor rows = rows_of(judge.project(encoded), batch.slots);
  const Tensor logits = judge.forward(rows, batch.tags, batch.valid, {dropout, dropout});
  const Tensor known = batch.judgement.ge(0).to(logits.scalar_type());
  const Tensor target = batch.judgement.clamp_min(0).to(logits.scalar_type());
  // log(1 + e^x) - x target, without overflow.
  const Tensor loss = logits.clamp_min(0) - logits * target + at::log1p(at::exp(-logits.abs()));
  const Tensor sums = (loss * known).sum(0) / known.sum(0).clamp_min(1);
  return sums.select(0, 0) + kLenientShare * sums.select(0, 1);
}

Tensor ObjectiveFunction::tagger_loss(const ParamSet& params, const Batch& batch,
                                      bool training) const {
  const Tensor logits = tagger_logits(params, encode(params, batch, training),
                                      training ? config_.encoder_dropout : 0);
  const Tensor select = one_hot(batch.slots, logits.size(0), logits.scalar_type());
  const Tensor rows = at::matmul(select, logits.flatten(1)).view({-1, logits.size(1), kTags});
  const Tensor no_steps = at::zeros({rows.size(0)}, batch.slots.options());
  return cross_entropy(rows, batch.tags, Tensor(), no_steps, batch.valid, batch.weight);
}

Tensor ObjectiveFunction::corrupt(const Tensor& y0, const Tensor& steps) const {
  if (anchored()) return mask_by_stage(y0, steps);
  const Tensor keep_probability = levels_.index_select(0, steps).unsqueeze(1);
  const Tensor kept = at::rand(y0.sizes(), levels_.options()) < keep_probability;
  if (absorbing()) return at::where(kept, y0, at::full_like(y0, kMaskState));
  return at::where(kept, y0, at::randint(0, kTags, y0.sizes(), y0.options()));
}

Tensor ObjectiveFunction::cross_entropy(const Tensor& logits, const Tensor& y0, const Tensor& noisy,
                                        const Tensor& steps, const Tensor& valid,
                                        const Tensor& weight) const {
  const auto type = logits.scalar_type();
  const Tensor log_p = at::log_softmax(logits, -1);
  const Tensor truth = one_hot(y0, kTags, type);
  const Tensor classes = class_weights_.to(type);
  const double smoothing = config_.label_smoothing;
  const Tensor target =
      smoothing > 0 ? truth * (1 - smoothing) + smoothing / static_cast<double>(kTags) : truth;
  const Tensor loss = -(log_p * (target * classes)).sum(-1);

  Tensor place = valid.to(type) * weight.to(type).unsqueeze(1);
  // Where there is a mask, a place that is not masked is known; only masked ones teach.
  Tensor counted = place;
  const bool masked_only = (absorbing() || anchored()) && noisy.defined();
  if (masked_only) {
    counted = place * noisy.eq(kMaskState).to(type);
    if (absorbing() && config_.absorbing_weight == AbsorbingWeight::kElbo) {
      counted = counted * elbo_weight_.to(type).index_select(0, steps).unsqueeze(1);
    } else {
      place = counted;
    }
  }
  const Tensor normaliser = (truth.matmul(classes) * place).sum().clamp_min(1e-6);
  return (loss * counted).sum() / normaliser;
}

Tensor tagger_logits(const ParamSet& params, const Tensor& states, double dropout) {
  const Linear head{params.at("tagger.head.weight"), params.at("tagger.head.bias")};
  const Tensor input = dropout > 0 ? at::dropout(states, dropout, true) : states;
  const Tensor logits = head(input);
  return logits.scalar_type() == torch::kFloat64 ? logits : logits.to(torch::kFloat32);
}

}  // namespace diffie::train
