#include "train/torch_modules.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "diffusion/anchored_decoder.h"
#include "model/denoiser.h"
#include "model/encoder.h"
#include "model/judge.h"
#include "model_dir/model_dir.h"
#include "synthetic.h"
#include "temp_dir.h"
#include "train/device_data.h"
#include "train/export.h"
#include "train/objective.h"

namespace diffie::train {
namespace {

using torch::Tensor;

// The sentences of a task, padded and ragged.
struct Sentences {
  std::vector<std::span<const std::int32_t>> pieces;
  std::vector<std::int32_t> ids;
  std::vector<std::uint32_t> offsets = {0};

  explicit Sentences(const TrainingSet& set) {
    for (std::size_t i = 0; i < set.num_sentences(); ++i) {
      pieces.push_back(set.pieces(i));
      ids.push_back(2);
      ids.insert(ids.end(), pieces.back().begin(), pieces.back().end());
      ids.push_back(3);
      offsets.push_back(static_cast<std::uint32_t>(ids.size()));
    }
  }
};

model_dir::ModelDir export_and_open(const std::filesystem::path& dir, const TrainConfig& config,
                                    const ParamSet& params, const SyntheticTask& task) {
  ExportContent content;
  content.vocab = task.vocab;
  content.card = "card\n";
  export_model(dir, config, params, content);
  return model_dir::ModelDir::open(dir);
}

// Anchored, with a judge and something to judge by.
void make_judged(SyntheticTask& task, TrainConfig& config) {
  config.diffusion.kernel = diffusion::KernelKind::kAnchored;
  config.diffusion.steps = diffusion::stage::kLast;
  config.judge = {2, 24, 3, 1e-5};
  std::mt19937 random(1);
  for (std::size_t i = 0; i < task.train.num_instances(); ++i) {
    const bool is_known = i % 3 != 0;
    for (int k = 0; k < 2; ++k) {
      task.train.instance_judgement.push_back(is_known ? static_cast<float>(random() % 100) / 100
                                                       : -1.0f);
    }
  }
}

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
    if (GetParam() == diffusion::KernelKind::kAnchored) make_judged(task_, config_);
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
  const model_dir::ModelDir model = export_and_open(dir.path() / "m", config_, params_, task_);
  const model::BertEncoder encoder(model);
  const model::Denoiser denoiser(model);
  model::Workspace workspace;
  const TorchEncoder torch_encoder(params_, config_.encoder);
  const TorchDenoiser torch_denoiser(params_, config_.denoiser);
  const std::int64_t hidden = config_.encoder.hidden, inner = config_.denoiser.hidden;

  // All sentences in one padded batch against one ragged batch.
  const Sentences sentences(task_.train);
  std::vector<float> states(sentences.ids.size() * static_cast<std::size_t>(hidden));
  encoder.forward(sentences.ids, sentences.offsets, states, workspace);
  const EncoderInput input = pad_sentences(sentences.pieces, 2, 3, torch::kCPU);
  const Tensor torch_states = torch_encoder.forward(input.ids, input.valid, {});

  for (std::size_t i = 0; i < sentences.pieces.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i);
    const auto length = static_cast<std::int64_t>(sentences.pieces[i].size());
    const float* engine_states = states.data() + sentences.offsets[i] * hidden;
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
                                           diffusion::KernelKind::kAbsorbing,
                                           diffusion::KernelKind::kAnchored),
                         [](const auto& kind) {
                           return std::string(diffusion::name_of(kind.param));
                         });

class TorchJudgeTest : public ::testing::Test {
 protected:
  TorchJudgeTest() : task_(make_synthetic_task(12, 0, 3)), config_(tiny_config(task_)) {
    make_judged(task_, config_);
    config_.weights = "f32";
    params_ = lively_params(config_);
  }

  SyntheticTask task_;
  TrainConfig config_;
  ParamSet params_;
};

