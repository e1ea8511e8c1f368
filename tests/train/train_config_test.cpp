#include "train/train_config.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "expect_error.h"

namespace diffie::train {
namespace {

TEST(TrainConfig, ReadsBackWhatItWrites) {
  TrainConfig config;
  config.name = "a \"b\"";
  config.seed = 7;
  config.rate = 3e-4;
  config.objective = Objective::kTagger;
  config.diffusion.kernel = diffusion::KernelKind::kAbsorbing;
  config.diffusion.schedule = diffusion::ScheduleKind::kMutualInformation;
  config.decay = RateDecay::kCosine;
  config.class_weights = {0.5, 1, 2, 1};
  config.bf16 = false;
  config.deterministic = false;
  config.graphs = false;
  config.whole_sentences = true;
  config.cpu_bf16 = true;
  const std::string text = to_toml(config);
  EXPECT_EQ(to_toml(parse_train_config(text, "t")), text);
  EXPECT_NE(text.find("rate = 0.0003\n"), std::string::npos);
}

TEST(TrainConfig, SettingsLieOverTheFile) {
  const std::vector<std::string> settings = {"run.seed=3", "eval.selector=\"coverage\""};
  const TrainConfig config = parse_train_config("[run]\nseed = 1\nepochs = 2\n", "t", settings);
  EXPECT_EQ(config.seed, 3);
  EXPECT_EQ(config.epochs, 2);
  EXPECT_EQ(config.eval.selector, "coverage");
}

TEST(TrainConfig, RefusesWhatCannotBe) {
  const auto refuse = [](std::string_view text, const char* fragment,
                         ErrorCode code = ErrorCode::kBadInput) {
    EXPECT_ERROR(parse_train_config(text, "f"), code, fragment);
  };
  refuse("[run]\nsead = 1\n", "f:2: unknown key 'run.sead'");
  refuse("[run]\nepochs = 0\n", "f:2: run.epochs: 0 found");
  refuse("[run]\nepochs = 1.5\n", "whole number");
  refuse("[run]\nepochs = \"3\"\n", "whole number");
  refuse("[run]\nbf16 = 1\n", "true or false");
  refuse("[run]\nobjective = \"magic\"\n", "one of diffusion, tagger");
  refuse("[loss]\nclass_weights = 1\n", "array");
  refuse("[loss]\nclass_weights = [1, 1]\n", "4 are wanted", ErrorCode::kInvalidArgument);
  refuse("[encoder]\nheads = 7\n", "no multiple", ErrorCode::kInvalidArgument);
  refuse("[encoder]\nfrozen_layers = 4\n", "freeze_embeddings", ErrorCode::kInvalidArgument);
  const std::vector<std::string> no_equals = {"run.seed"};
  EXPECT_ERROR(parse_train_config("", "f", no_equals), ErrorCode::kInvalidArgument, "'run.seed'");
}

TEST(TrainConfig, EveryShippedFileIsValid) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(DIFFIE_SOURCE_DIR) / "configs")) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream in(entry.path());
    std::ostringstream text;
    text << in.rdbuf();
    EXPECT_NO_THROW(parse_train_config(text.str(), entry.path().string()));
    ++files;
  }
  EXPECT_GE(files, 4u);
}

}  // namespace
}  // namespace diffie::train
