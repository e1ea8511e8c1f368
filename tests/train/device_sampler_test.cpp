#include "train/device_sampler.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "diffusion/sample.h"
#include "diffusion/sampler.h"
#include "expect_error.h"
#include "synthetic.h"

namespace diffie::train {
namespace {

// Random weights whose predictions depend much on the states and the step: then another chain has
// another law.
TorchModel make_model(const TrainConfig& config) {
  ParamSet params = random_params(config, 9);
  torch::manual_seed(1);
  for (torch::Tensor tensor : params.tensors()) tensor.add_(torch::randn_like(tensor) * 0.3);
  for (const char* name : {"denoiser.tag.weight", "denoiser.time.weight"}) {
    if (params.contains(name)) torch::Tensor(params.at(name)).mul_(4);
  }
  return TorchModel(config, std::move(params), 2, 3);
}

using Counts = std::map<std::string, double>;  // of the distinct rows

Counts count_rows(std::span<const std::uint8_t> tags, std::size_t length) {
  Counts counts;
  for (std::size_t begin = 0; begin < tags.size(); begin += length) {
    const auto row = tags.subspan(begin, length);
    ++counts[std::string(row.begin(), row.end())];
  }
  return counts;
}

// How many standard deviations the chi-square statistic of two equally large samples lies above
// what it is when both have one law (Wilson-Hilferty). Rows that are seen less than ten times count
// as one.
double difference_z(const Counts& a, const Counts& b) {
  std::map<std::string, std::array<double, 2>> cells;
  for (const auto& [row, count] : a) cells[row][0] += count;
  for (const auto& [row, count] : b) cells[row][1] += count;
  std::array<double, 2> rare{};
  double statistic = 0, freedom = -1;
  const auto add = [&](const std::array<double, 2>& cell) {
    statistic += (cell[0] - cell[1]) * (cell[0] - cell[1]) / (cell[0] + cell[1]);
    ++freedom;
  };
  for (const auto& [row, cell] : cells) {
    if (cell[0] + cell[1] >= 10) {
      add(cell);
    } else {
      for (const std::size_t side : {0, 1}) rare[side] += cell[side];
    }
  }
  if (rare[0] + rare[1] > 0) add(rare);
  EXPECT_GT(freedom, 8) << "too few rows to tell laws apart";
  const double spread = 2 / (9 * freedom);
  return (std::cbrt(statistic / freedom) - (1 - spread)) / std::sqrt(spread);
}

struct LawCase {
  const char* name;
  diffusion::KernelKind kernel;
  Settings settings;
  Settings other;  // near them, but of another law
};

class DeviceSamplerLaw : public testing::TestWithParam<LawCase> {
 protected:
  static Counts engine_rows(const TorchModel& model, Pieces sentence, const Settings& settings) {
    std::vector<std::uint8_t> tags(static_cast<std::size_t>(settings.samples) * sentence.size());
    const diffusion::Sampler sampler(model.config().diffusion, settings);
    diffusion::sample(sampler, *model.predictor(sentence), 77, 0, sentence.size(), tags);
    return count_rows(tags, sentence.size());
  }
};

// Against the engine's sampler, whose law is enumerated in tests/diffusion.
TEST_P(DeviceSamplerLaw, IsThatOfTheEnginesSampler) {
  constexpr std::int32_t kSamples = 10'000;
  TrainConfig config = tiny_config(make_synthetic_task(1, 0, 1));
  config.diffusion.kernel = GetParam().kernel;
  const TorchModel model = make_model(config);
  const std::vector<std::int32_t> sentence = {6, 17, 8};
  const std::vector<Pieces> pieces = {sentence};
  Settings settings = GetParam().settings, other = GetParam().other;
  settings.samples = other.samples = kSamples;
  settings.seed = 1;
  const Counts on_device =
      count_rows(sample_on_device(model, pieces, settings).front(), sentence.size());
  EXPECT_LT(difference_z(on_device, engine_rows(model, sentence, settings)), 3.7);
  EXPECT_GT(difference_z(on_device, engine_rows(model, sentence, other)), 3.7)
      << "the samples are too few to see anything";
}

constexpr auto kUniform = diffusion::KernelKind::kUniform;
constexpr auto kAbsorbing = diffusion::KernelKind::kAbsorbing;

INSTANTIATE_TEST_SUITE_P(
    Kernels, DeviceSamplerLaw,
    testing::Values(LawCase{"uniform", kUniform, {.steps = 8}, {.steps = 4}},
                    LawCase{"uniform_temperature",
                            kUniform,
                            {.steps = 4, .temperature = 1.3},
                            {.steps = 4, .temperature = 1.1}},
                    LawCase{"uniform_times",
                            kUniform,
                            {.steps = 3, .times = {7, 4, 1}},
                            {.steps = 3, .times = {7, 4, 2}}},
                    LawCase{"absorbing", kAbsorbing, {.steps = 8}, {.steps = 4}},
                    LawCase{"absorbing_temperature",
                            kAbsorbing,
                            {.steps = 4, .temperature = 1.3},
                            {.steps = 4, .temperature = 1.1}},
                    LawCase{"absorbing_times",
                            kAbsorbing,
                            {.steps = 3, .times = {8, 4, 1}},
                            {.steps = 3, .times = {8, 6, 3}}},
                    LawCase{
                        "absorbing_remask", kAbsorbing, {.steps = 6, .remask = 1}, {.steps = 6}},
                    LawCase{"absorbing_times_and_remask",
                            kAbsorbing,
                            {.steps = 5, .remask = 1, .times = {8, 7, 6, 5, 4}},
                            {.steps = 5, .times = {8, 7, 6, 5, 4}}}),
    [](const auto& test) { return test.param.name; });

// So cold that a chain ends where its start leads: with one start, all masks, in one row.
TEST(DeviceSampler, TheLowestTemperatureTakesTheLikeliestTags) {
  TrainConfig config = tiny_config(make_synthetic_task(1, 0, 1));
  config.diffusion.kernel = kAbsorbing;
  const TorchModel model = make_model(config);
  const std::vector<std::int32_t> sentence = {6, 17, 8};
  const std::vector<Pieces> pieces = {sentence};
  const Settings settings = {
      .samples = 20, .steps = 1, .temperature = std::numeric_limits<double>::min()};
  const auto tags = sample_on_device(model, pieces, settings).front();
  EXPECT_EQ(count_rows(tags, 3).size(), 1u);
  const diffusion::Sampler sampler(config.diffusion, settings);
  std::vector<std::uint8_t> engine_tags(tags.size());
  diffusion::sample(sampler, *model.predictor(sentence), 77, 0, sentence.size(), engine_tags);
  EXPECT_EQ(tags, engine_tags);
}

TEST(DeviceSampler, RefusesWhatItCannotServe) {
  TrainConfig config = tiny_config(make_synthetic_task(1, 0, 1));
  const std::vector<std::int32_t> sentence = {6, 17, 8};
  const std::vector<Pieces> pieces = {sentence};
  const auto refuses = [&](const Settings& settings, const char* what) {
    EXPECT_ERROR(sample_on_device(make_model(config), pieces, settings),
                 ErrorCode::kInvalidArgument, what);
  };
  refuses({.samples = 4, .steps = 2, .shared = {2, 1}}, "shared is given");
  refuses({.samples = 4, .steps = 2, .stratified = true}, "stratified is on");
  refuses({.samples = 4, .steps = 9}, "steps is 9");
  refuses({.samples = 4, .steps = 2, .times = {9, 1}}, "times begin with 9");
  refuses({.samples = 4, .steps = 2, .times = {4}}, "times has 1 numbers");
  refuses({.samples = 4, .steps = 2, .remask = 0.1}, "a uniform kernel has no mask");
  refuses({.samples = 0, .steps = 2}, "samples is 0");
  EXPECT_NO_THROW(
      sample_on_device(make_model(config), pieces, {.samples = 4, .steps = 2, .shared = {1, 1}}));
  config.objective = Objective::kTagger;
  refuses({.samples = 4, .stratified = true}, "stratified is on");
  refuses({.samples = 4, .steps = 1, .times = {4}}, "a tagger has none");
  refuses({.samples = 4, .temperature = 2}, "temperature is 2");
  refuses({.samples = 4, .remask = 0.1}, "remask is 0.1");
}

TEST(DeviceSampler, KeepsSentencesApartWhateverTheirOrder) {
  const TrainConfig config = tiny_config(make_synthetic_task(1, 0, 1));
  const TorchModel model = make_model(config);
  const std::vector<std::int32_t> one = {6, 17, 8, 5}, two = {9}, none;
  const std::vector<Pieces> pieces = {one, none, two, one};
  Settings settings = {.samples = 5, .steps = config.diffusion.steps, .seed = 3};
  const auto tags = sample_on_device(model, pieces, settings);
  EXPECT_EQ(tags[0].size(), 20u);
  EXPECT_EQ(tags[1].size(), 0u);
  EXPECT_EQ(tags[2].size(), 5u);
  EXPECT_EQ(tags[3].size(), 20u);
  EXPECT_EQ(sample_on_device(model, pieces, settings), tags);
  settings.seed = 4;
  EXPECT_NE(sample_on_device(model, pieces, settings), tags);
}

TEST(DeviceSampler, TaggerSamplesDifferByDropout) {
  TrainConfig config = tiny_config(make_synthetic_task(1, 0, 1));
  config.objective = Objective::kTagger;
  config.encoder_dropout = config.attention_dropout = 0.5;
  const TorchModel model = make_model(config);
  const std::vector<std::int32_t> sentence = {6, 17, 8, 5, 7, 9};
  const std::vector<Pieces> pieces = {sentence};
  const Settings settings = {.samples = 50, .seed = 3};
  EXPECT_GT(count_rows(sample_on_device(model, pieces, settings).front(), 6).size(), 1u);
  config.encoder_dropout = config.attention_dropout = 0;
  const TorchModel sure = make_model(config);
  EXPECT_EQ(count_rows(sample_on_device(sure, pieces, settings).front(), 6).size(), 1u);
}

TEST(DeviceSampler, GroupsStayUnderTheLimit) {
  const std::vector<std::size_t> lengths = {1, 8, 9, 16, 100};
  EXPECT_EQ(group_by_tokens(lengths, 2, 40), (std::vector<std::size_t>{2, 3, 4, 5}));
  EXPECT_EQ(group_by_tokens(lengths, 2, 1000000), (std::vector<std::size_t>{5}));
  EXPECT_TRUE(group_by_tokens({}, 2, 40).empty());
}

}  // namespace
}  // namespace diffie::train
