#include "train/objective.h"

#include <gtest/gtest.h>

#include <numeric>

#include "synthetic.h"
#include "train/optimizer.h"

namespace diffie::train {
namespace {

using torch::Tensor;

TrainConfig config_with(diffusion::KernelKind kernel, diffusion::ScheduleKind schedule) {
  TrainConfig config = tiny_config(make_synthetic_task(1, 0, 1));
  config.diffusion.kernel = kernel;
  config.diffusion.schedule = schedule;
  config.diffusion.steps = 16;
  return config;
}

TEST(Objective, CorruptsAsTheScheduleSays) {
  for (const auto kernel : {diffusion::KernelKind::kUniform, diffusion::KernelKind::kAbsorbing}) {
    for (const auto schedule :
         {diffusion::ScheduleKind::kCosine, diffusion::ScheduleKind::kLinear,
          diffusion::ScheduleKind::kLogLinear, diffusion::ScheduleKind::kMutualInformation}) {
      const TrainConfig config = config_with(kernel, schedule);
      const std::vector<double> levels = signal_levels(config.diffusion);
      ASSERT_EQ(levels.size(), 17u);
      const ObjectiveFunction objective(config, torch::kCPU);
      torch::manual_seed(1);
      for (const std::int64_t t : {1, 8, 16}) {
        const Tensor y0 = torch::randint(0, 4, {40, 500}, torch::kInt64);
        const Tensor noisy = objective.corrupt(y0, torch::full({40}, t, torch::kInt64));
        const double same = noisy.eq(y0).to(torch::kFloat64).mean().item<double>();
        const double abar = levels[static_cast<std::size_t>(t)];
        const bool absorbing = kernel == diffusion::KernelKind::kAbsorbing;
        EXPECT_NEAR(same, absorbing ? abar : abar + (1 - abar) / 4, 0.015) << t;
        EXPECT_EQ(noisy.eq(4).any().item<bool>(), absorbing);
      }
    }
  }
}

// Written out by hand for two places.
TEST(Objective, CrossEntropyIsAWeightedMean) {
  TrainConfig config =
      config_with(diffusion::KernelKind::kUniform, diffusion::ScheduleKind::kCosine);
  const Tensor logits =
      torch::tensor({0.0f, 1.0f, 0.0f, 0.0f, 2.0f, 0.0f, 0.0f, 0.0f, 9.0f, 9.0f, 9.0f, 9.0f})
          .view({1, 3, 4});
  const Tensor y0 = torch::tensor({0, 1, 2}).view({1, 3});
  const Tensor valid = torch::tensor({1, 1, 0}).view({1, 3}).to(torch::kBool);
  const Tensor steps = torch::tensor({3});
  const Tensor weight = torch::ones({1});
  const double z0 = std::log(3 + std::exp(1.0)), z1 = std::log(3 + std::exp(2.0));
  const auto loss = [&](const TrainConfig& c) {
    return ObjectiveFunction(c, torch::kCPU)
        .cross_entropy(logits, y0, y0, steps, valid, weight)
        .item<double>();
  };
  EXPECT_NEAR(loss(config), (0.7 * z0 + z1) / 1.7, 1e-5);
  config.label_smoothing = 0.2;  // 0.2 / 4 on each class, each with its class weight
  const double smooth0 = 0.05 * (0.7 * z0 + (z0 - 1) + 2 * z0);
  const double smooth1 = 0.05 * (0.7 * (z1 - 2) + 3 * z1);
  EXPECT_NEAR(loss(config), (0.8 * (0.7 * z0 + z1) + smooth0 + smooth1) / 1.7, 1e-5);
}

TEST(Objective, InstanceWeightsAreLikeRepetition) {
  const TrainConfig config =
      config_with(diffusion::KernelKind::kUniform, diffusion::ScheduleKind::kCosine);
  const ObjectiveFunction objective(config, torch::kCPU);
  torch::manual_seed(1);
  const Tensor logits = torch::randn({2, 3, 4});
  const Tensor y0 = torch::randint(0, 4, {2, 3}, torch::kInt64);
  const Tensor valid = torch::ones({2, 3}, torch::kBool);
  const Tensor steps = torch::ones({2}, torch::kInt64);
  const Tensor weighted =
      objective.cross_entropy(logits, y0, y0, steps, valid, torch::tensor({2.0f, 1.0f}));
  const Tensor index = torch::tensor({0, 0, 1});
  const Tensor repeated = objective.cross_entropy(
      logits.index_select(0, index), y0.index_select(0, index), y0.index_select(0, index),
      steps.index_select(0, index), valid.index_select(0, index), torch::ones({3}));
  EXPECT_NEAR(weighted.item<double>(), repeated.item<double>(), 1e-6);
}

TEST(Objective, AbsorbingLearnsFromMaskedPlacesAlone) {
  TrainConfig config =
      config_with(diffusion::KernelKind::kAbsorbing, diffusion::ScheduleKind::kLinear);
  config.class_weights = {1, 1, 1, 1};
  const Tensor y0 = torch::tensor({0, 1}).view({1, 2});
  const Tensor noisy = torch::tensor({4, 1}).view({1, 2});
  const Tensor valid = torch::ones({1, 2}, torch::kBool);
  const Tensor steps = torch::tensor({4});
  const Tensor logits =
      torch::tensor({0.0f, 0.0f, 0.0f, 0.0f, 5.0f, 0.0f, 0.0f, 0.0f}).view({1, 2, 4});
  const auto loss = [&] {
    return ObjectiveFunction(config, torch::kCPU)
        .cross_entropy(logits, y0, noisy, steps, valid, torch::ones({1}))
        .item<double>();
  };
  EXPECT_NEAR(loss(), std::log(4.0), 1e-5);
  // Linear: T (alpha_3 - alpha_4) / (1 - alpha_4) = 16 * (1/16) / (4/16) = 4, over two places.
  config.absorbing_weight = AbsorbingWeight::kElbo;
  EXPECT_NEAR(loss(), 4 * std::log(4.0) / 2, 1e-4);
}

TEST(Objective, AnchoredCorruptsByStageAndLearnsFromMaskedPlacesAlone) {
  TrainConfig config =
      config_with(diffusion::KernelKind::kAnchored, diffusion::ScheduleKind::kCosine);
  config.class_weights = {1, 1, 1, 1};
  config.absorbing_weight = AbsorbingWeight::kElbo;  // is of the absorbing kernel
  const ObjectiveFunction objective(config, torch::kCPU);
  const Tensor y0 = torch::tensor({2, 1}).view({1, 2});
  const Tensor steps = torch::tensor({12});  // tells the relation
  const Tensor noisy = objective.corrupt(y0, steps);
  EXPECT_TRUE(noisy.equal(torch::tensor({2, 4}).view({1, 2})));
  const Tensor logits =
      torch::tensor({9.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f}).view({1, 2, 4});
  EXPECT_NEAR(objective
                  .cross_entropy(logits, y0, noisy, steps, torch::ones({1, 2}, torch::kBool),
                                 torch::ones({1}))
                  .item<double>(),
              std::log(4.0), 1e-5);
}

TEST(Objective, NothingMaskedIsNoNaN) {
  const TrainConfig config =
      config_with(diffusion::KernelKind::kAbsorbing, diffusion::ScheduleKind::kCosine);
  const Tensor y0 = torch::zeros({1, 2}, torch::kInt64);
  const Tensor loss = ObjectiveFunction(config, torch::kCPU)
                          .cross_entropy(torch::zeros({1, 2, 4}), y0, y0, torch::tensor({1}),
                                         torch::ones({1, 2}, torch::kBool), torch::ones({1}));
  EXPECT_EQ(loss.item<double>(), 0);
}

// Encoding a sentence once and repeating its states must give what encoding it per instance gives.
TEST(Objective, SharedEncodingGivesTheSameLoss) {
  const SyntheticTask task = make_synthetic_task(4, 0, 2);
  TrainConfig config = tiny_config(task);
  config.objective = Objective::kTagger;  // draws nothing, so both ways see the same
  const ParamSet params = random_params(config, 1);
  const ObjectiveFunction objective(config, torch::kCPU);
  DeviceData data(task.train, 2, 3, torch::kCPU);
  std::vector<std::int32_t> instances;
  for (std::size_t i = 0; i < task.train.num_instances(); ++i) {
    instances.push_back(static_cast<std::int32_t>(i));
  }
  data.load_epoch(plan_epoch(task.train, instances, {64, 0}, 1, 0));
  Batch batch = data.batch(0);
  ASSERT_LT(batch.ids.size(0), batch.slots.size(0));
  const double shared = objective.loss(params, batch, false).item<double>();
  batch.ids = batch.ids.index_select(0, batch.slots);
  batch.encoder_valid = batch.encoder_valid.index_select(0, batch.slots);
  batch.slots = torch::arange(batch.slots.size(0));
  EXPECT_NEAR(objective.loss(params, batch, false).item<double>(), shared, 1e-5);
}

// Mixed precision rounds to 8 bits, no more.
TEST(Objective, Bf16OnTheCpuGivesNearlyTheSameLoss) {
  const SyntheticTask task = make_synthetic_task(12, 0, 2);
  TrainConfig config = tiny_config(task);
  const ParamSet master = random_params(config, 1);
  std::vector<std::int32_t> instances(task.train.num_instances());
  std::iota(instances.begin(), instances.end(), 0);
  DeviceData data(task.train, 2, 3, torch::kCPU);
  data.load_epoch(plan_epoch(task.train, instances, {64, 0}, 1, 0));
  const auto loss = [&](bool mixed) {
    config.cpu_bf16 = mixed;
    const Optimizer optimizer(config, master.to(torch::kCPU, torch::kFloat32));
    torch::manual_seed(5);
    return ObjectiveFunction(config, torch::kCPU)
        .loss(optimizer.compute_params(), data.batch(0), false)
        .item<double>();
  };
  EXPECT_NE(loss(true), loss(false));
  EXPECT_NEAR(loss(true) / loss(false), 1, 0.01);
}

}  // namespace
}  // namespace diffie::train
