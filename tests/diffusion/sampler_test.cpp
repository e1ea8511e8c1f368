#include "diffusion/sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "diffusion/kinds.h"
#include "diffusion/sample.h"
#include "expect_error.h"

namespace diffie::diffusion {
namespace {

const DiffusionConfig kUniform16 = make_config(KernelKind::kUniform, ScheduleKind::kCosine, 16);
const DiffusionConfig kAbsorbing16 = make_config(KernelKind::kAbsorbing, ScheduleKind::kCosine, 16);

// Logits that depend on the whole row and the step, as a denoiser's do.
class RowModel : public RowPredictor {
 public:
  void predict_rows(std::span<const std::uint8_t> states, std::size_t rows, std::size_t length,
                    std::int32_t step, std::span<float> logits) override {
    ASSERT_EQ(states.size(), rows * length);
    ASSERT_EQ(logits.size(), rows * length * 4);
    steps.push_back(step);
    for (std::size_t row = 0; row < rows; ++row) {
      std::size_t sum = 0;
      for (std::size_t i = 0; i < length; ++i) {
        largest_state = std::max(largest_state, states[row * length + i]);
        sum += (i + 1) * states[row * length + i];
      }
      for (std::size_t i = 0; i < length * 4; ++i)
        logits[row * length * 4 + i] =
            static_cast<float>(std::sin(static_cast<double>(sum + i * 7 + step))) * 2;
    }
  }
  std::vector<std::int32_t> steps;
  std::uint8_t largest_state = 0;
};

// The same four logits everywhere.
class ConstantModel : public RowPredictor {
 public:
  explicit ConstantModel(std::array<float, 4> logits) : logits_(logits) {}
  void predict_rows(std::span<const std::uint8_t>, std::size_t, std::size_t, std::int32_t,
                    std::span<float> logits) override {
    for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = logits_[i % 4];
  }

 private:
  std::array<float, 4> logits_;
};

// The same answers, the last row's first: a row's slot is not its number.
class Backwards : public Predictor {
 public:
  void predict(std::span<const SampleBlock> blocks, std::int32_t step,
               Prediction& prediction) override {
    model_.predict(blocks, step, prediction);
    auto slots = prediction.slot_of_row.begin();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const auto rows = static_cast<std::ptrdiff_t>(blocks[i].rows());
      const auto size = static_cast<std::ptrdiff_t>(blocks[i].length * 4);
      const auto first =
          prediction.logits.begin() + static_cast<std::ptrdiff_t>(prediction.logits_begin[i]);
      for (std::ptrdiff_t row = 0; row < rows / 2; ++row) {
        std::swap_ranges(first + row * size, first + (row + 1) * size,
                         first + (rows - 1 - row) * size);
      }
      std::reverse(slots, slots + rows);
      slots += rows;
    }
  }

