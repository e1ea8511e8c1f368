// Rows drawn on the GPU against those of diffusion::Sampler: the same logits give the same tags,
// bit for bit, and a model whose logits differ by rounding gives nearly the same rows.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "cuda/convert.h"
#include "cuda/walk_kernels.h"
#include "diffie/extractor.h"
#include "diffie/model.h"
#include "diffusion/sampler.h"
#include "engine/engine.h"
#include "engine/toy_model.h"
#include "need_gpu.h"
#include "temp_dir.h"

namespace diffie::cuda {
namespace {

using diffusion::kNumTags;

// Logits that depend on the whole row, by arithmetic that is the same everywhere.
class Hashed final : public diffusion::RowPredictor {
 public:
  static void answer(const std::uint8_t* states, std::size_t length, std::int32_t step,
                     float* logits) {
    std::uint32_t hash = 17 + static_cast<std::uint32_t>(step);
    for (std::size_t i = 0; i < length; ++i) hash = (hash ^ states[i]) * 0x01000193u;
    for (std::size_t i = 0; i < length * kNumTags; ++i) {
      hash = hash * 1664525u + 1013904223u;
      logits[i] = static_cast<float>(hash >> 24) / 32.0f;
    }
  }

 private:
  void predict_rows(std::span<const std::uint8_t> states, std::size_t rows, std::size_t length,
                    std::int32_t step, std::span<float> logits) override {
    for (std::size_t row = 0; row < rows; ++row) {
      answer(states.data() + row * length, length, step, logits.data() + row * length * kNumTags);
    }
  }
};

template <typename T>
std::vector<T> fetch(const T* from, std::size_t count) {
  std::vector<T> values(count);
  DIFFIE_CUDA_CHECK(cudaDeviceSynchronize());
  DIFFIE_CUDA_CHECK(cudaMemcpy(values.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

// What Walker does, with Hashed for a network.
class Walk {
 public:
  Walk(const diffusion::Chain& chain, std::span<const diffusion::SampleBlock> blocks) {
    std::uint32_t rows = 0, states = 0, places = 0;
    for (const diffusion::SampleBlock& block : blocks) {
      const auto count = static_cast<std::uint32_t>(block.rows());
      blocks_.push_back({block.key, block.first_trajectory,
                         static_cast<std::uint32_t>(block.length), count, rows, states, places, 7});
      rows += count;
      states += static_cast<std::uint32_t>(block.tags.size());
      places += static_cast<std::uint32_t>(merge_places(count));
    }
    const auto device_blocks = to_device<WalkBlock>(blocks_);
    on_device_ = {device_blocks.data(), blocks_.size()};
    merged_ = {slot_.room(rows),          row_.room(rows),     count_.room(rows),
               num_.room(blocks_.size()), table_.room(places), first_.room(places)};
    start_rows(on_device_, chain.law, chain.first_shared, states_.room(states), nullptr);
    for (const diffusion::Jump& jump : chain.jumps) {
      merge_rows(on_device_, states_.data(), merged_, nullptr);
      const auto logits = to_device<float>(ask(jump.from, states));
      draw_rows(on_device_, chain.law, jump, merged_, {token_begin_.data()}, logits.data(),
                states_.data(), next_.room(states), nullptr);
      DIFFIE_CUDA_CHECK(cudaDeviceSynchronize());
      std::swap(states_, next_);
    }
    tags = fetch(states_.data(), states);
  }

  std::vector<std::uint8_t> tags;

 private:
  std::vector<float> ask(std::int32_t step, std::size_t num_states) {
    const auto distinct = fetch(merged_.num_distinct, blocks_.size());
    std::vector<std::uint32_t> begins;
    std::uint32_t tokens = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      begins.push_back(tokens);
      tokens += distinct[i] * blocks_[i].length;
    }
    token_begin_ = to_device<std::uint32_t>(begins);
    pack_rows(on_device_, states_.data(), merged_, {token_begin_.data()}, packed_.room(tokens),
              context_.room(tokens), nullptr);
    check_merging(distinct, begins, tokens, num_states);
    std::vector<float> logits(tokens * kNumTags);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      for (std::uint32_t slot = 0; slot < distinct[i]; ++slot) {
        const std::size_t at = begins[i] + slot * blocks_[i].length;
        Hashed::answer(packed_host_.data() + at, blocks_[i].length, step,
                       logits.data() + at * kNumTags);
      }
    }
    return logits;
  }

  // Against a map of the rows.
  void check_merging(const std::vector<std::uint32_t>& distinct,
                     const std::vector<std::uint32_t>& begins, std::uint32_t tokens,
                     std::size_t num_states) {
    const auto states = fetch(states_.data(), num_states);
    packed_host_ = fetch(packed_.data(), tokens);
    const auto context = fetch(context_.data(), tokens);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const WalkBlock& block = blocks_[i];
      const auto slots = fetch(merged_.slot_of_row + block.row_begin, block.rows);
      const auto counts = fetch(merged_.count + block.row_begin, block.rows);
      std::map<std::vector<std::uint8_t>, std::uint32_t> slot_of;
      std::vector<std::uint32_t> wanted_counts;
      for (std::uint32_t row = 0; row < block.rows; ++row) {
        const auto begin = states.begin() + block.state_begin + row * block.length;
        const std::vector<std::uint8_t> row_tags(begin, begin + block.length);
        const auto [found, is_new] =
            slot_of.emplace(row_tags, static_cast<std::uint32_t>(slot_of.size()));
        if (is_new) wanted_counts.push_back(0);
        ++wanted_counts[found->second];
        ASSERT_EQ(slots[row], found->second) << row;
        const std::size_t at = begins[i] + found->second * block.length;
        ASSERT_TRUE(std::equal(row_tags.begin(), row_tags.end(),
                               packed_host_.begin() + static_cast<std::ptrdiff_t>(at)));
        ASSERT_EQ(context[at + block.length - 1], 7 + block.length - 1);
      }
      ASSERT_EQ(distinct[i], slot_of.size());
      ASSERT_TRUE(std::equal(wanted_counts.begin(), wanted_counts.end(), counts.begin()));
    }
  }

  std::vector<WalkBlock> blocks_;
  WalkBlocks on_device_;
  MergedRows merged_{};
  DeviceArray<std::uint8_t> states_, next_, packed_;
  DeviceArray<std::uint32_t> slot_, row_, count_, num_, table_, first_, token_begin_, context_;
  std::vector<std::uint8_t> packed_host_;
};

struct Blocks {
  std::vector<std::vector<std::uint8_t>> tags;
  std::vector<diffusion::SampleBlock> blocks;

