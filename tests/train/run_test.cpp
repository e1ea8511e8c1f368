#include "train/run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "checksums/sha256.h"
#include "checksums/sha256sums.h"
#include "diffie/lab/tag_pool.h"
#include "expect_error.h"
#include "model_dir/model_dir.h"
#include "model_dir/safetensors.h"
#include "synthetic.h"
#include "temp_dir.h"
#include "train/pools.h"

namespace diffie::train {
namespace {

namespace fs = std::filesystem;

class RunTest : public ::testing::Test {
 protected:
  RunTest() {
    task_ = make_synthetic_task(300, 60, 11);
    data::write_training_file(dir_.path() / "train.safetensors", task_.train);
    test::write_file(dir_.path() / "vocab.txt", task_.vocab);
    test::write_file(dir_.path() / "gold.tsv", task_.gold);
    std::string sentences;
    for (const std::string& sentence : task_.sentences) sentences += sentence + "\n";
    test::write_file(dir_.path() / "dev.txt", sentences);
  }

  RunOptions options(const std::string& name) const {
    RunOptions options;
    options.config = tiny_config(task_);
    options.data = {dir_.path() / "train.safetensors"};
    options.vocab = dir_.path() / "vocab.txt";
    options.out = dir_.path() / name;
    options.device = "cpu";
    options.quiet = true;
    return options;
  }

  // Twenty steps: 640 instances at most, cut by the batch size.
  RunOptions short_options(const std::string& name) const {
    RunOptions result = options(name);
    result.config.batch_size = 48;
    result.config.epochs = 2;
    result.config.levels = 2;
    result.config.ema = 0.9;
    result.config.checkpoint_every = 7;
    result.config.log_every = 5;
    result.config.weights = "f32";
    return result;
  }

  // To sample the dev sentences.
  PoolOptions pool_options(const fs::path& model, const std::string& out,
                           std::int32_t samples) const {
    PoolOptions pools;
    pools.model = model;
    pools.sentences = dir_.path() / "dev.txt";
    pools.out = dir_.path() / out;
    pools.settings.samples = samples;
    pools.device = "cpu";
    return pools;
  }

  std::string weights(const std::string& name) const {
    return test::read_file(dir_.path() / name / "model" / "model.safetensors");
  }

