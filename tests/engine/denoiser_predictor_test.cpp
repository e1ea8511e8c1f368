#include "engine/denoiser_predictor.h"

#include <gtest/gtest.h>

#include <array>

#include "diffie/lab/model_files.h"
#include "diffusion/sampler.h"
#include "expect_error.h"
#include "model/cpu_backend.h"
#include "temp_dir.h"

namespace diffie::engine {
namespace {

// A tiny random model and three sentences that were encoded together.
class DenoiserPredictorTest : public ::testing::Test {
 protected:
  static model_dir::ModelDir make_model(const test::TempDir& temp) {
    InitOptions options;
    options.vocab = DIFFIE_SOURCE_DIR "/share/bert-base-uncased/vocab.txt";
    options.encoder_hidden = 32;
    options.denoiser_hidden = 32;
    init_model(temp.path() / "toy", options);
    return model_dir::ModelDir::open(temp.path() / "toy");
  }

  DenoiserPredictorTest()
      : dir_(make_model(temp_)),
        backend_(dir_, Precision::kInt8),
        runner_(backend_.make_runner(false)),
        encoded_(runner_->make_context()) {
    std::vector<std::int32_t> ids;
    std::vector<std::uint32_t> offsets = {0};
    for (const std::size_t length : kLengths) {
      for (std::size_t i = 0; i < length; ++i) {
        ids.push_back(static_cast<std::int32_t>(1000 + 77 * ids.size()));
      }
      offsets.push_back(static_cast<std::uint32_t>(ids.size()));
    }
    runner_->encode(ids, offsets, *encoded_);
  }

  // Tags of all sentences; rows [first, first + rows) of each.
  std::vector<std::uint8_t> sample(const Settings& settings, bool together, std::uint64_t first,
                                   std::size_t rows) {
    const diffusion::Sampler sampler(dir_.config().diffusion, settings);
    std::size_t tokens = 0;
    for (const std::size_t length : kLengths) tokens += length;
    std::vector<std::uint8_t> tags(tokens * rows);
    std::vector<diffusion::SampleBlock> blocks;
    std::vector<std::uint32_t> first_token;
    std::size_t begin = 0;
    for (const std::size_t length : kLengths) {
      blocks.push_back(
          {begin + 99, first, length, std::span(tags).subspan(begin * rows, length * rows)});
      first_token.push_back(static_cast<std::uint32_t>(begin));
      begin += length;
    }
    DenoiserPredictor predictor(*runner_, dir_.config());
    predictor.count_into(times_);
    const std::size_t at_once = together ? blocks.size() : 1;
    for (std::size_t i = 0; i < blocks.size(); i += at_once) {
      predictor.set_context({encoded_.get(), std::span(first_token).subspan(i, at_once), stop_});
      sampler.sample(std::span(blocks).subspan(i, at_once), predictor, prediction_);
    }
    return tags;
  }

  static constexpr std::array<std::size_t, 3> kLengths = {9, 1, 30};
  test::TempDir temp_;
  model_dir::ModelDir dir_;
  model::CpuBackend backend_;
  std::unique_ptr<model::Runner> runner_;
  std::unique_ptr<model::Context> encoded_;
  diffusion::Prediction prediction_;
  std::stop_token stop_;
  TaskTimes times_;
};

const Settings kPlain = {.steps = 4};
const Settings kShared = {
    .steps = 3, .times = {16, 10, 5}, .shared = {32, 8, 4}, .stratified = true};

TEST_F(DenoiserPredictorTest, CompanyChangesNothing) {
  for (const auto& options : {kPlain, kShared}) {
    EXPECT_EQ(sample(options, true, 0, 40), sample(options, false, 0, 40));
  }
}

TEST_F(DenoiserPredictorTest, ATrajectoryDoesNotDependOnTheBlockItIsIn) {
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

TEST_F(DenoiserPredictorTest, ComputesSharedAndEqualRowsOnce) {
  sample(kShared, true, 0, 32);
  EXPECT_EQ(times_.rows, 3u * 3 * 32);
  // 1 + 4 + 8 rows of a sentence at most; the one of a single token has at most 4 states.
  EXPECT_LE(times_.rows_computed, 13u + 13 + 1 + 4 + 4);
  EXPECT_GE(times_.rows_computed, 2u * 13);
  EXPECT_GT(times_.denoise_s, 0);
}

TEST_F(DenoiserPredictorTest, StopsWhenAskedTo) {
  std::stop_source source;
  stop_ = source.get_token();
  sample(kPlain, true, 0, 4);
  source.request_stop();
  EXPECT_ERROR(sample(kPlain, true, 0, 4), ErrorCode::kCancelled, "stopped");
}

}  // namespace
}  // namespace diffie::engine
