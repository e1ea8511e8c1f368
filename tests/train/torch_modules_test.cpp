#include "train/torch_modules.h"

#include <gtest/gtest.h>

#include "model/denoiser.h"
#include "model/encoder.h"
#include "model_dir/model_dir.h"
#include "synthetic.h"
#include "temp_dir.h"
#include "train/device_data.h"
#include "train/export.h"
#include "train/objective.h"

namespace diffie::train {
namespace {

using torch::Tensor;

struct Ragged {
  std::vector<std::int32_t> ids;
  std::vector<std::uint32_t> offsets = {0};
};

// Random weights with every bias and norm away from its trivial start.
ParamSet lively_params(const TrainConfig& config) {
  ParamSet params = random_params(config, 1);
  torch::manual_seed(2);
  for (Tensor tensor : params.tensors()) tensor.add_(torch::randn_like(tensor) * 0.1);
  return params;
}

class TorchModulesTest : public ::testing::TestWithParam<diffusion::KernelKind> {
 protected:
  TorchModulesTest() : task_(make_synthetic_task(12, 0, 3)), config_(tiny_config(task_)) {
    config_.diffusion.kernel = GetParam();
    config_.weights = "f32";
    params_ = lively_params(config_);
  }

  SyntheticTask task_;
  TrainConfig config_;
  ParamSet params_;
};

double largest_difference(const Tensor& a, const float* b) {
  const Tensor other = torch::from_blob(const_cast<float*>(b), a.sizes());
  return (a - other).abs().max().item<double>();
}

TEST_P(TorchModulesTest, AgreeWithTheEngineThroughAModelDirectory) {
  const test::TempDir dir;
  ExportContent content;
  content.vocab = task_.vocab;
  content.card = "card\n";
  export_model(dir.path() / "m", config_, params_, content);
  const model_dir::ModelDir model = model_dir::ModelDir::open(dir.path() / "m");
  const model::BertEncoder encoder(model);
  const model::Denoiser denoiser(model);
  model::Workspace workspace;
  const TorchEncoder torch_encoder(params_, config_.encoder);
  const TorchDenoiser torch_denoiser(params_, config_.denoiser);
  const std::int64_t hidden = config_.encoder.hidden, inner = config_.denoiser.hidden;

  // All sentences in one padded batch against one ragged batch.
  std::vector<std::span<const std::int32_t>> sentences;
  Ragged ragged;
  for (std::size_t i = 0; i < task_.train.num_sentences(); ++i) {
    sentences.push_back(task_.train.pieces(i));
    ragged.ids.push_back(2);
    ragged.ids.insert(ragged.ids.end(), sentences.back().begin(), sentences.back().end());
    ragged.ids.push_back(3);
    ragged.offsets.push_back(static_cast<std::uint32_t>(ragged.ids.size()));
  }
  std::vector<float> states(ragged.ids.size() * static_cast<std::size_t>(hidden));
  encoder.forward(ragged.ids, ragged.offsets, states, workspace);
  const EncoderInput input = pad_sentences(sentences, 2, 3, torch::kCPU);
  const Tensor torch_states = torch_encoder.forward(input.ids, input.valid, {});

  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i);
    const auto length = static_cast<std::int64_t>(sentences[i].size());
    const float* engine_states = states.data() + ragged.offsets[i] * hidden;
    EXPECT_LT(largest_difference(torch_states[row].narrow(0, 0, length + 2), engine_states), 1e-4);

    // Three tag rows of this sentence at every second step.
    const auto tokens = static_cast<std::size_t>(length);
    std::vector<float> projected(tokens * static_cast<std::size_t>(inner));
    denoiser.project_context({engine_states + hidden, tokens * static_cast<std::size_t>(hidden)},
                             tokens, projected, workspace);
    const Tensor tags = torch::randint(0, torch_denoiser.tag.size(0), {3, length}, torch::kInt64);
    const Tensor bytes = tags.to(torch::kUInt8).contiguous();
    std::vector<std::uint32_t> offsets, begins(3, 0);
    for (std::uint32_t r = 0; r <= 3; ++r) {
      offsets.push_back(r * static_cast<std::uint32_t>(length));
    }
    for (std::int32_t step = 1; step <= config_.diffusion.steps; step += 2) {
      std::vector<float> logits(3 * tokens * 4);
      denoiser.forward(projected, {offsets, begins}, {bytes.data_ptr<std::uint8_t>(), 3 * tokens},
                       step, logits, workspace);
      const Tensor context =
          torch_denoiser.project(torch_states[row].narrow(0, 1, length).unsqueeze(0))
              .expand({3, length, inner});
      const Tensor found =
          torch_denoiser.forward(context, tags, torch::full({3}, step, torch::kInt64),
                                 torch::ones({3, length}, torch::kBool), {});
      EXPECT_LT(largest_difference(found, logits.data()), 1e-4) << "step " << step;
    }
  }
}

TEST_P(TorchModulesTest, PaddingChangesNothing) {
  const TorchDenoiser denoiser(params_, config_.denoiser);
  const Tensor projected = torch::randn({2, 5, config_.denoiser.hidden});
  const Tensor tags = torch::randint(0, 4, {2, 5}, torch::kInt64);
  const Tensor steps = torch::tensor({1, 8});
  const Tensor valid = torch::ones({2, 5}, torch::kBool);
  const Tensor alone = denoiser.forward(projected, tags, steps, valid, {});
  const Tensor padded = denoiser.forward(at::constant_pad_nd(projected, {0, 0, 0, 3}, 9.0),
                                         at::constant_pad_nd(tags, {0, 3}, 1), steps,
                                         at::constant_pad_nd(valid, {0, 3}, 0), {});
  EXPECT_LT((alone - padded.narrow(1, 0, 5)).abs().max().item<double>(), 1e-5);
}

