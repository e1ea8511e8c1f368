#include "train/optimizer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>

namespace diffie::train {
namespace {

using torch::Tensor;

// 0 for the embeddings, n + 1 for encoder layer n, nothing for the rest.
std::optional<std::int32_t> encoder_depth(std::string_view name) {
  constexpr std::string_view kLayer = "bert.encoder.layer.";
  if (name.starts_with("bert.embeddings.")) return 0;
  if (!name.starts_with(kLayer)) return std::nullopt;
  std::int32_t layer = 0;
  std::from_chars(name.data() + kLayer.size(), name.data() + name.size(), layer);
  return layer + 1;
}

void copy_all(std::vector<Tensor>& to, const std::vector<Tensor>& from) {
#if DIFFIE_TORCH2
  at::_foreach_copy_(to, from);
#else
  for (std::size_t i = 0; i < to.size(); ++i) to[i].copy_(from[i]);
#endif
}

}  // namespace

double rate_factor(const TrainConfig& config, std::int64_t step, std::int64_t total) {
  const auto warmup = static_cast<std::int64_t>(config.warmup);
  if (step < warmup) return static_cast<double>(step + 1) / static_cast<double>(warmup);
  const double left = static_cast<double>(total - step) /
                      static_cast<double>(std::max<std::int64_t>(1, total - warmup));
  switch (config.decay) {
    case RateDecay::kConstant:
      return 1;
    case RateDecay::kLinear:
      return std::clamp(left, 0.0, 1.0);
    case RateDecay::kCosine:
      return 0.5 * (1 + std::cos(std::numbers::pi * (1 - std::clamp(left, 0.0, 1.0))));
  }
  return 1;
}

TensorRate tensor_rate(const TrainConfig& config, std::string_view name) {
  const std::optional<std::int32_t> depth = encoder_depth(name);
  if (!depth) return {config.rate, false};
  const bool frozen = *depth == 0 ? config.freeze_embeddings : *depth <= config.frozen_layers;
  return {config.encoder_rate * std::pow(config.layer_decay, config.encoder.layers - *depth),
          frozen};
}

Optimizer::Optimizer(const TrainConfig& config, const ParamSet& master)
    : config_(config), master_(master) {
  const torch::Device device = master.tensors().front().device();
  fused_ = device.is_cuda() || config.cpu_bf16;
  mixed_ = device.is_cuda() ? config.bf16 : config.cpu_bf16;
  std::map<double, std::size_t> group_of_rate;
  for (std::size_t i = 0; i < master.size(); ++i) {
    const std::string& name = master.names()[i];
    const TensorRate rate = tensor_rate(config, name);
    const Tensor& weight = master.tensors()[i];
    const bool low = mixed_ && computes_in_bf16(name);
    Tensor compute = low ? weight.to(torch::kBFloat16) : weight;
    compute.requires_grad_(!rate.frozen);
    compute_.add(name, compute);
    if (rate.frozen) continue;

    const auto [found, is_new] = group_of_rate.emplace(rate.base, groups_.size());
    if (is_new) groups_.push_back({rate.base, {}, {}, {}, {}, {}});
    Group& group = groups_[found->second];
    group.master.push_back(weight.detach());
    group.compute.push_back(compute);
    group.gradients.push_back(at::zeros_like(weight).detach());
    group.m.push_back(at::zeros_like(weight).detach());
    group.v.push_back(at::zeros_like(weight).detach());
    trained_names_.push_back(name);
    trained_master_.push_back(weight.detach());
    trained_m_.push_back(group.m.back());
    trained_v_.push_back(group.v.back());
    if (config.ema > 0) ema_.push_back(weight.detach().clone());
  }
  step_tensor_ = at::zeros({}, torch::TensorOptions().device(device).dtype(torch::kFloat32));
}

void Optimizer::collect_gradients(Group& group) {
  std::vector<Tensor> from[2], to[2];  // by type: a list of one type is one kernel
  for (std::size_t i = 0; i < group.compute.size(); ++i) {
    Tensor& gradient = group.compute[i].mutable_grad();
    // A tensor that took no part (nothing masked, say) has a gradient of 0.
    if (!gradient.defined()) gradient = at::zeros_like(group.compute[i]);
    const bool low = gradient.scalar_type() == torch::kBFloat16;
    from[low].push_back(gradient);
    to[low].push_back(group.gradients[i]);
    gradient = Tensor();
  }
  for (const bool low : {false, true}) {
    if (!from[low].empty()) copy_all(to[low], from[low]);
  }
}

void Optimizer::collect_gradients() {
  const torch::NoGradGuard no_grad;
  for (Group& group : groups_) collect_gradients(group);
}

Tensor Optimizer::clip_coefficient() const {
  std::vector<Tensor> gradients;
  for (const Group& group : groups_) {
    gradients.insert(gradients.end(), group.gradients.begin(), group.gradients.end());
  }
  const Tensor norm = at::stack(at::_foreach_norm(gradients)).norm();
  return (config_.clip / (norm + 1e-6)).clamp_max(1.0);
}

void Optimizer::update(Group& group, double rate, std::int64_t step, const Tensor& coefficient) {
  const double beta1 = config_.beta1, beta2 = config_.beta2;
#if DIFFIE_TORCH2
  if (fused_) {
    const std::vector<Tensor> steps(group.master.size(), step_tensor_);
    std::optional<Tensor> inverse_scale;
    if (coefficient.defined()) inverse_scale = coefficient.reciprocal();
    at::_fused_adamw_(group.master, group.gradients, group.m, group.v, {}, steps, rate, beta1,
                      beta2, config_.weight_decay, config_.adam_eps, /*amsgrad=*/false,
                      /*maximize=*/false, inverse_scale);
    return;
  }
#endif
  if (coefficient.defined()) {
    for (Tensor& gradient : group.gradients) gradient.mul_(coefficient);
  }
  const auto count = static_cast<double>(step + 1);
  at::_foreach_mul_(group.master, 1 - rate * config_.weight_decay);
  at::_foreach_mul_(group.m, beta1);
  at::_foreach_add_(group.m, group.gradients, 1 - beta1);
  at::_foreach_mul_(group.v, beta2);
  at::_foreach_addcmul_(group.v, group.gradients, group.gradients, 1 - beta2);
  std::vector<Tensor> denominators = at::_foreach_sqrt(group.v);
  at::_foreach_div_(denominators, std::sqrt(1 - std::pow(beta2, count)));
  at::_foreach_add_(denominators, config_.adam_eps);
  at::_foreach_addcdiv_(group.master, group.m, denominators, -rate / (1 - std::pow(beta1, count)));
}

void Optimizer::step(std::int64_t step, std::int64_t total) {
  const torch::NoGradGuard no_grad;
  const Tensor coefficient = config_.clip > 0 ? clip_coefficient() : Tensor();
  const double factor = rate_factor(config_, step, total);
  step_tensor_.fill_(static_cast<double>(step + 1));
  for (Group& group : groups_) update(group, group.rate * factor, step, coefficient);
  if (!ema_.empty()) {
    // Early on the average follows the weights, so that it never carries the random start along.
    const auto count = static_cast<double>(step + 1);
    const double decay = std::min(config_.ema, (1 + count) / (10 + count));
    average(decay);
  }
  refresh_compute_params();
}

void Optimizer::average(double decay) {
#if DIFFIE_TORCH2
  if (fused_) {
    at::_foreach_lerp_(ema_, trained_master_, 1 - decay);
    return;
  }
#endif
  at::_foreach_mul_(ema_, decay);
  at::_foreach_add_(ema_, trained_master_, 1 - decay);
}

void Optimizer::refresh_compute_params() {
  if (!mixed_) return;
  const torch::NoGradGuard no_grad;
  std::vector<Tensor> low, full;
  for (const Group& group : groups_) {
    for (std::size_t i = 0; i < group.compute.size(); ++i) {
      if (group.compute[i].scalar_type() != torch::kBFloat16) continue;
      low.push_back(group.compute[i]);
      full.push_back(group.master[i]);
    }
  }
  copy_all(low, full);
}

ParamSet Optimizer::export_params() const {
  ParamSet result;
  std::size_t trained = 0;
  for (std::size_t i = 0; i < master_.size(); ++i) {
    const bool averaged =
        trained < trained_names_.size() && master_.names()[i] == trained_names_[trained];
    const Tensor& weight = averaged && !ema_.empty() ? ema_[trained] : master_.tensors()[i];
    if (averaged) ++trained;
    result.add(master_.names()[i], weight.detach());
  }
  return result;
}

std::vector<std::pair<std::string, Tensor>> Optimizer::state() const {
  std::vector<std::pair<std::string, Tensor>> entries;
  for (std::size_t i = 0; i < trained_names_.size(); ++i) {
    entries.emplace_back("m." + trained_names_[i], trained_m_[i]);
    entries.emplace_back("v." + trained_names_[i], trained_v_[i]);
    if (!ema_.empty()) entries.emplace_back("ema." + trained_names_[i], ema_[i]);
  }
  return entries;
}

}  // namespace diffie::train