  Blocks() {
    constexpr std::size_t kShapes[][3] = {// length, rows, first trajectory
                                          {1, 1, 0},    {1, 512, 0},    {2, 1500, 64}, {3, 7, 1},
                                          {5, 2049, 0}, {31, 512, 128}, {510, 33, 5}};
    for (const auto& [length, rows, first] : kShapes) tags.emplace_back(length * rows);
    for (std::size_t i = 0; i < tags.size(); ++i) {
      blocks.push_back({0x9E3779B97F4A7C15 * (i + 1), kShapes[i][2], kShapes[i][0], tags[i]});
    }
  }
};

void expect_same_tags(const diffusion::DiffusionConfig& config, const Settings& settings) {
  const diffusion::Sampler sampler(config, settings);
  Blocks wanted;
  Hashed predictor;
  diffusion::Prediction prediction;
  sampler.sample(wanted.blocks, predictor, prediction);
  const Walk found(sampler.chain(), wanted.blocks);
  std::size_t begin = 0;
  for (const std::vector<std::uint8_t>& tags : wanted.tags) {
    ASSERT_TRUE(std::equal(tags.begin(), tags.end(),
                           found.tags.begin() + static_cast<std::ptrdiff_t>(begin)));
    begin += tags.size();
  }
}

TEST(Walk, UniformKernelGivesTheSamplersTags) {
  NEED_GPU();
  Settings settings;
  settings.steps = 16;
  expect_same_tags({}, settings);
  settings.temperature = 0.3;
  settings.stratified = true;
  settings.steps = 3;
  settings.times = {16, 11, 4};
  settings.shared = {64, 8, 2};
  expect_same_tags({}, settings);
}

TEST(Walk, AbsorbingKernelGivesTheSamplersTags) {
  NEED_GPU();
  diffusion::DiffusionConfig config;
  config.kernel = diffusion::KernelKind::kAbsorbing;
  Settings settings;
  settings.steps = 8;
  expect_same_tags(config, settings);
  settings.remask = 0.05;
  settings.stratified = true;
  expect_same_tags(config, settings);
}

// The engine's samples of a model, drawn on the GPU and on the CPU.
class GpuSamples : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    NEED_GPU();
    test::init_toy_model(dir_.path() / "model", GetParam());
    model_ = Model::load((dir_.path() / "model").string());
  }
  std::vector<engine::SentenceSamples> sample(Device device, Precision precision,
                                              std::int32_t samples, std::uint64_t seed = 1) const {
    Settings settings = model_->settings();
    settings.samples = samples;
    settings.device = device;
    settings.precision = precision;
    settings.seed = seed;
    settings.threads = 2;
    return engine::Engine(engine::ModelParts::of(*model_), settings).sample(kSentences);
  }

