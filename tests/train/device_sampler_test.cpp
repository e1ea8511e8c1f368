#include "train/device_sampler.h"

#include <gtest/gtest.h>

#include <map>

#include "synthetic.h"
#include "train/objective.h"

namespace diffie::train {
namespace {

TorchModel make_model(const SyntheticTask& task, const TrainConfig& config) {
  ParamSet params = random_params(config, 9);
  torch::manual_seed(1);
  for (torch::Tensor tensor : params.tensors()) tensor.add_(torch::randn_like(tensor) * 0.3);
  (void)task;
  return TorchModel(config, std::move(params), 2, 3);
}

std::map<std::string, double> shares(const std::vector<std::uint8_t>& tags, std::size_t length) {
  std::map<std::string, double> result;
  const auto rows = static_cast<double>(tags.size() / length);
  for (std::size_t begin = 0; begin < tags.size(); begin += length) {
    result[std::string(tags.begin() + static_cast<std::ptrdiff_t>(begin),
                       tags.begin() + static_cast<std::ptrdiff_t>(begin + length))] += 1 / rows;
  }
  return result;
}

double total_variation(const std::map<std::string, double>& a,
                       const std::map<std::string, double>& b) {
  double sum = 0;
  for (const auto& [key, share] : a) {
    const auto other = b.find(key);
    sum += std::abs(share - (other == b.end() ? 0 : other->second));
  }
  for (const auto& [key, share] : b) sum += a.contains(key) ? 0 : share;
  return sum / 2;
}

// 64 possible rows of three tags; 8,000 samples of each sampler differ by less than sampling noise
// explains. A wrong posterior or a shifted step gives far more.
TEST(DeviceSampler, HasTheDistributionOfTheEnginesSampler) {
  const SyntheticTask task = make_synthetic_task(1, 0, 1);
  for (const auto kernel : {diffusion::KernelKind::kUniform, diffusion::KernelKind::kAbsorbing}) {
    TrainConfig config = tiny_config(task);
    config.diffusion.kernel = kernel;
    const TorchModel model = make_model(task, config);
    const std::vector<std::int32_t> sentence = {6, 17, 8};
    diffusion::SamplerOptions options;
    options.steps = 4;
    options.temperature = 1.3;
    options.remask = kernel == diffusion::KernelKind::kAbsorbing ? 0.2 : 0;
    constexpr std::int32_t kSamples = 8000;
    const std::vector<Pieces> pieces = {sentence};
    const auto on_device = sample_on_device(model, pieces, kSamples, options, 1).front();

    const diffusion::Sampler sampler(config.diffusion, options);
    std::vector<std::uint8_t> reference(kSamples * sentence.size());
    sampler.sample(*model.predictor(sentence), 77, 0, kSamples, sentence.size(), reference);

    const auto a = shares(on_device, 3), b = shares(reference, 3);
    EXPECT_GT(a.size(), 8u);
    EXPECT_LT(total_variation(a, b), 0.05);
  }
}

TEST(DeviceSampler, KeepsSentencesApartWhateverTheirOrder) {
  const SyntheticTask task = make_synthetic_task(1, 0, 1);
  const TrainConfig config = tiny_config(task);
  const TorchModel model = make_model(task, config);
  const std::vector<std::int32_t> one = {6, 17, 8, 5}, two = {9}, none;
  const std::vector<Pieces> pieces = {one, none, two, one};
  diffusion::SamplerOptions options;
  options.steps = config.diffusion.steps;
  const auto tags = sample_on_device(model, pieces, 5, options, 3);
  EXPECT_EQ(tags[0].size(), 20u);
  EXPECT_EQ(tags[1].size(), 0u);
  EXPECT_EQ(tags[2].size(), 5u);
  EXPECT_EQ(tags[3].size(), 20u);
  EXPECT_EQ(sample_on_device(model, pieces, 5, options, 3), tags);
  EXPECT_NE(sample_on_device(model, pieces, 5, options, 4), tags);
}

TEST(DeviceSampler, TaggerSamplesDifferByDropout) {
  const SyntheticTask task = make_synthetic_task(1, 0, 1);
  TrainConfig config = tiny_config(task);
  config.objective = Objective::kTagger;
  config.encoder_dropout = config.attention_dropout = 0.5;
  const TorchModel model = make_model(task, config);
  const std::vector<std::int32_t> sentence = {6, 17, 8, 5, 7, 9};
  const std::vector<Pieces> pieces = {sentence};
  const auto tags = sample_on_device(model, pieces, 50, {}, 3).front();
  EXPECT_GT(shares(tags, 6).size(), 1u);
  config.encoder_dropout = config.attention_dropout = 0;
  const TorchModel sure = make_model(task, config);
  EXPECT_EQ(shares(sample_on_device(sure, pieces, 50, {}, 3).front(), 6).size(), 1u);
}

TEST(DeviceSampler, GroupsStayUnderTheLimit) {
  const std::vector<std::size_t> lengths = {1, 8, 9, 16, 100};
  EXPECT_EQ(group_by_tokens(lengths, 2, 40), (std::vector<std::size_t>{2, 3, 4, 5}));
  EXPECT_EQ(group_by_tokens(lengths, 2, 1000000), (std::vector<std::size_t>{5}));
  EXPECT_TRUE(group_by_tokens({}, 2, 40).empty());
}

}  // namespace
}  // namespace diffie::train
