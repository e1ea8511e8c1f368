// The promise of a sweep: a point scores as `diffie extract --format jsonl` and `diffie score` do.
#include <gtest/gtest.h>

#include <fstream>

#include "diffie/extractor.h"
#include "diffie/lab/model_files.h"
#include "diffie/lab/rank.h"
#include "diffie/lab/sample_tags.h"
#include "diffie/lab/sweep.h"
#include "diffie/output.h"
#include "extract/rankers.h"
#include "temp_dir.h"

namespace diffie {
namespace {

const std::vector<std::string_view> kSentences = {
    "Marie Curie discovered polonium in 1898 .",
    "The strike obtained political support -LRB- from the committee -RRB- , and the workers left .",
    "",
    "One",
    "Caf\xC3\xA9  Na\xC3\xAFve served as the first Prime Minister of Australia .",
};

const char* const kGold =
    "Marie Curie discovered polonium in 1898 .\tdiscovered\tMarie Curie\tpolonium in 1898\n"
    "Marie Curie discovered polonium in 1898 .\tdiscovered in\tpolonium\t1898\n"
    "The strike obtained political support -LRB- from the committee -RRB- , and the workers left ."
    "\tobtained\tThe strike\tpolitical support\n"
    "The strike obtained political support -LRB- from the committee -RRB- , and the workers left ."
    "\tleft\tthe workers\n"
    "Caf\xC3\xA9  Na\xC3\xAFve served as the first Prime Minister of Australia .\tserved as"
    "\tCaf\xC3\xA9 Na\xC3\xAFve\tthe first Prime Minister of Australia\n";

class SameAsExtract : public ::testing::TestWithParam<const char*> {  // kernel
 protected:
  void SetUp() override {
    InitOptions options;
    options.vocab = DIFFIE_SOURCE_DIR "/share/bert-base-uncased/vocab.txt";
    options.encoder_hidden = 32;
    options.denoiser_hidden = 32;
    options.kernel = GetParam();
    init_model(temp_ / "model", options);
    test::write_file(temp_ / "ranker.json", to_json(extract::plain_ranker()));
    install_ranker(temp_ / "model", temp_ / "ranker.json", {});
    model_ = Model::load(temp_ / "model");
    test::write_file(temp_ / "gold.tsv", kGold);
  }

  Settings extractor_settings() const {
    Settings options;
    options.precision = Precision::kFp32;
    options.samples = 40;
    options.steps = 3;
    options.seed = 5;
    options.theta = 1e-3;  // nothing is likely
    options.threads = 2;
    options.pretokenized = true;
    return options;
  }

  // Of a sentence that is not empty. An anchored model's are weights.
  std::uint64_t pool_size(std::uint64_t samples) const {
    return GetParam() == std::string_view("anchored") ? 1 << 20 : samples;
  }

  // The long way: triples to a file, the file to the scorer.
  Score separately(const Settings& options, Measure measure) const {
    const std::vector<SentenceResult> results = Extractor(model_, options).extract(kSentences);
    std::string text;
    for (std::size_t i = 0; i < kSentences.size(); ++i) {
      append_result(text, OutputFormat::kJsonl, kSentences[i], results[i]);
    }
    test::write_file(temp_ / "out.jsonl", text);
    const auto systems = read_predictions((temp_ / "out.jsonl").string(), measure);
    return score_system(read_gold((temp_ / "gold.tsv").string(), measure), systems.at(0), measure);
  }