 private:
  RowModel model_;
};

std::vector<std::uint8_t> run(const Sampler& sampler, std::uint64_t key, std::uint64_t first,
                              std::size_t rows, std::size_t length) {
  RowModel model;
  std::vector<std::uint8_t> tags(rows * length, 77);
  sample(sampler, model, key, first, length, tags);
  return tags;
}

TEST(Sampler, TimesAreEvenlyStridedFromTheTop) {
  EXPECT_THAT(Sampler(kUniform16, {.steps = 4}).times(), testing::ElementsAre(16, 12, 8, 4));
  EXPECT_THAT(Sampler(kUniform16, {.steps = 3}).times(), testing::ElementsAre(16, 11, 5));
  EXPECT_THAT(Sampler(kUniform16, {.steps = 1}).times(), testing::ElementsAre(16));
  EXPECT_THAT(Sampler(kUniform16, {.steps = 5}).times(), testing::ElementsAre(16, 13, 10, 6, 3));
  // A half goes up: 10 / 4 = 2.5 -> 3, 7.5 -> 8.
  EXPECT_THAT(
      Sampler(make_config(KernelKind::kUniform, ScheduleKind::kCosine, 10), {.steps = 4}).times(),
      testing::ElementsAre(10, 8, 5, 3));
}

TEST(Sampler, EveryNumberOfStepsHasThatManyFallingTimes) {
  for (int trained = 1; trained <= 40; ++trained)
    for (int steps = 1; steps <= trained; ++steps) {
      const Sampler sampler(make_config(KernelKind::kAbsorbing, ScheduleKind::kLinear, trained),
                            {.steps = steps});
      const auto times = sampler.times();
      ASSERT_EQ(times.size(), static_cast<std::size_t>(steps));
      EXPECT_EQ(times.front(), trained);
      EXPECT_GE(times.back(), 1);
      for (std::size_t i = 1; i < times.size(); ++i) ASSERT_LT(times[i], times[i - 1]);
      for (int i = 1; i <= steps; ++i)  // nearest integer
        ASSERT_LE(std::abs(2 * times[steps - i] * steps - 2 * trained * i), steps);
    }
}

TEST(Sampler, AsksTheModelOncePerTimeInOrderAndReturnsTags) {
  for (const auto& config : {kUniform16, kAbsorbing16})
    for (int steps = 1; steps <= 16; ++steps) {
      const Sampler sampler(config, {.steps = steps});
      RowModel model;
      std::vector<std::uint8_t> tags(9 * 5, 77);
      sample(sampler, model, 1, 0, 5, tags);
      EXPECT_THAT(model.steps, testing::ElementsAreArray(sampler.times()));
      EXPECT_LE(*std::max_element(tags.begin(), tags.end()), 3);
      EXPECT_EQ(model.largest_state, config.kernel == KernelKind::kUniform ? 3 : 4);
    }
}

TEST(Sampler, BlocksOfAnySizeInAnyOrderGiveTheSameTags) {
  for (const auto& config : {kUniform16, kAbsorbing16})
    for (const std::size_t length : {1u, 3u, 4u, 5u, 30u}) {
      const double remask = config.kernel == KernelKind::kAbsorbing ? 0.2 : 0.0;
      const Sampler sampler(config, {.steps = 6, .temperature = 0.8, .remask = remask});
      const std::size_t rows = 37;
      const std::vector<std::uint8_t> whole = run(sampler, 99, 0, rows, length);
      for (const std::size_t block : {1u, 7u, 16u}) {
        std::vector<std::uint8_t> pieces(rows * length);
        for (std::size_t end = rows; end > 0; end -= std::min(block, end)) {  // last block first
          const std::size_t begin = end - std::min(block, end);
          const std::vector<std::uint8_t> part = run(sampler, 99, begin, end - begin, length);
          std::copy(part.begin(), part.end(),
                    pieces.begin() + static_cast<std::ptrdiff_t>(begin * length));
        }
        ASSERT_EQ(pieces, whole) << "block " << block << " length " << length;
      }
    }
}

TEST(Sampler, SeedsSentencesAndTrajectoriesDiffer) {
  const Sampler sampler(kUniform16, {.steps = 4});
  std::set<std::string> results;
  for (const char* sentence : {"One dog .", "One cat ."})
    for (const std::uint64_t seed : {0ull, 1ull})
      for (const std::uint64_t first : {0ull, 1000ull, 1ull << 40}) {
        const std::vector<std::uint8_t> tags =
            run(sampler, sentence_key(seed, sentence), first, 4, 30);
        results.insert(std::string(tags.begin(), tags.end()));
      }
  EXPECT_EQ(results.size(), 12u);
}

TEST(Sampler, ColdSamplingIsTheArgmaxWhateverTheNoise) {
  for (const auto& config : {kUniform16, kAbsorbing16})
    for (const double temperature : {1e-3, 1e-30, 1e-300, 5e-324}) {
      ConstantModel model({0.1f, 0.3f, 0.2f, -5.0f});
      const Sampler sampler(config, {.steps = 5, .temperature = temperature});
      std::vector<std::uint8_t> tags(50 * 7);
      sample(sampler, model, 3, 0, 7, tags);
      EXPECT_THAT(tags, testing::Each(1)) << temperature;
    }
}

TEST(Sampler, ImpossibleTagsNeverAppear) {
  const float never = -std::numeric_limits<float>::infinity();
  for (const auto& config : {kUniform16, kAbsorbing16})
    for (int tag = 0; tag < 4; ++tag) {
      std::array<float, 4> logits = {0.0f, 1.0f, -1.0f, 0.5f};
      logits[tag] = never;
      ConstantModel model(logits);
      const Sampler sampler(config, {.steps = 4});
      std::vector<std::uint8_t> tags(2000 * 5);
      sample(sampler, model, 3, 0, 5, tags);
      EXPECT_THAT(tags, testing::Not(testing::Contains(tag)));
    }
}

TEST(Sampler, NonFiniteLogitsStillGiveTags) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  for (const auto& config : {kUniform16, kAbsorbing16})
    for (const auto& logits :
         {std::array<float, 4>{nan, nan, nan, nan}, std::array<float, 4>{0.f, nan, 1.f, 2.f},
          std::array<float, 4>{infinity, infinity, 0.f, 0.f},
          std::array<float, 4>{-infinity, -infinity, -infinity, -infinity}}) {
      ConstantModel model(logits);
      const Sampler sampler(config, {.steps = 4});
      std::vector<std::uint8_t> tags(10 * 5);
      sample(sampler, model, 3, 0, 5, tags);
      EXPECT_LE(*std::max_element(tags.begin(), tags.end()), 3);
    }
}