  static constexpr std::string_view kSentences[] = {
      "Ada wrote it.", "The Danube rises in the Black Forest and empties into the Black Sea .",
      "One", "Marie and Pierre Curie discovered polonium and radium in 1898 ."};
  test::TempDir dir_;
  std::shared_ptr<const Model> model_;
};

std::map<std::string, double> shares(const engine::CountedTags& tags) {
  std::map<std::string, double> shares;
  double total = 0;
  for (const auto& [row, count] : tags) total += count;
  for (const auto& [row, count] : tags) shares[row] = count / total;
  return shares;
}

// Half the sum of differences.
double total_variation(const engine::CountedTags& a, const engine::CountedTags& b) {
  auto left = shares(a);
  const auto right = shares(b);
  for (const auto& [row, share] : right) left[row] -= share;
  double sum = 0;
  for (const auto& [row, difference] : left) sum += std::abs(difference);
  return sum / 2;
}

TEST_P(GpuSamples, InFp32AreNearlyAllTheSame) {
  const auto want = sample(Device::kCpu, Precision::kFp32, 2000);
  const auto found = sample(Device::kCuda, Precision::kFp32, 2000);
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_LT(total_variation(found[i].tags, want[i].tags), 0.01) << kSentences[i];
  }
}

// As far from the CPU's as those are from each other under another seed.
TEST_P(GpuSamples, InNarrowFloatsHaveTheSameLaw) {
  const auto want = sample(Device::kCpu, Precision::kFp32, 8000, 1);
  const auto other = sample(Device::kCpu, Precision::kFp32, 8000, 2);
  for (const Precision precision : {Precision::kInt8, Precision::kFp16}) {
    const auto found = sample(Device::kCuda, precision, 8000, 3);
    for (std::size_t i = 0; i < want.size(); ++i) {
      const double apart = total_variation(other[i].tags, want[i].tags);
      EXPECT_LT(total_variation(found[i].tags, want[i].tags), apart + 0.03) << kSentences[i];
    }
  }
}

TEST_P(GpuSamples, DoNotDependOnTheirCompany) {
  const auto alone = sample(Device::kCuda, Precision::kInt8, 700);
  Settings settings = model_->settings();
  settings.samples = 700;
  settings.device = Device::kCuda;
  std::vector<std::string_view> many;
  for (int copy = 0; copy < 60; ++copy)
    many.insert(many.end(), std::begin(kSentences), std::end(kSentences));
  settings.seed = 1;
  const auto together = engine::Engine(engine::ModelParts::of(*model_), settings).sample(many);
  for (std::size_t i = 0; i < many.size(); ++i) {
    ASSERT_EQ(together[i].tags, alone[i % std::size(kSentences)].tags) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, GpuSamples, testing::Values("uniform", "absorbing"));

}  // namespace
}  // namespace diffie::cuda