// Rows without some role among them.
TEST_F(TorchJudgeTest, AgreesWithTheEngineThroughAModelDirectory) {
  const test::TempDir dir;
  const model_dir::ModelDir model = export_and_open(dir.path() / "m", config_, params_, task_);
  const model::Judge judge(model);
  model::Workspace workspace;
  const TorchJudge torch_judge(params_, config_.judge);
  const std::int64_t hidden = config_.encoder.hidden;
  torch::manual_seed(7);
  double least = 1, most = 0;
  for (const auto& pieces : Sentences(task_.train).pieces) {
    constexpr std::int64_t kRows = 5;
    const std::size_t tokens = pieces.size();
    const auto length = static_cast<std::int64_t>(tokens);
    const Tensor states = torch::randn({length, hidden});
    Tensor tags = torch::randint(0, 4, {kRows, length}, torch::kInt64);
    tags[0].fill_(0);
    tags[1].fill_(2);
    const Tensor found = at::sigmoid(torch_judge.forward(
        torch_judge.project(states.unsqueeze(0)).expand({kRows, length, config_.judge.hidden}),
        tags, torch::ones({kRows, length}, torch::kBool), {}));

    std::vector<float> projected(tokens * judge.hidden());
    judge.project_context({states.data_ptr<float>(), static_cast<std::size_t>(states.numel())},
                          tokens, projected, workspace);
    const Tensor bytes = tags.to(torch::kUInt8).contiguous();
    std::vector<std::uint32_t> offsets, begins(kRows, 0);
    for (std::uint32_t row = 0; row <= kRows; ++row) {
      offsets.push_back(row * static_cast<std::uint32_t>(tokens));
    }
    std::vector<model::Judgement> judgements(kRows);
    judge.forward(projected, {offsets, begins}, {bytes.data_ptr<std::uint8_t>(), kRows * tokens},
                  judgements, workspace);
    for (std::int64_t row = 0; row < kRows; ++row) {
      const model::Judgement& judgement = judgements[static_cast<std::size_t>(row)];
      EXPECT_NEAR(found[row][0].item<double>(), judgement.exact, 1e-5);
      EXPECT_NEAR(found[row][1].item<double>(), judgement.lenient, 1e-5);
      least = std::min({least, double{judgement.exact}, double{judgement.lenient}});
      most = std::max({most, double{judgement.exact}, double{judgement.lenient}});
    }
  }
  EXPECT_GT(most - least, 0.05) << "it says the same of everything";
}

TEST_F(TorchJudgeTest, PaddingChangesNothing) {
  const TorchJudge judge(params_, config_.judge);
  const Tensor projected = torch::randn({2, 5, config_.judge.hidden});
  const Tensor tags = torch::tensor({0, 1, 2, 3, 3, 1, 1, 0, 2, 2}, torch::kInt64).view({2, 5});
  const Tensor valid = torch::ones({2, 5}, torch::kBool);
  const Tensor alone = judge.forward(projected, tags, valid, {});
  const Tensor padded = judge.forward(at::constant_pad_nd(projected, {0, 0, 0, 3}, 9.0),
                                      at::constant_pad_nd(tags, {0, 3}, 1),
                                      at::constant_pad_nd(valid, {0, 3}, 0), {});
  EXPECT_LT((alone - padded).abs().max().item<double>(), 1e-5);
}

// Written out for each instance; those of which nothing is known do not count.
TEST_F(TorchJudgeTest, LossIsTheMeanCrossEntropyOfWhatIsKnown) {
  config_.tags_loss = 0;
  config_.judge_loss = 3;
  DeviceData data(task_.train, 2, 3, torch::kCPU);
  const std::vector<std::int32_t> instances = {0, 1, 2, 3, 4, 5, 6};
  data.load_epoch(plan_epoch(task_.train, instances, {7, 0}, 1, 0));
  Batch batch = data.batch(0);
  const TorchJudge judge(params_, config_.judge);
  const Tensor states =
      TorchEncoder(params_, config_.encoder).forward(batch.ids, batch.encoder_valid, {});
  const Tensor context = judge.project(states.narrow(1, 1, batch.tags.size(1)));
  const Tensor logits =
      judge.forward(context.index_select(0, batch.slots), batch.tags, batch.valid, {});
  const auto by_hand = [&](std::int64_t side) {
    double sum = 0, count = 0;
    for (std::int64_t i = 0; i < logits.size(0); ++i) {
      const double target = batch.judgement[i][side].item<double>();
      if (target < 0) continue;
      const double share = 1 / (1 + std::exp(-logits[i][side].item<double>()));
      sum -= target * std::log(share) + (1 - target) * std::log(1 - share);
      ++count;
    }
    EXPECT_GT(count, 2);
    EXPECT_LT(count, 7);
    return sum / count;
  };
  const auto loss = [&] {
    return ObjectiveFunction(config_, torch::kCPU).loss(params_, batch, false).item<double>();
  };
  const double known = loss();
  EXPECT_NEAR(known, 3 * (by_hand(0) + 0.5 * by_hand(1)), 1e-5);

  // Other tags, and other weights, where nothing is known.
  const Tensor unknown = batch.judgement.select(1, 0).lt(0).unsqueeze(1);
  batch.tags = at::where(unknown, at::full_like(batch.tags, 2), batch.tags);
  batch.weight = at::full_like(batch.weight, 5);
  EXPECT_NEAR(loss(), known, 1e-6);
  batch.judgement = at::full_like(batch.judgement, -1);
  EXPECT_EQ(loss(), 0);
}

TEST_F(TorchJudgeTest, LossesAddUpAsTheirFactorsSay) {
  DeviceData data(task_.train, 2, 3, torch::kCPU);
  const std::vector<std::int32_t> instances = {0, 1, 2, 3};
  data.load_epoch(plan_epoch(task_.train, instances, {4, 0}, 1, 0));
  const auto loss = [&](double tags, double judge) {
    config_.tags_loss = tags;
    config_.judge_loss = judge;
    torch::manual_seed(5);
    return ObjectiveFunction(config_, torch::kCPU)
        .loss(params_, data.batch(0), false)
        .item<double>();
  };
  EXPECT_NEAR(loss(2, 0.5), 2 * loss(1, 0) + 0.5 * loss(0, 1), 1e-5);
}

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
