// An anchored model with a judge, trained on the made-up world: what it learns, what the engine
// makes of it, and training files that it labels.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "diffie/extractor.h"
#include "diffie/lab/sample_tags.h"
#include "diffusion/anchored_decoder.h"
#include "expect_error.h"
#include "model_dir/model_dir.h"
#include "synthetic.h"
#include "temp_dir.h"
#include "train/label.h"
#include "train/pools.h"
#include "train/run.h"

namespace diffie::train {
namespace {

namespace fs = std::filesystem;

// Subject and object of an instance changed for each other: wrong, whatever the sentence.
TrainingSet with_roles_swapped(TrainingSet set) {
  for (std::uint8_t& tag : set.tags) tag = tag == 1 ? 3 : tag == 3 ? 1 : tag;
  return set;
}

void judge_all(TrainingSet& set, float exact, float lenient) {
  set.instance_judgement.clear();
  for (std::size_t i = 0; i < set.num_instances(); ++i) {
    set.instance_judgement.insert(set.instance_judgement.end(), {exact, lenient});
  }
}

class AnchoredRunTest : public ::testing::Test {
 protected:
  // Right ones teach the tags and the judge, wrong ones, in a file of their own, the judge alone.
  static void SetUpTestSuite() {
    dir_ = std::make_unique<test::TempDir>();
    task_ = make_synthetic_task(300, 60, 11);
    test::write_file(path("vocab.txt"), task_.vocab);
    test::write_file(path("gold.tsv"), task_.gold);
    std::string sentences;
    for (const std::string& sentence : task_.sentences) sentences += sentence + "\n";
    test::write_file(path("dev.txt"), sentences);
    TrainingSet right = task_.train, wrong = with_roles_swapped(task_.train);
    judge_all(right, 1, 1);
    judge_all(wrong, 0, 0.25);
    std::ranges::fill(wrong.instance_weight, 0.0f);
    data::write_training_file(path("right.safetensors"), right);
    data::write_training_file(path("wrong.safetensors"), wrong);

    RunOptions run = options("run");
    run.dev_sentences = path("dev.txt");
    run.dev_gold = path("gold.tsv");
    result_ = run_training(run);
  }
  static void TearDownTestSuite() { dir_.reset(); }

  static fs::path path(const std::string& name) { return dir_->path() / name; }

  static RunOptions options(const std::string& name) {
    RunOptions options;
    options.config = tiny_config(task_);
    options.config.diffusion.kernel = diffusion::KernelKind::kAnchored;
    options.config.diffusion.steps = diffusion::stage::kLast;
    options.config.judge = {1, 32, 4, 1e-5};
    options.config.whole_sentences = true;
    options.config.weights = "f32";
    options.data = {path("right.safetensors"), path("wrong.safetensors")};
    options.vocab = path("vocab.txt");
    options.out = path(name);
    options.device = "cpu";
    options.quiet = true;
    return options;
  }

  static LabelOptions label_options(const TrainingSet& set) {
    data::write_training_file(path("unlabelled.safetensors"), set);
    LabelOptions options;
    options.models = {result_.model};
    options.data = path("unlabelled.safetensors");
    options.out = path("labelled.safetensors");
    options.device = "cpu";
    return options;
  }

  static std::vector<float> labels(const LabelOptions& options) {
    label_instances(options);
    return data::read_training_file(options.out).instance_judgement;
  }