  test::TempDir temp_;
  std::shared_ptr<const Model> model_;
};

TEST_P(SameAsExtract, EveryPointOfAGrid) {
  // Through the file, so that writing and reading a pool is part of the promise.
  std::string text;
  for (const TagPool& pool : TagSampler(model_, extractor_settings()).sample(kSentences)) {
    append_tag_pool(text, pool);
  }
  const SweepPool pool{"model", "model", parse_tag_pools(text, "pool")};
  std::vector<SweepGold> golds;
  for (const Measure measure : {Measure::kCarb, Measure::kCarb11, Measure::kCarbDiffie}) {
    golds.push_back({measure, read_gold((temp_ / "gold.tsv").string(), measure)});
  }
  SweepOptions options;
  options.axes.top_k = {2, 8};
  options.axes.tau = {0.5, 0.9};
  options.axes.rule = {Rule::kLongest, Rule::kRelationRuns, Rule::kAllRuns};
  options.axes.selector = {SelectorKind::kLenient, SelectorKind::kFrequency,
                           SelectorKind::kCoverage, SelectorKind::kLearned};
  options.ranker = (temp_ / "ranker.json").string();
  options.axes.min_confidence = {0, 0.05};
  const SweepTable table = run_sweep(std::vector{pool}, golds, options);
  ASSERT_EQ(table.rows.size(), 3u * (2 + 1 + 1 + 1) * 2 * 2);
  double best = 0;
  for (const SweepRow& row : table.rows) {
    Settings extractor = extractor_settings();
    extractor.top_k = *row.point.top_k;
    extractor.tau = row.point.tau.value_or(extractor.tau);
    extractor.rule = row.point.rule;
    extractor.selector = *row.point.selector;
    extractor.min_confidence = *row.point.min_confidence;
    for (std::size_t i = 0; i < golds.size(); ++i) {
      const Score wanted = separately(extractor, golds[i].measure);
      EXPECT_EQ(row.scores[i].precision.mean, wanted.precision);
      EXPECT_EQ(row.scores[i].recall.mean, wanted.recall);
      EXPECT_EQ(row.scores[i].f1.mean, wanted.f1);
      EXPECT_EQ(row.scores[i].auc->mean, *wanted.auc);
      best = std::max(best, wanted.f1);
    }
  }
  EXPECT_GT(best, 0) << "nothing was compared";
}

// What the judge says goes through the pool file to a ranker that reads it.
TEST_P(SameAsExtract, JudgedCandidates) {
  InitOptions init;
  init.vocab = DIFFIE_SOURCE_DIR "/share/bert-base-uncased/vocab.txt";
  init.encoder_hidden = init.denoiser_hidden = init.judge_hidden = 32;
  init.judge_layers = 1;
  init.kernel = GetParam();
  init_model(temp_ / "judged", init);
  extract::Ranker ranker = extract::plain_ranker();
  ranker.schema = 2;
  ranker.walk = extract::Walk::kJudged;
  ranker.wording = extract::staircase("judge_exact", 64);
  ranker.worth = extract::staircase("judge_lenient", 64);
  test::write_file(temp_ / "ranker.json", to_json(ranker));
  install_ranker(temp_ / "judged", temp_ / "ranker.json", {.judged = 9});
  model_ = Model::load(temp_ / "judged");
  Settings settings = extractor_settings();
  settings.rule = Rule::kAllRuns;
  settings.selector = SelectorKind::kLearned;
  settings.judged = model_->settings("balanced").judged;
  ASSERT_EQ(settings.judged, 9);
  std::string text;
  for (const TagPool& pool : TagSampler(model_, settings).sample(kSentences)) {
    append_tag_pool(text, pool);
  }
  const SweepPool pool{"model", "model", parse_tag_pools(text, "pool")};
  const Measure measure = Measure::kCarb;
  const std::vector<SweepGold> golds = {
      {measure, read_gold((temp_ / "gold.tsv").string(), measure)}};
  SweepOptions options;
  options.axes.top_k = {2, 8};
  options.axes.rule = {Rule::kAllRuns};
  options.axes.selector = {SelectorKind::kLearned};
  options.ranker = (temp_ / "ranker.json").string();
  for (const SweepRow& row : run_sweep(std::vector{pool}, golds, options).rows) {
    settings.top_k = *row.point.top_k;
    const Score wanted = separately(settings, measure);
    EXPECT_EQ(row.scores[0].f1.mean, wanted.f1);
    EXPECT_EQ(row.scores[0].auc->mean, *wanted.auc);
    const std::string triples = test::read_file(temp_ / "out.jsonl");
    settings.judged = 0;
    separately(settings, measure);
    EXPECT_NE(test::read_file(temp_ / "out.jsonl"), triples) << "the judge does not matter";
    settings.judged = 9;
  }
}

TEST_P(SameAsExtract, PoolsDoNotDependOnBatchOrThreads) {
  Settings options = extractor_settings();
  const std::vector<TagPool> all = TagSampler(model_, options).sample(kSentences);
  ASSERT_EQ(all.size(), kSentences.size());
  options.threads = 1;
  const TagSampler single(model_, options);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const TagPool alone = single.sample({&kSentences[i], 1}).at(0);
    EXPECT_EQ(alone.tags, all[i].tags);
    EXPECT_EQ(alone.words, all[i].words);
    EXPECT_EQ(alone.sentence, kSentences[i]);
    EXPECT_EQ(alone.num_samples(), kSentences[i].empty() ? 0u : pool_size(40));
  }
}

TEST_P(SameAsExtract, SentenceTooLongForTheEncoderHasAnEmptyPool) {
  std::string text;
  for (int i = 0; i < 1200; ++i) text += "word ";
  const std::vector<std::string_view> sentences = {text, "It rains here ."};
  Settings options = extractor_settings();
  options.samples = 2;
  options.steps = 1;
  options.theta = 0.03;
  const std::vector<TagPool> pools = TagSampler(model_, options).sample(sentences);
  EXPECT_TRUE(pools[0].tags.empty());
  EXPECT_EQ(pools[0].words.size(), 1200u);
  EXPECT_EQ(pools[1].num_samples(), pool_size(2));
}

INSTANTIATE_TEST_SUITE_P(Kernels, SameAsExtract, ::testing::Values("uniform", "anchored"),
                         [](const auto& kernel) { return std::string(kernel.param); });

}  // namespace
}  // namespace diffie
