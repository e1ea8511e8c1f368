// Shared rows, chosen times and stratified numbers: a row alone keeps the law of the chain, and
// together the rows say more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "diffusion/chi_square.h"
#include "diffusion/exact_model.h"
#include "diffusion/kinds.h"
#include "diffusion/sample.h"
#include "diffusion/sampler.h"
#include "expect_error.h"

namespace diffie::diffusion {
namespace {

const DiffusionConfig kUniform16 = make_config(KernelKind::kUniform, ScheduleKind::kCosine, 16);

Settings all_shortcuts() {
  return {.steps = 3, .times = {16, 9, 4}, .shared = {32, 4, 2}, .stratified = true};
}

// Keeps the states it was asked about; its logits depend on the row and the position.
class Recorder : public RowPredictor {
 public:
  void predict_rows(std::span<const std::uint8_t> states, std::size_t rows, std::size_t length,
                    std::int32_t step, std::span<float> logits) override {
    steps.push_back(step);
    asked.emplace_back(states.begin(), states.end());
    for (std::size_t row = 0; row < rows; ++row) {
      const auto first = states.begin() + static_cast<std::ptrdiff_t>(row * length);
      const int sum = std::accumulate(first, first + static_cast<std::ptrdiff_t>(length), 0);
      for (std::size_t i = 0; i < length * 4; ++i)
        logits[row * length * 4 + i] = std::sin(static_cast<float>(sum + static_cast<int>(i) * 5));
    }
  }
  std::vector<std::int32_t> steps;
  std::vector<std::vector<std::uint8_t>> asked;
};

std::vector<std::uint8_t> run(const Settings& options, std::uint64_t first, std::size_t rows,
                              std::size_t length) {
  Recorder model;
  std::vector<std::uint8_t> tags(rows * length);
  sample(Sampler(kUniform16, options), model, 11, first, length, tags);
  return tags;
}

TEST(Shortcuts, AsksAtTheGivenTimesAndSharesTheGivenRows) {
  Recorder model;
  const std::size_t length = 12, rows = 64;
  std::vector<std::uint8_t> tags(rows * length);
  sample(Sampler(kUniform16, all_shortcuts()), model, 11, 0, length, tags);
  EXPECT_THAT(model.steps, testing::ElementsAre(16, 9, 4));
  const std::vector<std::size_t> shared = {32, 4, 2};
  for (std::size_t time = 0; time < 3; ++time) {
    const auto row = [&](std::size_t r) {
      const auto begin = model.asked[time].begin() + static_cast<std::ptrdiff_t>(r * length);
      return std::vector(begin, begin + static_cast<std::ptrdiff_t>(length));
    };
    for (std::size_t r = 1; r < rows; ++r) {
      const bool same = r / shared[time] == (r - 1) / shared[time];
      EXPECT_EQ(row(r) == row(r - 1), same) << "time " << time << " row " << r;
    }
  }
}

TEST(Shortcuts, BlocksOfAnySizeGiveTheSameTags) {
  const std::size_t rows = 70, length = 9;
  const std::vector<std::uint8_t> whole = run(all_shortcuts(), 0, rows, length);
  for (const std::size_t block : {1u, 3u, 8u, 33u}) {
    std::vector<std::uint8_t> parts;
    for (std::size_t first = 0; first < rows; first += block) {
      const auto part = run(all_shortcuts(), first, std::min(block, rows - first), length);
      parts.insert(parts.end(), part.begin(), part.end());
    }
    EXPECT_EQ(parts, whole) << block;
  }
}

// One trajectory of many sentences: independent, so the exact law must show.
TEST(Shortcuts, ARowAloneFollowsTheExactLaw) {
  const std::size_t length = 2, draws = 200'000;
  const Schedule schedule(kUniform16);
  std::vector<double> data(16);
  for (std::size_t i = 0; i < 16; ++i)
    data[i] = i % 7 == 3 ? 0 : static_cast<double>(1 + i * i % 11);
  data[1] += 40;
  const double total = std::accumulate(data.begin(), data.end(), 0.0);
  for (double& p : data) p /= total;
  ExactModel model(schedule, length, data);
  const Sampler sampler(kUniform16, all_shortcuts());
  const std::vector<double> law = model.reverse_law(sampler.times(), 1.0, 0.0);
  for (const std::uint64_t trajectory : {0u, 37u}) {
    std::vector<std::uint64_t> counts(16);
    std::vector<std::uint8_t> tags(length);
    for (std::uint64_t key = 0; key < draws; ++key) {
      sample(sampler, model, key * 0x9E3779B97F4A7C15u, trajectory, length, tags);
      ++counts[tags[0] * 4u + tags[1]];
    }
    EXPECT_LT(chi_square_z(counts, law), 3.7) << trajectory;
  }
}

class ConstantModel : public RowPredictor {
 public:
  void predict_rows(std::span<const std::uint8_t>, std::size_t, std::size_t, std::int32_t,
                    std::span<float> logits) override {
    const std::array<float, 4> values = {0.1f, 0.9f, -0.4f, 0.3f};
    for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = values[i % 4];
  }
};

// Variance of how often a tag is drawn among 32 rows, over many positions.
double variance_of_counts(bool stratified) {
  const std::size_t rows = 32, length = 2000;
  ConstantModel model;
  std::vector<std::uint8_t> tags(rows * length);
  sample(Sampler(kUniform16, {.steps = 1, .stratified = stratified}), model, 5, 0, length, tags);
  double sum = 0, squares = 0;
  for (std::size_t position = 0; position < length; ++position) {
    double count = 0;
    for (std::size_t row = 0; row < rows; ++row) count += tags[row * length + position] == 1;
    sum += count;
    squares += count * count;
  }
  const double mean = sum / length;
  return squares / length - mean * mean;
}

TEST(Shortcuts, StratifiedRowsEstimateAMarginalWithFarLessNoise) {
  EXPECT_GT(variance_of_counts(false), 6.0);  // 32 p (1 - p) = 7.8
  EXPECT_LT(variance_of_counts(true), 0.5);   // two cut strata, a quarter each at most
}

TEST(Shortcuts, RowsThatAreSharedAreCountedOnce) {
  const Sampler sampler(kUniform16, all_shortcuts());
  EXPECT_EQ(sampler.rows_computed(64), 64u / 32 + 64 / 4 + 64 / 2);
  EXPECT_EQ(sampler.rows_computed(33), 2u + 9 + 17);
  EXPECT_EQ(sampler.rows_computed(0), 0u);
  EXPECT_EQ(sampler.rows_per_branch(), 4u);
  const Sampler one_step(kUniform16, {.steps = 1, .shared = {8}});
  EXPECT_EQ(one_step.rows_computed(20), 3u);
  EXPECT_EQ(one_step.rows_per_branch(), 8u);
  const Sampler two_steps(kUniform16, {.steps = 2, .shared = {8, 2}});
  EXPECT_EQ(two_steps.rows_computed(20), 3u + 10);
  EXPECT_EQ(two_steps.rows_per_branch(), 2u);
  EXPECT_EQ(Sampler(kUniform16, {.steps = 5}).rows_computed(7), 35u);
}

// As many rows as the model would be asked about if it were asked about no row twice.
TEST(Shortcuts, RowsComputedAreTheDistinctOnes) {
  for (const std::size_t rows : {1u, 31u, 64u}) {
    Recorder model;
    const std::size_t length = 40;
    std::vector<std::uint8_t> tags(rows * length);
    const Sampler sampler(kUniform16, all_shortcuts());
    sample(sampler, model, 11, 0, length, tags);
    std::size_t distinct = 0;
    for (const std::vector<std::uint8_t>& states : model.asked) {
      std::set<std::vector<std::uint8_t>> seen;
      for (auto row = states.begin(); row != states.end(); row += length)
        seen.emplace(row, row + length);
      distinct += seen.size();
    }
    EXPECT_EQ(sampler.rows_computed(rows), distinct) << rows;
  }
}

// As in Sampler.SamplesArePinned.
TEST(Shortcuts, SamplesArePinned) {
  const auto digest = [](const DiffusionConfig& config, const Settings& settings) {
    Recorder model;
    std::vector<std::uint8_t> tags(70 * 11);
    sample(Sampler(config, settings), model, sentence_key(42, "The dog bit the man ."), 3, 11,
           tags);
    std::uint64_t hash = 0;
    for (const std::uint8_t tag : tags) hash = hash * 0x100000001B3 + tag + 1;
    return hash;
  };
  EXPECT_EQ(digest(kUniform16, all_shortcuts()), 5517728058191895519u);
  const DiffusionConfig absorbing = make_config(KernelKind::kAbsorbing, ScheduleKind::kLinear, 16);
  EXPECT_EQ(digest(absorbing, {.steps = 2, .shared = {12, 4}, .stratified = true}),
            10394764537240811977u);
}

TEST(Shortcuts, RefusesWhatCannotBe) {
  const auto refused = [](Settings options, const char* why) {
    EXPECT_ERROR(Sampler(kUniform16, options), ErrorCode::kInvalidArgument, why);
  };
  refused({.steps = 2, .times = {16}}, "times has 1 numbers (16) for 2 steps");
  refused({.steps = 2, .times = {17, 3}}, "times begin with 17");
  EXPECT_NO_THROW(Sampler(kUniform16, {.steps = 2, .times = {16, 3}}));
  refused({.steps = 2, .times = {9, 9}}, "must be falling");
  refused({.steps = 2, .times = {9, 0}}, "times is 9,0, must be numbers from 1");
  refused({.steps = 2, .shared = {4}}, "shared has 1 numbers");
  refused({.steps = 2, .shared = {4, 0}}, "shared is 4,0, must be numbers from 1");
  refused({.steps = 2, .shared = {4, 8}}, "8 does not divide 4");
  refused({.steps = 2, .shared = {6, 4}}, "4 does not divide 6");
}

}  // namespace
}  // namespace diffie::diffusion
