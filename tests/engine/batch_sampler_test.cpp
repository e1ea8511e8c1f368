#include "engine/batch_sampler.h"

#include <gtest/gtest.h>

#include <cmath>

#include "diffie/lab/model_files.h"
#include "temp_dir.h"

namespace diffie::engine {
namespace {

// A tiny random denoiser and the contexts of three sentences in one buffer.
class BatchSamplerTest : public ::testing::Test {
 protected:
  static model_dir::ModelDir make_model(const test::TempDir& temp) {
    InitOptions options;
    options.vocab = DIFFIE_SOURCE_DIR "/share/bert-base-uncased/vocab.txt";
    options.encoder_hidden = 32;
    options.denoiser_hidden = 32;
    init_model(temp.path() / "toy", options);
    return model_dir::ModelDir::open(temp.path() / "toy");
  }

  BatchSamplerTest() : dir_(make_model(temp_)), denoiser_(dir_) {
    std::size_t tokens = 0;
    for (const std::size_t length : kLengths) tokens += length;
    for (std::size_t i = 0; i < tokens * 32; ++i) {
      projected_.push_back(std::sin(static_cast<float>(i) * 0.7f) * 2);
    }
  }

  // Tags of all sentences; rows [first, first + rows) of each.
  std::vector<std::uint8_t> sample(const diffusion::SamplerOptions& options, bool together,
                                   std::uint64_t first, std::size_t rows) {
    const diffusion::Sampler sampler(dir_.config().diffusion, options);
    BatchSampler batch(denoiser_, dir_.config(), sampler);
    std::size_t tokens = 0;
    for (const std::size_t length : kLengths) tokens += length;
    std::vector<std::uint8_t> tags(tokens * rows);
    std::vector<SampleBlock> blocks;
    std::size_t begin = 0;
    for (const std::size_t length : kLengths) {
      blocks.push_back(
          {begin + 99, begin, length, first, std::span(tags).subspan(begin * rows, length * rows)});
      begin += length;
    }
    if (together) {
      batch.sample(projected_, blocks, workspace_, times_);
    } else {
      for (const SampleBlock& block : blocks) {
        batch.sample(projected_, {&block, 1}, workspace_, times_);
      }
    }
    return tags;
  }

  static constexpr std::array<std::size_t, 3> kLengths = {9, 1, 30};
  test::TempDir temp_;
  model_dir::ModelDir dir_;
  model::Denoiser denoiser_;
  model::Workspace workspace_;
  StageTimes times_;
  std::vector<float> projected_;
};

const diffusion::SamplerOptions kPlain = {.steps = 4};
const diffusion::SamplerOptions kShared = {
    .steps = 3, .times = {16, 10, 5}, .shared = {32, 8, 4}, .stratified = true};

TEST_F(BatchSamplerTest, CompanyChangesNothing) {
  for (const auto& options : {kPlain, kShared}) {
    EXPECT_EQ(sample(options, true, 0, 40), sample(options, false, 0, 40));
  }
}

TEST_F(BatchSamplerTest, ATrajectoryDoesNotDependOnTheBlockItIsIn) {
  for (const auto& options : {kPlain, kShared}) {
    const std::vector<std::uint8_t> whole = sample(options, true, 0, 40);
    for (const std::uint64_t row : {0u, 5u, 33u, 39u}) {
      const std::vector<std::uint8_t> one = sample(options, true, row, 1);
      std::size_t begin = 0;
      for (const std::size_t length : kLengths) {
        for (std::size_t i = 0; i < length; ++i) {
          ASSERT_EQ(one[begin + i], whole[begin * 40 + row * length + i]) << row;
        }
        begin += length;
      }
    }
  }
}

TEST_F(BatchSamplerTest, ComputesSharedAndEqualRowsOnce) {
  sample(kShared, true, 0, 32);
  EXPECT_EQ(times_.rows, 3u * 3 * 32);
  // 1 + 4 + 8 rows of a sentence at most; the one of a single token has at most 4 states.
  EXPECT_LE(times_.rows_computed, 13u + 13 + 1 + 4 + 4);
  EXPECT_GE(times_.rows_computed, 2u * 13);
  EXPECT_GT(times_.denoise_s, 0);
  EXPECT_GT(times_.draw_s, 0);
}

}  // namespace
}  // namespace diffie::engine
