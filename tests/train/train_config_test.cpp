#include "train/train_config.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "expect_error.h"
#include "temp_dir.h"

namespace diffie::train {
namespace {

class TrainConfigFile : public testing::Test {
 protected:
  void write(std::string_view name, std::string_view text) { test::write_file(dir_ / name, text); }
  TrainConfig read(std::string_view text, std::span<const std::string> settings = {}) {
    write("f.toml", text);
    return read_train_config(dir_ / "f.toml", settings);
  }
  void refuse(std::string_view text, const std::string& fragment,
              ErrorCode code = ErrorCode::kBadInput) {
    EXPECT_ERROR(read(text), code, fragment);
  }
  void refuse_setting(const std::string& setting, const std::string& fragment,
                      ErrorCode code = ErrorCode::kBadInput) {
    EXPECT_ERROR(read("", {{setting}}), code, fragment);
  }

  test::TempDir dir_;
};

TEST_F(TrainConfigFile, ReadsBackWhatItWrites) {
  TrainConfig config;
  config.name = "tab\t\"quote\" back\\slash\r\nline \x01 é";
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
  config.tags_loss = 0.5;
  config.judge_loss = 2;
  const std::string text = to_toml(config);
  EXPECT_EQ(to_toml(read(text)), text);
  EXPECT_EQ(read(text).name, config.name);
  EXPECT_NE(text.find("rate = 0.0003\n"), std::string::npos);
}

TEST_F(TrainConfigFile, ReadsTheAnchoredKernelAndTheJudge) {
  EXPECT_FALSE(has_judge(read("")));
  EXPECT_FALSE(is_anchored(read("")));
  const TrainConfig config = read(
      "[judge]\nlayers = 1\nhidden = 64\nheads = 4\n[diffusion]\nkernel = \"anchored\"\n"
      "[loss]\ntags = 0\njudge = 0.5\n");
  EXPECT_TRUE(has_judge(config));
  EXPECT_TRUE(is_anchored(config));
  EXPECT_EQ(config.judge.hidden, 64);
  EXPECT_EQ(config.tags_loss, 0);
  EXPECT_EQ(config.judge_loss, 0.5);
  EXPECT_EQ(to_toml(read(to_toml(config))), to_toml(config));
}

TEST_F(TrainConfigFile, EvaluationHasTheSettingsOfExtraction) {
  TrainConfig config = read("");
  EXPECT_EQ(config.eval.settings, Settings{.samples = 64});
  EXPECT_EQ(eval_settings(config).steps, config.diffusion.steps);
  EXPECT_NE(to_toml(config).find("[eval]\nevery = 0\nsamples = 64\nsteps = 0\ntop_k = 4\n"
                                 "tau = 0.9\npower = 2.0\nrule = \"longest\"\n"
                                 "selector = \"lenient\"\non_device = false\n"),
            std::string::npos);
  config = read(
      "[eval]\nsamples = 8\nsteps = 3\ntop_k = 7\ntau = 1\npower = 3\n"
      "rule = \"all-runs\"\nselector = \"frequency\"\n");
  const Settings wanted = {.samples = 8,
                           .steps = 3,
                           .top_k = 7,
                           .tau = 1,
                           .rule = Rule::kAllRuns,
                           .selector = SelectorKind::kFrequency,
                           .power = 3};
  EXPECT_EQ(eval_settings(config), wanted);
  EXPECT_EQ(eval_settings(read(to_toml(config))), wanted);
}

TEST_F(TrainConfigFile, SettingsLieOverTheFile) {
  const std::vector<std::string> settings = {"run.seed=3", "eval.selector=\"coverage\"",
                                             "run.seed = 4"};
  const TrainConfig config = read("[run]\nseed = 1\nepochs = 2\n", settings);
  EXPECT_EQ(config.seed, 4);
  EXPECT_EQ(config.epochs, 2);
  EXPECT_EQ(config.eval.settings.selector, SelectorKind::kCoverage);
}

TEST_F(TrainConfigFile, LiesOverItsBases) {
  std::filesystem::create_directory(dir_ / "below");
  write("below/ground.toml", "[run]\nseed = 1\nepochs = 2\nlevels = 3\n[optimizer]\nwarmup = 7\n");
  write("below/middle.toml", "base = \"ground.toml\"\n[run]\nseed = 4\nepochs = 5\n");
  const std::vector<std::string> settings = {"run.levels=9"};
  const TrainConfig config =
      read("base = \"below/middle.toml\"\n[run]\nseed = 6\n[loss]\nclass_weights = [1, 1, 1, 2]\n",
           settings);
  EXPECT_EQ(config.seed, 6);
  EXPECT_EQ(config.epochs, 5);
  EXPECT_EQ(config.levels, 9);
  EXPECT_EQ(config.warmup, 7);
  EXPECT_EQ(config.class_weights.back(), 2);
}

TEST_F(TrainConfigFile, NamesTheFileAndTheLineOfABaseThatIsWrong) {
  write("low.toml", "[run]\nseed = 1\nepochs = 0\n");
  refuse("base = \"low.toml\"\n[run]\nseed = 2\n", "low.toml:3: run.epochs: 0 found");
  EXPECT_EQ(read("base = \"low.toml\"\n[run]\nepochs = 2\n").epochs, 2)
      << "a base need not be valid";
  refuse("base = \"low.toml\"\n[run]\nepochs = -1\n", "f.toml:3: run.epochs: -1 found");
  write("low.toml", "[run]\nsead = 1\n");
  refuse("base = \"low.toml\"\n", "low.toml:2: unknown key 'run.sead'");
  refuse("base = \"absent.toml\"\n", "absent.toml", ErrorCode::kNotFound);
  refuse("\nbase = 1\n", "f.toml:2: base: a quoted string is wanted");
  refuse("base = \"f.toml\"\n", "f.toml:1: base: too many files");
  write("low.toml", "base = \"f.toml\"\n");
  refuse("base = \"low.toml\"\n", "does one name itself?");
  refuse("[run]\nbase = \"low.toml\"\n", "unknown key 'run.base'");
  refuse_setting("base=\"low.toml\"", "unknown key 'base'");
}

TEST_F(TrainConfigFile, RefusesWhatCannotBe) {
  refuse("[run]\nsead = 1\n", "f.toml:2: unknown key 'run.sead'");
  refuse("seed = 1\n", "f.toml:1: unknown key 'seed'");
  refuse("run = 1\n", "f.toml:1: unknown key 'run'");
  refuse("[[run]]\nseed = 1\n", "unknown key 'run'");
  refuse("[run.seed]\nx = 1\n", "whole number");
  refuse("[run]\nepochs = 0\n", "f.toml:2: run.epochs: 0 found");
  refuse("[run]\nepochs = 1.5\n", "whole number");
  refuse("[run]\nepochs = \"3\"\n", "whole number");
  refuse("[run]\nepochs = 2024-01-01\n", "whole number");
  refuse("[run]\nbf16 = 1\n", "true or false");
  refuse("[run]\nname = 1\n", "quoted string");
  refuse("[run]\nobjective = \"magic\"\n", "one of diffusion, tagger");
  refuse("[eval]\nsamples = 0\n", "f.toml:2: eval.samples: 0 found, 1 to 65536 is allowed");
  refuse("[eval]\nsamples = 64.0\n", "f.toml:2: eval.samples: a whole number is wanted");
  refuse("[eval]\nsamples = 4294967297\n", "eval.samples: 4294967297 found");
  refuse("[eval]\ntau = 0\n", "f.toml:2: eval.tau: tau is 0, must be above 0 and at most 1");
  refuse("[eval]\npower = 65\n", "f.toml:2: eval.power: 65 found");
  refuse("[eval]\nrule = 1\n", "f.toml:2: eval.rule: a quoted string is wanted");
  refuse("[eval]\n\nrule = \"shortest\"\n",
         "f.toml:3: eval.rule: rule is 'shortest', must be one of longest");
  refuse_setting(
      "eval.selector=\"magic\"",
      "--set eval.selector=\"magic\": eval.selector: selector is 'magic', must be one of");
  refuse("[optimizer]\nrate = nan\n", "f.toml:2: optimizer.rate: nan found");
  refuse("[optimizer]\nclip = inf\n", "f.toml:2: optimizer.clip: inf found");
  refuse("[loss]\nclass_weights = 1\n", "array");
  refuse("[loss]\nclass_weights = [1, 1, 1, true]\n", "a number is wanted");
  refuse("[loss]\nclass_weights = [1, 1]\n", "4 are wanted", ErrorCode::kInvalidArgument);
  refuse("[encoder]\nheads = 7\n", "no multiple", ErrorCode::kInvalidArgument);
  refuse("[encoder]\nfrozen_layers = 4\n", "freeze_embeddings", ErrorCode::kInvalidArgument);
  refuse("[judge]\nlayers = 1\nheads = 7\n", "judge.hidden 256 is no multiple",
         ErrorCode::kInvalidArgument);
  refuse("[judge]\nlayers = 1\n[run]\nobjective = \"tagger\"\n", "no judge",
         ErrorCode::kInvalidArgument);
  refuse("[loss]\ntags = 0\n", "no judge to train", ErrorCode::kInvalidArgument);
  refuse("[loss]\njudge = -1\n", "f.toml:2: loss.judge: -1 found");
  refuse("[diffusion]\nkernel = \"anchored\"\nsteps = 8\n",
         "diffusion.steps is 8, the anchored kernel has 16", ErrorCode::kInvalidArgument);
  refuse_setting("run.seed", "'run.seed'", ErrorCode::kInvalidArgument);
  refuse_setting("run.epochs=0", "--set run.epochs=0: run.epochs: 0 found");
  refuse_setting("run.epochs=", "--set run.epochs=: ");
}

TEST_F(TrainConfigFile, NamesTheLineOfWhatIsNotToml) {
  refuse("[run]\nseed = maybe\n", "f.toml:2: ");
  refuse("[run]\nseed = 1 2\n", "f.toml:2: ");
  refuse("[run]\nname = \"x\ny\"\n", "f.toml:2: ");
  refuse("[run]\nseed = 1\nseed = 2\n", "f.toml:3: ");
  refuse("[run]\n[run]\n", "f.toml:2: ");
  refuse("[run\n", "f.toml:1: ");
  refuse("[run]\nname = " + std::string(100'000, '['), "f.toml:2: ");
  EXPECT_ERROR(read_train_config(dir_ / "absent"), ErrorCode::kNotFound, "absent");
}

TEST(TrainConfig, EveryShippedFileIsValid) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(DIFFIE_SOURCE_DIR) / "configs")) {
    if (entry.path().extension() != ".toml") continue;
    EXPECT_NO_THROW(read_train_config(entry.path()));
    ++files;
  }
  EXPECT_GE(files, 4u);
}

// A model's train.toml is its run file with what scripts/gpu/job.sh and students.sh set.
TEST(TrainConfig, RunFilesSayWhatTheShippedModelsWereTrainedWith) {
  const std::filesystem::path root = DIFFIE_SOURCE_DIR;
  const std::vector<std::string> of_jobs = {"eval.every=0", "output.checkpoint_every=1000000"};
  const std::vector<std::string> of_last_epoch = {
      "run.epochs=1", "run.seed=1", "optimizer.rate=2e-4", "optimizer.encoder_rate=4e-5",
      "optimizer.warmup=100"};
  for (const auto& [model, more] :
       std::map<std::string, std::vector<std::string>>{{"base", of_last_epoch}, {"small", {}}}) {
    std::vector<std::string> settings = of_jobs;
    settings.insert(settings.end(), more.begin(), more.end());
    const std::filesystem::path file = root / "models" / model / "train.toml";
    const std::string text = test::read_file(file);
    EXPECT_EQ(to_toml(read_train_config(root / "configs" / (model + "-student.toml"), settings)),
              text);
    EXPECT_EQ(to_toml(read_train_config(file)), text);
  }
}

}  // namespace
}  // namespace diffie::train