  static inline std::unique_ptr<test::TempDir> dir_;
  static inline SyntheticTask task_;
  static inline RunResult result_;
};

TEST_F(AnchoredRunTest, LearnsTheSyntheticTask) {
  ASSERT_TRUE(result_.dev);
  EXPECT_GE(result_.dev->f1, 0.9);
  EXPECT_LT(result_.seconds, 60);
  const model_dir::ModelDir model = model_dir::ModelDir::open(result_.model);
  EXPECT_EQ(model.config().diffusion.kernel, diffusion::KernelKind::kAnchored);
  ASSERT_TRUE(model.config().judge);
  EXPECT_EQ(model.config().judge->hidden, 32);
  const std::string sums = model.config().provenance.at("data_sha256");
  EXPECT_EQ(sums.size(), 64u + 1 + 64) << "one for each file";
  const std::string card = test::read_file(result_.model / "MODEL_CARD.md");
  EXPECT_NE(card.find("anchored"), std::string::npos);
  EXPECT_NE(card.find("- Judge: 1 layers of 32"), std::string::npos);
}

TEST_F(AnchoredRunTest, TheEngineFindsTheFacts) {
  const auto model = Model::load(result_.model);
  EXPECT_TRUE(verify_model(result_.model).empty());
  Settings settings = model->settings();
  settings.pretokenized = true;
  const Extractor extractor(model, settings);
  std::size_t found = 0, wanted = 0;
  for (std::size_t begin = 0; begin < task_.gold.size();) {
    const std::size_t end = task_.gold.find('\n', begin);
    std::array<std::string, 4> cells;  // sentence, relation, subject, object
    std::istringstream line(task_.gold.substr(begin, end - begin));
    for (std::string& cell : cells) std::getline(line, cell, '\t');
    for (const Extraction& fact : extractor.extract(cells[0]).extractions) {
      if (fact.relation == cells[1] && fact.subject == cells[2] && fact.object == cells[3]) ++found;
    }
    ++wanted;
    begin = end + 1;
  }
  EXPECT_GE(static_cast<double>(found), 0.9 * static_cast<double>(wanted));
}

TEST_F(AnchoredRunTest, PoolsAreThoseOfTheEngine) {
  PoolOptions options;
  options.model = result_.model;
  options.sentences = path("dev.txt");
  options.out = path("pools.jsonl");
  options.settings.theta = 0.01;
  options.device = "cpu";
  sample_pools(options);
  const std::vector<TagPool> pools = read_tag_pools(options.out);
  Settings settings = Model::load(result_.model)->settings();
  settings.theta = 0.01;
  settings.branch = options.settings.branch;
  settings.rule = Rule::kAllRuns;
  settings.judged = 1024;
  settings.pretokenized = true;
  settings.precision = Precision::kFp32;
  const std::vector<std::string_view> texts(task_.sentences.begin(), task_.sentences.end());
  const auto wanted = TagSampler(Model::load(result_.model), settings).sample(texts);
  ASSERT_EQ(pools.size(), wanted.size());
  for (std::size_t i = 0; i < pools.size(); ++i) {
    EXPECT_EQ(pools[i].words, wanted[i].words);
    ASSERT_FALSE(pools[i].tags.empty());
    const TagCount& first = pools[i].tags[0];
    EXPECT_EQ(first.tags, wanted[i].tags[0].tags) << pools[i].sentence;
    EXPECT_NEAR(first.count, wanted[i].tags[0].count, 500) << pools[i].sentence;
    EXPECT_NEAR(first.exact, wanted[i].tags[0].exact, 1e-3) << pools[i].sentence;
    EXPECT_NEAR(first.lenient, wanted[i].tags[0].lenient, 1e-3) << pools[i].sentence;
  }
}

TEST_F(AnchoredRunTest, LabelsTellRightFromWrong) {
  TrainingSet set = make_synthetic_task(100, 0, 12).train;
  const std::size_t right = set.num_instances();
  data::append(set, with_roles_swapped(set));
  const std::vector<float> found = labels(label_options(set));
  ASSERT_EQ(found.size(), 2 * set.num_instances());
  double exact[2] = {}, lenient[2] = {};
  for (std::size_t i = 0; i < set.num_instances(); ++i) {
    exact[i >= right] += found[2 * i] / static_cast<double>(right);
    lenient[i >= right] += found[2 * i + 1] / static_cast<double>(right);
  }
  EXPECT_GT(exact[0], 0.9);
  EXPECT_LT(exact[1], 0.1);
  EXPECT_GT(lenient[0], 0.9);
  EXPECT_NEAR(lenient[1], 0.25, 0.1);
}

TEST_F(AnchoredRunTest, LabelsFillInWhatIsUnknownAndKeepWhatIsKnown) {
  TrainingSet set = make_synthetic_task(20, 0, 12).train;
  const std::vector<float> all = labels(label_options(set));
  judge_all(set, -1, -1);
  constexpr std::size_t kFirst = 12, kKnown = 17;  // instances
  ASSERT_LT(kKnown, set.num_instances());
  set.instance_judgement[2 * kKnown] = 0.125f;
  set.instance_judgement[2 * kKnown + 1] = 0.5f;
  LabelOptions options = label_options(set);
  options.from_sentence = static_cast<std::size_t>(set.instance_sentence[kFirst]);
  const LabelResult result = label_instances(options);
  const TrainingSet labelled = data::read_training_file(options.out);
  std::size_t filled = 0;
  double sum = 0;
  for (std::size_t i = 0; i < set.num_instances(); ++i) {
    const bool is_before = set.instance_sentence[i] < set.instance_sentence[kFirst];
    const bool is_kept = is_before || i == kKnown;
    const std::vector<float>& wanted = is_kept ? set.instance_judgement : all;
    EXPECT_NEAR(labelled.instance_judgement[2 * i], wanted[2 * i], 1e-5) << i;
    EXPECT_NEAR(labelled.instance_judgement[2 * i + 1], wanted[2 * i + 1], 1e-5) << i;
    if (is_kept) continue;
    sum += wanted[2 * i];
    ++filled;
  }
  EXPECT_EQ(result.instances, filled);
  EXPECT_NEAR(result.mean_exact, sum / static_cast<double>(filled), 1e-5);
  EXPECT_EQ(labelled.tags, set.tags);
  EXPECT_EQ(labelled.instance_weight, set.instance_weight);
  // Nothing is left to say.
  options.data = options.out;
  options.from_sentence = set.num_sentences();
  EXPECT_EQ(label_instances(options).instances, 0u);
}

TEST_F(AnchoredRunTest, LabelsOfSeveralModelsAreTheirMean) {
  RunOptions other = options("other");
  other.config.epochs = 1;
  other.config.seed = 1;
  const fs::path second = run_training(other).model;
  LabelOptions options = label_options(make_synthetic_task(20, 0, 12).train);
  const std::vector<float> a = labels(options);
  options.models = {second};
  const std::vector<float> b = labels(options);
  options.models = {result_.model, second};
  const std::vector<float> both = labels(options);
  ASSERT_EQ(both.size(), a.size());
  EXPECT_NE(a, b);
  for (std::size_t i = 0; i < both.size(); ++i) EXPECT_NEAR(both[i], (a[i] + b[i]) / 2, 1e-6);
}

TEST_F(AnchoredRunTest, AModelWithoutJudgeLabelsNothing) {
  RunOptions plain = options("plain");
  plain.config.judge.layers = 0;
  plain.config.epochs = 1;
  LabelOptions options = label_options(task_.train);
  options.models = {run_training(plain).model};
  options.out = path("absent.safetensors");
  EXPECT_ERROR(label_instances(options), ErrorCode::kInvalidArgument, "has no judge");
  EXPECT_FALSE(fs::exists(options.out));
}

TEST_F(AnchoredRunTest, TrainsAJudgeAlone) {
  RunOptions judge = options("judge");
  judge.config.tags_loss = 0;
  judge.config.epochs = 2;
  const RunResult alone = run_training(judge);
  EXPECT_LT(alone.loss, 1.0);  // 1.5 log 2 says nothing
  RunOptions none = options("none");
  none.config.tags_loss = none.config.judge_loss = 0;
  EXPECT_ERROR(run_training(none), ErrorCode::kInvalidArgument, "loss.tags is 0");
}

TEST_F(AnchoredRunTest, FilesOfOtherPseudoWordsAreNotTrainedOnTogether) {
  TrainingSet other = task_.train;
  other.metadata["implied_words"] = "saw";
  data::write_training_file(path("implied.safetensors"), other);
  RunOptions run = options("refused");
  run.data.push_back(path("implied.safetensors"));
  EXPECT_ERROR(run_training(run), ErrorCode::kInvalidArgument, "implied_words");
}

}  // namespace
}  // namespace diffie::train