TEST(Sampler, RemaskingChangesSamplesAndLeavesNoMask) {
  const std::vector<std::uint8_t> plain = run(Sampler(kAbsorbing16, {.steps = 16}), 5, 0, 200, 9);
  const std::vector<std::uint8_t> remasked =
      run(Sampler(kAbsorbing16, {.steps = 16, .remask = 0.5}), 5, 0, 200, 9);
  EXPECT_NE(plain, remasked);
  EXPECT_LE(*std::max_element(remasked.begin(), remasked.end()), 3);
}

// Stored results (seeds in bug reports, pools, tables in documents) must not change unnoticed.
TEST(Sampler, SamplesArePinned) {
  const auto digest = [](const DiffusionConfig& config, const Settings& options) {
    ConstantModel model({0.5f, 0.25f, -0.75f, 0.125f});
    const Sampler sampler(config, options);
    std::vector<std::uint8_t> tags(64 * 11);
    sample(sampler, model, sentence_key(42, "The dog bit the man ."), 3, 11, tags);
    std::uint64_t hash = 0;
    for (const std::uint8_t tag : tags) hash = hash * 0x100000001B3 + tag + 1;
    return hash;
  };
  EXPECT_EQ(sentence_key(42, "The dog bit the man ."), 12240507167174794976u);
  EXPECT_EQ(digest(kUniform16, {.steps = 16}), 9999861342501636107u);
  EXPECT_EQ(digest(kUniform16, {.steps = 3, .temperature = 0.7}), 7905909538132465539u);
  EXPECT_EQ(digest(kAbsorbing16, {.steps = 8, .remask = 0.25}), 472654465671679506u);
}

void expect_each_as_alone(Predictor& model) {
  const Sampler sampler(kUniform16, {.steps = 5});
  std::vector<std::uint8_t> together((4 * 7) + (3 * 11));
  const std::vector<SampleBlock> blocks = {{1, 0, 7, std::span(together).first(4 * 7)},
                                           {2, 5, 11, std::span(together).subspan(4 * 7)}};
  Prediction prediction;
  sampler.sample(blocks, model, prediction);
  std::vector<std::uint8_t> apart = run(sampler, 1, 0, 4, 7);
  const std::vector<std::uint8_t> second = run(sampler, 2, 5, 3, 11);
  apart.insert(apart.end(), second.begin(), second.end());
  EXPECT_EQ(together, apart);
}

TEST(Sampler, BlocksOfSeveralSentencesAreSampledAsEachAlone) {
  RowModel model;
  expect_each_as_alone(model);
  Backwards backwards;
  expect_each_as_alone(backwards);
}

TEST(Sampler, RefusesWhatCannotBe) {
  const double nan = std::nan("");
  for (const int steps : {0, -3, 17})
    EXPECT_ERROR(Sampler(kUniform16, {.steps = steps}), ErrorCode::kInvalidArgument, "steps is");
  for (const double temperature : {0.0, -1.0, 10.5, nan})
    EXPECT_ERROR(Sampler(kUniform16, {.temperature = temperature}), ErrorCode::kInvalidArgument,
                 "temperature");
  for (const double remask : {-0.1, 1.1, nan})
    EXPECT_ERROR(Sampler(kAbsorbing16, {.remask = remask}), ErrorCode::kInvalidArgument, "remask");
  EXPECT_ERROR(Sampler(kUniform16, {.remask = 0.1}), ErrorCode::kInvalidArgument, "uniform kernel");
}

}  // namespace
}  // namespace diffie::diffusion
