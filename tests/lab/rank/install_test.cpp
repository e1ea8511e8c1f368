#include <gtest/gtest.h>

#include "checksums/sha256sums.h"
#include "diffie/lab/model_files.h"
#include "diffie/lab/rank.h"
#include "diffie/model.h"
#include "engine/model_parts.h"
#include "expect_error.h"
#include "extract/rankers.h"
#include "model_dir/model_builder.h"
#include "temp_dir.h"

namespace diffie {
namespace {

class InstallRanker : public ::testing::Test {
 protected:
  void SetUp() override {
    test::ModelBuilder().write(temp_ / "model");
    test::write_file(temp_ / "ranker.json", to_json(extract::plain_ranker()));
  }

  void install(const LearnedPresets& presets = {}) {
    install_ranker(temp_ / "model", temp_ / "ranker.json", presets);
  }

  test::TempDir temp_;
};

TEST_F(InstallRanker, TheModelIsWholeAndUsesIt) {
  EXPECT_EQ(engine::ModelParts::of(*Model::load(temp_ / "model")).ranker, nullptr);
  LearnedPresets presets;
  presets.names = {"fast"};
  presets.top_k = 7;
  presets.min_confidence = 0.25;
  install(presets);
  EXPECT_TRUE(verify_model(temp_ / "model").empty());
  const auto model = Model::load(temp_ / "model");
  ASSERT_NE(engine::ModelParts::of(*model).ranker, nullptr);
  const model_dir::ModelConfig& config = engine::ModelParts::of(*model).config;
  EXPECT_EQ(config.presets.at("fast").selector, SelectorKind::kLearned);
  EXPECT_EQ(config.presets.at("fast").top_k, 7);
  EXPECT_EQ(config.presets.at("fast").min_confidence, 0.25);
  EXPECT_EQ(config.presets.at("best").selector, SelectorKind::kCoverage);
}

TEST_F(InstallRanker, ConvertingKeepsIt) {
  install();
  convert_model(temp_ / "model", temp_ / "int8", WeightType::kI8);
  EXPECT_EQ(test::read_file(temp_ / "int8/ranker.json"), test::read_file(temp_ / "ranker.json"));
  EXPECT_NE(engine::ModelParts::of(*Model::load(temp_ / "int8")).ranker, nullptr);
}

TEST_F(InstallRanker, RefusesBeforeItWrites) {
  LearnedPresets presets;
  presets.names = {"slow"};
  EXPECT_ERROR(install(presets), ErrorCode::kInvalidArgument, "slow");
  presets = {};
  presets.judged = 48;
  EXPECT_ERROR(install(presets), ErrorCode::kInvalidArgument, "has no judge");
  presets = {};
  presets.top_k = 0;
  EXPECT_ERROR(install(presets), ErrorCode::kInvalidArgument, "top_k");
  test::write_file(temp_ / "ranker.json", "{}");
  EXPECT_ERROR(install(), ErrorCode::kCorruptModel, "ranker.json");
  EXPECT_FALSE(std::filesystem::exists(temp_ / "model/ranker.json"));
  EXPECT_TRUE(verify_model(temp_ / "model").empty());
}

TEST_F(InstallRanker, AChangedRankerIsNoticed) {
  install();
  std::string text = test::read_file(temp_ / "model/ranker.json");
  text[text.size() / 2] ^= 1;
  test::write_file(temp_ / "model/ranker.json", text);
  EXPECT_ERROR(Model::load(temp_ / "model"), ErrorCode::kCorruptModel, "ranker.json");
  EXPECT_FALSE(verify_model(temp_ / "model").empty());
}

TEST_F(InstallRanker, ARankerWithoutASumOrThroughALinkIsRefused) {
  std::filesystem::copy_file(temp_ / "ranker.json", temp_ / "model/ranker.json");
  EXPECT_ERROR(Model::load(temp_ / "model"), ErrorCode::kCorruptModel, "ranker.json");
  std::filesystem::remove(temp_ / "model/ranker.json");
  install();
  std::filesystem::rename(temp_ / "model/ranker.json", temp_ / "moved.json");
  std::filesystem::create_symlink(temp_ / "moved.json", temp_ / "model/ranker.json");
  EXPECT_ERROR(Model::load(temp_ / "model"), ErrorCode::kCorruptModel, "ranker.json");
}

}  // namespace
}  // namespace diffie
