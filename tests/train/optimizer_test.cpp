#include "train/optimizer.h"

#include <gtest/gtest.h>
#include <torch/optim/adamw.h>

#include "synthetic.h"

namespace diffie::train {
namespace {

using torch::Tensor;

TrainConfig small_config() {
  TrainConfig config = tiny_config(make_synthetic_task(1, 0, 1));
  config.warmup = 2;
  config.decay = RateDecay::kConstant;
  return config;
}

// A loss whose gradient differs from tensor to tensor and from step to step.
Tensor toy_loss(const std::vector<Tensor>& tensors, int step) {
  Tensor sum = torch::zeros({});
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    sum = sum + (tensors[i] - 0.1 * static_cast<double>(i % 7 + 1) - 0.01 * step).pow(2).sum();
  }
  return sum;
}

TEST(Optimizer, TakesTheStepsOfTorchsAdamW) {
  TrainConfig config = small_config();
  config.encoder_rate = config.rate;
  config.clip = 0;
  config.warmup = 0;
  const ParamSet start = random_params(config, 1);
  const ParamSet master = start.to(torch::kCPU, torch::kFloat32);
  Optimizer ours(config, master);
  std::vector<Tensor> theirs;
  for (const Tensor& tensor : start.tensors()) theirs.push_back(tensor.clone().requires_grad_());
  torch::optim::AdamW adam(theirs, torch::optim::AdamWOptions(config.rate)
                                       .weight_decay(config.weight_decay)
                                       .eps(config.adam_eps));
  for (int step = 0; step < 5; ++step) {
    toy_loss(ours.compute_params().tensors(), step).backward();
    ours.collect_gradients();
    ours.step(step, 5);
    adam.zero_grad();
    toy_loss(theirs, step).backward();
    adam.step();
  }
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const Tensor difference = (master.tensors()[i].detach() - theirs[i].detach()).abs();
    EXPECT_LT(difference.max().item<double>(), 1e-6) << master.names()[i];
  }
}

TEST(Optimizer, ClipsTheNormOfAllGradientsTogether) {
  TrainConfig config = small_config();
  config.clip = 0.5;
  config.beta1 = 0;
  config.beta2 = 0;
  const ParamSet master = random_params(config, 1).to(torch::kCPU, torch::kFloat32);
  Optimizer optimizer(config, master);
  toy_loss(optimizer.compute_params().tensors(), 0).backward();
  optimizer.collect_gradients();
  optimizer.step(0, 10);
  double squares = 0;  // with beta1 = 0, m is the clipped gradient
  for (const auto& [name, tensor] : optimizer.state()) {
    if (name.starts_with("m.")) squares += tensor.pow(2).sum().item<double>();
  }
  EXPECT_NEAR(std::sqrt(squares), 0.5, 1e-4);
}

TEST(Optimizer, LeavesFrozenTensorsAlone) {
  TrainConfig config = small_config();
  config.frozen_layers = 1;
  config.freeze_embeddings = true;
  const ParamSet start = random_params(config, 1);
  const ParamSet master = start.to(torch::kCPU, torch::kFloat32);
  Optimizer optimizer(config, master);
  toy_loss(optimizer.compute_params().tensors(), 0).backward();
  optimizer.collect_gradients();
  optimizer.step(0, 10);
  for (std::size_t i = 0; i < start.size(); ++i) {
    const std::string& name = start.names()[i];
    const bool frozen =
        name.starts_with("bert.embeddings.") || name.starts_with("bert.encoder.layer.0.");
    EXPECT_EQ(torch::equal(master.tensors()[i].detach(), start.tensors()[i]), frozen) << name;
  }
}

TEST(Optimizer, AveragesTheWeightsItExports) {
  TrainConfig config = small_config();
  config.ema = 0.5;
  const ParamSet start = random_params(config, 1);
  const ParamSet master = start.to(torch::kCPU, torch::kFloat32);
  Optimizer optimizer(config, master);
  toy_loss(optimizer.compute_params().tensors(), 0).backward();
  optimizer.collect_gradients();
  optimizer.step(0, 10);
  const ParamSet exported = optimizer.export_params();
  const double decay = 2.0 / 11;  // (1 + 1) / (10 + 1), below 0.5 at first
  for (std::size_t i = 0; i < start.size(); ++i) {
    const Tensor wanted = start.tensors()[i] * decay + master.tensors()[i].detach() * (1 - decay);
    EXPECT_LT((exported.tensors()[i] - wanted).abs().max().item<double>(), 1e-6);
  }
}

TEST(Rates, WarmUpThenTheirShape) {
  TrainConfig config;
  config.warmup = 10;
  EXPECT_DOUBLE_EQ(rate_factor(config, 0, 110), 0.1);
  EXPECT_DOUBLE_EQ(rate_factor(config, 9, 110), 1);
  EXPECT_DOUBLE_EQ(rate_factor(config, 109, 110), 1);
  config.decay = RateDecay::kLinear;
  EXPECT_DOUBLE_EQ(rate_factor(config, 10, 110), 1);
  EXPECT_DOUBLE_EQ(rate_factor(config, 60, 110), 0.5);
  EXPECT_NEAR(rate_factor(config, 109, 110), 0.01, 1e-12);
  config.decay = RateDecay::kCosine;
  EXPECT_DOUBLE_EQ(rate_factor(config, 60, 110), 0.5);
  EXPECT_NEAR(rate_factor(config, 109, 110), 0.000247, 1e-6);
}

TEST(Rates, FallFromLayerToLayer) {
  TrainConfig config;
  config.encoder.layers = 4;
  config.layer_decay = 0.5;
  config.encoder_rate = 1;
  config.rate = 2;
  config.freeze_embeddings = true;
  config.frozen_layers = 1;
  EXPECT_EQ(tensor_rate(config, "denoiser.fuse.weight").base, 2);
  EXPECT_EQ(tensor_rate(config, "bert.encoder.layer.3.output.dense.bias").base, 1);
  EXPECT_EQ(tensor_rate(config, "bert.encoder.layer.1.output.dense.bias").base, 0.25);
  EXPECT_FALSE(tensor_rate(config, "bert.encoder.layer.1.output.dense.bias").frozen);
  EXPECT_TRUE(tensor_rate(config, "bert.encoder.layer.0.output.dense.bias").frozen);
  EXPECT_TRUE(tensor_rate(config, "bert.embeddings.word_embeddings.weight").frozen);
}

}  // namespace
}  // namespace diffie::train