TEST_P(TorchModulesTest, TrainingAndInferenceLookUpTheSameRows) {
  const TorchDenoiser plain(params_, config_.denoiser);
  ParamSet asking = params_.to(torch::kCPU, torch::kFloat32);
  for (Tensor tensor : asking.tensors()) tensor.requires_grad_(true);
  const TorchDenoiser training(asking, config_.denoiser);
  const Tensor projected = torch::randn({2, 5, config_.denoiser.hidden});
  const Tensor tags = torch::randint(0, 4, {2, 5}, torch::kInt64);
  const Tensor steps = torch::tensor({3, 8});
  const Tensor valid = torch::ones({2, 5}, torch::kBool);
  const Tensor a = plain.forward(projected, tags, steps, valid, {});
  const Tensor b = training.forward(projected, tags, steps, valid, {}).detach();
  EXPECT_LT((a - b).abs().max().item<double>(), 1e-5);
}

// d loss / d weight by central differences, in double precision, for two places of every tensor.
void check_gradients(const TrainConfig& config, const SyntheticTask& task) {
  ParamSet params = lively_params(config).to(torch::kCPU, torch::kFloat64);
  for (Tensor tensor : params.tensors()) tensor.requires_grad_(true);
  DeviceData data(task.train, 2, 3, torch::kCPU);
  std::vector<std::int32_t> instances = {0, 1, 2, 3, 4, 5};
  data.load_epoch(plan_epoch(task.train, instances, {6, 0}, 1, 0));
  const ObjectiveFunction objective(config, torch::kCPU);
  const auto loss = [&] {
    torch::manual_seed(5);  // the same steps and noise every time
    return objective.loss(params, data.batch(0), /*training=*/false);
  };
  loss().backward();
  const torch::NoGradGuard no_grad;
  for (std::size_t i = 0; i < params.size(); ++i) {
    Tensor flat = params.tensors()[i].view(-1);
    const Tensor gradient = params.tensors()[i].grad();
    ASSERT_TRUE(gradient.defined()) << params.names()[i];
    // The place with the largest gradient, and one in the middle.
    for (const std::int64_t place :
         {gradient.view(-1).abs().argmax().item<std::int64_t>(), flat.size(0) / 2}) {
      constexpr double kStep = 1e-5;
      const double before = flat[place].item<double>();
      flat[place] = before + kStep;
      const double above = loss().item<double>();
      flat[place] = before - kStep;
      const double below = loss().item<double>();
      flat[place] = before;
      const double expected = (above - below) / (2 * kStep);
      const double found = gradient.view(-1)[place].item<double>();
      EXPECT_NEAR(found, expected, 1e-7 + 1e-5 * std::abs(expected))
          << params.names()[i] << " at " << place;
    }
  }
}

TEST_P(TorchModulesTest, GradientsAreThoseOfFiniteDifferences) {
  config_.levels = 2;
  config_.label_smoothing = 0.1;
  check_gradients(config_, task_);
}

INSTANTIATE_TEST_SUITE_P(Kernels, TorchModulesTest,
                         ::testing::Values(diffusion::KernelKind::kUniform,
                                           diffusion::KernelKind::kAbsorbing),
                         [](const auto& kind) {
                           return kind.param == diffusion::KernelKind::kUniform ? "uniform"
                                                                                : "absorbing";
                         });

TEST(Tagger, GradientsAreThoseOfFiniteDifferences) {
  const SyntheticTask task = make_synthetic_task(6, 0, 3);
  TrainConfig config = tiny_config(task);
  config.objective = Objective::kTagger;
  check_gradients(config, task);
}

TEST(Export, ReadsBackHalfPrecisionWithinItsRounding) {
  const SyntheticTask task = make_synthetic_task(1, 0, 3);
  for (const Objective objective : {Objective::kDiffusion, Objective::kTagger}) {
    TrainConfig config = tiny_config(task);
    config.objective = objective;
    config.max_file_mb = 1;
    const ParamSet params = random_params(config, 4);
    const test::TempDir dir;
    export_model(dir.path() / "m", config, params, {{}, task.vocab, "card\n", {{"x.txt", "x"}}});
    const LoadedModel loaded = load_model(dir.path() / "m");
    EXPECT_EQ(loaded.config.objective, objective);
    ASSERT_EQ(loaded.params.names(), params.names());
    for (std::size_t i = 0; i < params.size(); ++i) {
      const Tensor difference = (loaded.params.tensors()[i] - params.tensors()[i]).abs();
      EXPECT_LT(difference.max().item<double>(), 4e-3) << params.names()[i];
    }
  }
}

TEST(Drop, KeepsTheMeanAndDropsPlacesAlone) {
  torch::manual_seed(3);
  const Tensor dropped = drop(torch::ones({400, 1000}), 0.1);
  const Tensor gone = dropped.eq(0).to(torch::kFloat64);
  EXPECT_NEAR(dropped.mean().item<double>(), 1, 2e-3);
  EXPECT_NEAR(gone.mean().item<double>(), 26.0 / 256, 2e-3);
  // Bytes of one draw, and places of different draws, fall alike and independently.
  for (std::int64_t place = 0; place < 8; ++place) {
    const Tensor column = gone.slice(1, place, 1000, 8);
    EXPECT_NEAR(column.mean().item<double>(), 26.0 / 256, 6e-3) << "byte " << place;
  }
  const Tensor both = gone.narrow(1, 0, 999) * gone.narrow(1, 1, 999);
  EXPECT_NEAR(both.mean().item<double>(), 26.0 / 256 * 26 / 256, 1e-3);
  EXPECT_TRUE(drop(torch::ones({3}), 0).eq(1).all().item<bool>());
}

}  // namespace
}  // namespace diffie::train