  test::TempDir dir_;
  SyntheticTask task_;
};

struct Killed {};

// Starts the program and kills it when the time is up. True when it ended by itself, and well.
bool finishes_within(std::vector<std::string> command, std::chrono::milliseconds limit) {
  std::vector<char*> argv;
  for (std::string& argument : command) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  if (::posix_spawn(&child, argv[0], nullptr, nullptr, argv.data(), environ) != 0) return false;
  const auto end = std::chrono::steady_clock::now() + limit;
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(RunTest, SameSeedSameWeightsAndAnotherSeedOthers) {
  run_training(short_options("a"));
  run_training(short_options("b"));
  EXPECT_EQ(weights("a"), weights("b"));
  RunOptions other = short_options("c");
  other.config.seed = 1;
  run_training(other);
  EXPECT_NE(weights("a"), weights("c"));
}

TEST_F(RunTest, ResumesToTheSameWeightsWhereverItWasStopped) {
  const RunResult whole = run_training(short_options("whole"));
  ASSERT_GT(whole.steps, 15);
  for (const std::int64_t stop : {3, 7, 10, 14}) {
    const std::string name = "stopped" + std::to_string(stop);
    RunOptions stopped = short_options(name);
    stopped.after_step = [stop](std::int64_t done) {
      if (done == stop) throw Killed();
    };
    EXPECT_THROW(run_training(stopped), Killed);
    stopped.after_step = nullptr;
    EXPECT_ERROR(run_training(stopped), ErrorCode::kInvalidArgument, "--resume");
    stopped.resume = true;
    run_training(stopped);
    EXPECT_EQ(weights(name), weights("whole")) << "stopped after step " << stop;
    // Rows lost and made again are the same too, but for the clock.
    const auto rows = [&](const std::string& run) {
      std::string text;
      const std::string csv = test::read_file(dir_.path() / run / "metrics.csv");
      for (const MetricRow& row : parse_metrics(csv, "m")) {
        text += std::to_string(row.step) + ":" + std::to_string(row.loss.value_or(0)) + " ";
      }
      return text;
    };
    EXPECT_EQ(rows(name), rows("whole"));
  }
}

TEST_F(RunTest, WholeSentencesInBf16ResumeToTheSameWeightsAndLearn) {
  const auto mixed = [&](const std::string& name) {
    RunOptions result = short_options(name);
    result.config.whole_sentences = true;
    result.config.batch_size = 16;
    result.config.cpu_bf16 = true;
    return result;
  };
  run_training(mixed("whole"));
  RunOptions stopped = mixed("stopped");
  stopped.after_step = [](std::int64_t done) {
    if (done == 10) throw Killed();
  };
  EXPECT_THROW(run_training(stopped), Killed);
  stopped.after_step = nullptr;
  stopped.resume = true;
  run_training(stopped);
  EXPECT_EQ(weights("stopped"), weights("whole"));
  const auto rows = parse_metrics(test::read_file(dir_.path() / "whole" / "metrics.csv"), "m");
  EXPECT_LT(*rows.back().loss, 0.9 * *rows.front().loss);
}

// The program itself, ended by SIGKILL again and again at whatever it is doing.
TEST_F(RunTest, SurvivesBeingKilled) {
  const RunOptions whole = short_options("whole");
  run_training(whole);
  test::write_file(dir_.path() / "run.toml", to_toml(whole.config));
  const auto path = [&](const char* name) { return (dir_.path() / name).string(); };
  const std::vector<std::string> command = {DIFFIE_TRAIN_PROGRAM,
                                            "run",
                                            "--config",
                                            path("run.toml"),
                                            "--data",
                                            path("train.safetensors"),
                                            "--vocab",
                                            path("vocab.txt"),
                                            "--out",
                                            path("killed"),
                                            "--device",
                                            "cpu",
                                            "--quiet",
                                            "--resume"};
  bool finished = false;
  int attempts = 0;
  for (auto limit = std::chrono::milliseconds(100); attempts < 20 && !finished;
       limit += limit / 2) {
    finished = finishes_within(command, limit);
    ++attempts;
  }
  ASSERT_TRUE(finished);
  EXPECT_GT(attempts, 1);
  EXPECT_EQ(weights("killed"), weights("whole"));
}

// Killed in place of each renaming and syncing, in the middle of writings: a file under its final
// name is a whole one, and the run that goes on ends with the same weights.
TEST_F(RunTest, SurvivesBeingKilledAtEveryFile) {
  const RunOptions whole = short_options("whole");
  run_training(whole);
  test::write_file(dir_.path() / "run.toml", to_toml(whole.config));
  const fs::path out = dir_.path() / "killed";
  const auto run = [&](const std::string& environment) {
    const std::string dir = dir_.path().string();
    const std::string command = environment + " '" DIFFIE_TRAIN_PROGRAM "' run --config '" + dir +
                                "/run.toml' --data '" + dir + "/train.safetensors' --vocab '" +
                                dir + "/vocab.txt' --out '" + out.string() +
                                "' --device cpu --quiet --resume";
    return std::system(command.c_str());
  };
  const fs::path happened = dir_.path() / "happened";
  int deaths = 0;
  for (const auto& [call, stride] : {std::pair("rename:{}:kill", 1), std::pair("fsync:{}:kill", 4),
                                     std::pair("write:{}:tear", 29)}) {
    for (int k = 0;; k += stride) {
      fs::remove_all(out);
      fs::remove(happened);
      run(fmt::format(
          "LD_PRELOAD='{}' DIFFIE_FAULT={} DIFFIE_FAULT_UNDER='{}' "
          "DIFFIE_FAULT_HAPPENED='{}'",
          DIFFIE_IO_FAULTS, fmt::format(fmt::runtime(call), k), out.string(), happened.string()));
      if (!fs::exists(happened)) break;
      ++deaths;
      const fs::path checkpoint = out / "checkpoint.safetensors";
      if (fs::exists(checkpoint)) {
        EXPECT_NO_THROW(model_dir::SafetensorsFile::open(checkpoint));
      }
      if (fs::exists(out / "model")) {
        EXPECT_EQ(weights("killed"), weights("whole"));
      }
      EXPECT_EQ(run(""), 0);
      EXPECT_EQ(weights("killed"), weights("whole")) << call << ' ' << k;
      EXPECT_NO_THROW(model_dir::ModelDir::open(out / "model"));
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(deaths, 10);
  RecordProperty("deaths", deaths);
}

// As a full disk is; no signal (SIGXFSZ) that ends it without a word.
TEST_F(RunTest, AFileThatMayGrowNoFurtherIsSaid) {
  test::write_file(dir_.path() / "run.toml", to_toml(short_options("out").config));
  const std::string command = "cd '" + dir_.path().string() +
                              "' && { (ulimit -f 8; exec '" DIFFIE_TRAIN_PROGRAM
                              "' run --config run.toml --data train.safetensors --vocab vocab.txt "
                              "--out out --device cpu --quiet); echo code $?; } 2>&1 | cat >said";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const std::string said = test::read_file(dir_.path() / "said");
  EXPECT_TRUE(said.starts_with("diffie: out/")) << said;
  EXPECT_TRUE(said.ends_with(": cannot be written: File too large\ncode 2\n")) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 2) << said;
}

TEST_F(RunTest, ResumeRefusesOtherSettingsOtherDataAndABrokenCheckpoint) {
  RunOptions run = short_options("r");
  run_training(run);
  run.resume = true;
  run.config.seed = 9;
  EXPECT_ERROR(run_training(run), ErrorCode::kInvalidArgument, "other settings");
  run.config.seed = 0;
  const fs::path file = run.data.front();
  const std::string data = test::read_file(file);
  TrainingSet changed = task_.train;
  changed.tags[0] ^= 1;
  data::write_training_file(file, changed);
  EXPECT_ERROR(run_training(run), ErrorCode::kInvalidArgument, "other data");
  test::write_file(file, data);
  const fs::path checkpoint = run.out / "checkpoint.safetensors";
  const std::string bytes = test::read_file(checkpoint);
  test::write_file(checkpoint, bytes.substr(0, bytes.size() / 2));
  EXPECT_ERROR(run_training(run), ErrorCode::kCorruptModel, "checkpoint");
}

TEST_F(RunTest, ModelDirectoryIsCompleteAndVerified) {
  RunOptions run = short_options("m");
  run.config.weights = "f16";
  const RunResult result = run_training(run);
  EXPECT_TRUE(checksums::check_sha256sums(result.model, {}, /*all=*/true).empty());
  const model_dir::ModelDir model = model_dir::ModelDir::open(result.model);
  EXPECT_TRUE(model.config().trained);
  EXPECT_EQ(model.config().provenance.at("seed"), "0");
  EXPECT_EQ(model.config().provenance.at("data_sha256").size(), 64u);
  EXPECT_FALSE(model.config().provenance.at("revision").empty());
  EXPECT_EQ(to_toml(read_train_config(result.model / "train.toml")), to_toml(run.config));
  EXPECT_NE(test::read_file(result.model / "MODEL_CARD.md").find("# tiny"), std::string::npos);
  EXPECT_EQ(test::read_file(result.model / "metrics.csv").find("step,epoch,"), 0u);
}

// With next to no rate the weights that come out are those that went in.
TEST_F(RunTest, StartsFromAllWeightsOfAModel) {
  RunOptions first = short_options("first");
  first.config.seed = 3;
  const RunResult start = run_training(first);
  RunOptions still = short_options("still");
  still.init = start.model;
  still.config.rate = still.config.encoder_rate = 1e-30;
  still.config.weight_decay = still.config.ema = 0;
  still.config.epochs = 1;
  const RunResult result = run_training(still);
  const auto before = model_dir::SafetensorsFile::open(start.model / "model.safetensors");
  const auto after = model_dir::SafetensorsFile::open(result.model / "model.safetensors");
  ASSERT_GT(before.tensors().size(), 30u);
  ASSERT_EQ(before.tensors().size(), after.tensors().size());
  for (const model_dir::TensorView& tensor : before.tensors()) {
    const model_dir::TensorView* same = after.find(tensor.name);
    ASSERT_NE(same, nullptr) << tensor.name;
    std::vector<std::byte> was(tensor.bytes.size()), is(same->bytes.size());
    tensor.bytes.copy_to(was);
    same->bytes.copy_to(is);
    EXPECT_EQ(was, is) << tensor.name;
  }
  const auto provenance = model_dir::ModelDir::open(result.model).config().provenance;
  EXPECT_EQ(provenance.at("init_sha256"),
            checksums::sha256_of_file(start.model / "model.safetensors"));
  EXPECT_EQ(provenance.count("encoder_sha256"), 0u);

  RunOptions both = short_options("both");
  both.init = both.encoder = start.model;
  EXPECT_ERROR(run_training(both), ErrorCode::kInvalidArgument, "init and encoder");
}

TEST_F(RunTest, GoesOnFromAModelAndResumesThere) {
  const RunResult start = run_training(short_options("start"));
  RunOptions whole = short_options("whole");
  whole.init = start.model;
  EXPECT_LT(run_training(whole).loss, start.loss);
  RunOptions stopped = short_options("stopped");
  stopped.init = start.model;
  stopped.after_step = [](std::int64_t done) {
    if (done == 9) throw Killed();
  };
  EXPECT_THROW(run_training(stopped), Killed);
  stopped.after_step = nullptr;
  stopped.resume = true;
  run_training(stopped);
  EXPECT_EQ(weights("stopped"), weights("whole"));
}

TEST_F(RunTest, RefusesAStartThatIsAnotherModel) {
  RunOptions first = short_options("first");
  first.config.epochs = 1;
  const RunResult start = run_training(first);
  int number = 0;
  const auto refuses = [&](const auto& change, ErrorCode code, const char* message) {
    RunOptions run = short_options("refused" + std::to_string(++number));
    run.init = start.model;
    change(run);
    EXPECT_ERROR(run_training(run), code, message);
  };
  constexpr ErrorCode kOther = ErrorCode::kInvalidArgument;
  refuses([](RunOptions& run) { run.config.encoder.heads *= 2; }, kOther, "encoder.heads is");
  refuses([](RunOptions& run) { run.config.encoder.layers -= 1; }, kOther, "encoder.layers is");
  refuses([](RunOptions& run) { run.config.denoiser.heads *= 2; }, kOther, "denoiser.heads is");
  refuses([](RunOptions& run) { run.config.denoiser.hidden *= 2; }, kOther, "denoiser.hidden is");
  refuses([](RunOptions& run) { run.config.diffusion.steps += 1; }, kOther, "diffusion.steps is");
  refuses([](RunOptions& run) { run.config.diffusion.kernel = diffusion::KernelKind::kAbsorbing; },
          kOther, "objective is uniform diffusion, the run's is absorbing diffusion");
  refuses([](RunOptions& run) { run.config.objective = Objective::kTagger; }, kOther, "tagger");
  refuses([&](RunOptions& run) { run.init = dir_.path() / "absent"; }, ErrorCode::kNotFound,
          "config.json");
  std::string vocab = task_.vocab;
  std::swap(vocab[vocab.size() - 2], vocab[vocab.size() - 3]);
  test::write_file(dir_.path() / "other.txt", vocab);
  refuses([&](RunOptions& run) { run.vocab = dir_.path() / "other.txt"; }, kOther, "other.txt");
  const fs::path file = start.model / "model.safetensors";
  test::write_file(file, test::read_file(file).substr(0, 5000));
  refuses([](RunOptions&) {}, ErrorCode::kCorruptModel, "model.safetensors");
}

TEST_F(RunTest, TooLargeARateIsNoticed) {
  RunOptions run = short_options("d");
  run.config.rate = run.config.encoder_rate = 10;
  run.config.clip = 0;
  run.config.warmup = 0;
  run.config.epochs = 60;
  run.config.adam_eps = 1e-30;
  run.config.weight_decay = 10;
  EXPECT_ERROR(run_training(run), ErrorCode::kBadInput, "diverged");
}

// configs/tiny.toml as it stands: the stated F1 is 0.9 with 16 samples.
TEST_F(RunTest, LearnsTheSyntheticTask) {
  struct Case {
    const char* name;
    diffusion::KernelKind kernel;
    double f1;
  };
  for (const Case& c : {Case{"uniform", diffusion::KernelKind::kUniform, 0.9},
                        Case{"absorbing", diffusion::KernelKind::kAbsorbing, 0.9}}) {
    RunOptions run = options(c.name);
    run.config.diffusion.kernel = c.kernel;
    run.dev_sentences = dir_.path() / "dev.txt";
    run.dev_gold = dir_.path() / "gold.tsv";
    const RunResult result = run_training(run);
    ASSERT_TRUE(result.dev);
    EXPECT_GE(result.dev->f1, c.f1) << c.name;
    RecordProperty(std::string(c.name) + "_f1", std::to_string(result.dev->f1));
    RecordProperty(std::string(c.name) + "_seconds", std::to_string(result.seconds));
    EXPECT_LT(result.seconds, 60);

    // The pools hold the two facts of most sentences.
    const PoolOptions pools = pool_options(result.model, "pools.jsonl", 16);
    EXPECT_EQ(sample_pools(pools).sentences, task_.sentences.size());
    std::istringstream lines(test::read_file(pools.out));
    std::size_t index = 0;
    for (std::string line; std::getline(lines, line); ++index) {
      const auto json = nlohmann::json::parse(line);
      EXPECT_EQ(json["sentence"], task_.sentences[index]);
      std::size_t samples = 0;
      for (const auto& entry : json["pool"]) {
        EXPECT_EQ(entry[0].get<std::string>().size(), json["words"].size());
        samples += entry[1].get<std::size_t>();
      }
      EXPECT_EQ(samples, 16u);
    }
    EXPECT_EQ(index, task_.sentences.size());
  }
}

TEST_F(RunTest, ImpliedWordsOfTheTrainingFileBelongToTheModel) {
  task_.train.metadata["implied_words"] = "ann met";
  data::write_training_file(dir_.path() / "train.safetensors", task_.train);
  const RunResult result = run_training(short_options("implied"));
  EXPECT_EQ(model_dir::ModelDir::open(result.model).config().implied_words,
            (std::vector<std::string>{"ann", "met"}));
  const PoolOptions pools = pool_options(result.model, "implied.jsonl", 4);
  sample_pools(pools);
  for (const TagPool& pool : read_tag_pools(pools.out)) {
    EXPECT_EQ(pool.num_implied, 2u);
    EXPECT_EQ(pool.words.back(), "met");
    for (const TagCount& entry : pool.tags) {
      const std::string implied = entry.tags.substr(entry.tags.size() - 2);
      EXPECT_EQ(implied.find_first_of("SO"), std::string::npos);
    }
  }
}

TEST_F(RunTest, TaggerTrainsAndSamples) {
  RunOptions run = short_options("tagger");
  run.config.objective = Objective::kTagger;
  run.config.levels = 1;
  const RunResult result = run_training(run);
  const PoolOptions pools = pool_options(result.model, "tagger.jsonl", 4);
  EXPECT_EQ(sample_pools(pools).sentences, task_.sentences.size());
}

}  // namespace
}  // namespace diffie::train
