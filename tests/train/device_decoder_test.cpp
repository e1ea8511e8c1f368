#include "train/device_decoder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "diffie/lab/sample_tags.h"
#include "expect_error.h"
#include "synthetic.h"
#include "temp_dir.h"
#include "train/export.h"

namespace diffie::train {
namespace {

const std::vector<std::string> kImplied = {"saw", "won"};

class DeviceDecoderTest : public testing::Test {
 protected:
  DeviceDecoderTest() : task_(make_synthetic_task(1, 30, 8)), config_(tiny_config(task_)) {
    config_.diffusion.kernel = diffusion::KernelKind::kAnchored;
    config_.diffusion.steps = diffusion::stage::kLast;
    config_.judge = {1, 16, 2, 1e-5};
    config_.weights = "f32";
    test::write_file(dir_.path() / "vocab.txt", task_.vocab);
    std::string text = "\n";  // an empty sentence, and one that is too long for the encoder
    for (int i = 0; i < 40; ++i) text += "ada ";
    for (const std::string& sentence : task_.sentences) text += "\n" + sentence;
    test::write_file(dir_.path() / "sentences.txt", text + "\n");
    sentences_ = read_sentences(
        dir_.path() / "sentences.txt", Tokenizer::from_vocab_file(dir_.path() / "vocab.txt"),
        static_cast<std::size_t>(config_.encoder.max_positions - 2), kImplied);
  }

  // Random weights that say more than that everything is as likely as everything else.
  ParamSet params() const {
    ParamSet params = random_params(config_, 9);
    torch::manual_seed(1);
    for (torch::Tensor tensor : params.tensors()) tensor.add_(torch::randn_like(tensor) * 0.2);
    return params;
  }

  std::vector<TagPool> engine_pools(const Settings& settings) {
    ExportContent content;
    content.vocab = task_.vocab;
    content.card = "card\n";
    content.implied_words = kImplied;
    export_model(dir_.path() / "m", config_, params(), content);
    std::vector<std::string_view> texts;
    for (const TextSentence& sentence : sentences_) texts.push_back(sentence.text);
    return TagSampler(Model::load(dir_.path() / "m"), settings).sample(texts);
  }

  test::TempDir dir_;
  SyntheticTask task_;
  TrainConfig config_;
  std::vector<TextSentence> sentences_;
};

// The same weights up to rounding, and the same judgements; what differs may be something that is
// next to nothing in both.
void expect_same(const WordTagPool& found, const TagPool& wanted) {
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> counts;
  std::map<std::string, model::Judgement> judged;
  for (const WordTagCount& entry : found) {
    counts[entry.tags].first = entry.count;
    if (entry.judgement) judged[entry.tags] = *entry.judgement;
  }
  for (const TagCount& entry : wanted.tags) {
    counts[entry.tags].second = entry.count;
    if (!entry.is_judged() || !judged.contains(entry.tags)) continue;
    EXPECT_NEAR(judged[entry.tags].exact, entry.exact, 1e-4) << wanted.sentence;
    EXPECT_NEAR(judged[entry.tags].lenient, entry.lenient, 1e-4) << wanted.sentence;
  }
  for (const auto& [tags, both] : counts) {
    EXPECT_LE(std::abs(both.first - both.second), 100) << wanted.sentence << ": " << tags;
  }
}

TEST_F(DeviceDecoderTest, GivesWhatTheEngineGives) {
  Settings settings;
  settings.rule = Rule::kAllRuns;
  settings.judged = 1024;
  settings.pretokenized = true;
  settings.precision = Precision::kFp32;
  settings.theta = 0.003;
  settings.branch = 4;
  for (const bool refine : {true, false}) {
    settings.refine = refine;
    const auto found = decode_on_device(TorchModel(config_, params(), 2, 3), sentences_, settings);
    const std::vector<TagPool> wanted = engine_pools(settings);
    ASSERT_EQ(found.size(), wanted.size());
    std::size_t entries = 0, judged = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      expect_same(found[i], wanted[i]);
      for (const WordTagCount& entry : found[i]) judged += entry.judgement.has_value();
      entries += found[i].size();
    }
    EXPECT_TRUE(found[0].empty());
    EXPECT_TRUE(found[1].empty());
    EXPECT_GT(entries, 5 * found.size());
    EXPECT_GT(judged, 4 * found.size());
  }
}

TEST_F(DeviceDecoderTest, WeightsFallAndSumToOne) {
  for (const WordTagPool& pool :
       decode_on_device(TorchModel(config_, params(), 2, 3), sentences_, {.theta = 0.003})) {
    if (pool.empty()) continue;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
      sum += pool[i].count;
      EXPECT_LE(pool[i].count, pool[i == 0 ? 0 : i - 1].count);
      // Everything that is a triple is judged, the rest is not.
      EXPECT_EQ(pool[i].judgement.has_value(), pool[i].tags.find('R') != std::string::npos);
    }
    EXPECT_EQ(sum, diffusion::kWeightUnit);
  }
}

TEST_F(DeviceDecoderTest, SaysTheSameOfASentenceInAnyCompany) {
  const TorchModel model(config_, params(), 2, 3);
  const Settings settings = {.theta = 0.003};
  const auto together = decode_on_device(model, sentences_, settings);
  for (const std::size_t i : {2, 9, 31}) {
    const WordTagPool alone = decode_on_device(model, {&sentences_[i], 1}, settings).front();
    TagPool wanted;
    wanted.sentence = sentences_[i].text;
    for (const WordTagCount& entry : alone) wanted.tags.push_back({entry.tags, entry.count});
    expect_same(together[i], wanted);
  }
}

TEST_F(DeviceDecoderTest, RefusesAnotherKernel) {
  config_.diffusion.kernel = diffusion::KernelKind::kAbsorbing;
  EXPECT_ERROR(decode_on_device(TorchModel(config_, params(), 2, 3), sentences_, {}),
               ErrorCode::kInvalidArgument, "kernel absorbing");
}

}  // namespace
}  // namespace diffie::train
