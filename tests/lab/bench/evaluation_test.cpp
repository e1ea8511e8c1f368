#include "diffie/lab/evaluation.h"

#include <gtest/gtest.h>

#include "diffie/output.h"
#include "expect_error.h"
#include "temp_dir.h"

namespace diffie {
namespace {

Extraction triple(const char* subject, const char* relation, const char* object,
                  double confidence) {
  Extraction found;
  found.subject = subject;
  found.relation = relation;
  found.object = object;
  found.confidence = confidence;
  return found;
}

// Three sentences with gold and one without; confidences that six digits cannot tell apart.
class Scored : public testing::Test {
 protected:
  Scored() {
    test::write_file(temp_ / "gold.tsv",
                     "Ada wrote it .\twrote\tAda\tit\n"
                     "Ben -LRB- a smith -RRB- left Bonn .\tleft\tBen\tBonn\n"
                     "Ben -LRB- a smith -RRB- left Bonn .\tis\tBen\ta smith\n"
                     "Cleo sang .\tsang\tCleo\n");
    gold_ = read_gold((temp_ / "gold.tsv").string(), Measure::kCarb);
    results_[0].extractions = {triple("Ada", "wrote", "it", 0.5000001),
                               triple("it", "wrote", "Ada", 0.1)};
    results_[1].extractions = {triple("Ben", "left", "Bonn", 0.5),
                               triple("smith", "left", "a", 0.4999999)};
    results_[3].extractions = {triple("Nobody", "is", "here", 0.9)};
  }

  Quality through_files(Measure measure) const {
    std::string text;
    for (std::size_t i = 0; i < sentences_.size(); ++i) {
      append_result(text, OutputFormat::kJsonl, sentences_[i], results_[i]);
    }
    test::write_file(temp_ / "out.jsonl", text);
    const Score score = score_system(
        gold_, read_predictions((temp_ / "out.jsonl").string(), measure).at(0), measure);
    return {0, {score.f1, *score.auc}, {}};
  }

  test::TempDir temp_;
  GoldStandard gold_;
  std::vector<std::string_view> sentences_ = {
      "Ada wrote it .", "Ben -LRB- a smith -RRB- left Bonn .", "Cleo sang .", "Nobody is here ."};
  std::vector<SentenceResult> results_ = std::vector<SentenceResult>(4);
};

TEST_F(Scored, EqualsTheWayThroughFiles) {
  const Quality quality = score_results(sentences_, results_, gold_);
  EXPECT_EQ(quality.sentences, 4u);
  EXPECT_EQ(quality.carb.f1, through_files(Measure::kCarb).carb.f1);
  EXPECT_EQ(quality.carb.auc, through_files(Measure::kCarb).carb.auc);
  EXPECT_EQ(quality.carb_1_1.f1, through_files(Measure::kCarb11).carb.f1);
  EXPECT_EQ(quality.carb_1_1.auc, through_files(Measure::kCarb11).carb.auc);
  EXPECT_GT(quality.carb.f1, 0.5);
}

TEST_F(Scored, GoldOfOtherSentencesDoesNotCount) {
  const Quality first =
      score_results(std::span(sentences_).first(1), std::span(results_).first(1), gold_);
  EXPECT_EQ(first.sentences, 1u);
  EXPECT_EQ(first.carb.f1, 1);  // at the threshold that leaves out the wrong one
  EXPECT_LT(score_results(sentences_, results_, gold_).carb.f1, 1);
}

TEST_F(Scored, RepeatedSentencesCountOnce) {
  std::vector<std::string_view> twice = sentences_;
  std::vector<SentenceResult> results = results_;
  twice.insert(twice.end(), sentences_.begin(), sentences_.end());
  results.insert(results.end(), results_.begin(), results_.end());
  EXPECT_EQ(score_results(twice, results, gold_).carb.f1,
            score_results(sentences_, results_, gold_).carb.f1);
}

TEST_F(Scored, PartsAreDisjointAndTogetherAll) {
  const auto part = [&](DevPart which) { return score_part(which, sentences_, results_, gold_); };
  EXPECT_EQ(part(DevPart::kAll).carb.f1, score_results(sentences_, results_, gold_).carb.f1);
  EXPECT_EQ(part(DevPart::kTuning).sentences + part(DevPart::kHeldOut).sentences, 4u);
}

TEST_F(Scored, RefusesAnotherNumberOfResults) {
  EXPECT_ERROR(score_results(sentences_, std::span(results_).first(2), gold_),
               ErrorCode::kInvalidArgument, "2 results for 4 sentences");
  EXPECT_ERROR(score_part(DevPart::kHeldOut, sentences_, std::span(results_).first(2), gold_),
               ErrorCode::kInvalidArgument, "2 results for 4 sentences");
}

// The split is a fact that others repeat: it may never change.
TEST(HeldOut, IsFnv1aOfTheBytesModuloThree) {
  EXPECT_FALSE(is_held_out(""));       // 0xcbf29ce484222325
  EXPECT_FALSE(is_held_out("a"));      // 0xaf63dc4c8601ec8c
  EXPECT_TRUE(is_held_out("c"));       // 0xaf63de4c8601eff2
  EXPECT_TRUE(is_held_out("foobar"));  // 0x85944171f73967e8
  EXPECT_FALSE(is_held_out("\xFE"));   // bytes are not signed: 0xaf64734c8602ed21
  std::size_t held_out = 0;
  for (int i = 0; i < 3000; ++i) held_out += is_held_out("sentence " + std::to_string(i)) ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(held_out), 1000, 100);
}

TEST(CarbDev, NamesTheFileThatIsNotThere) {
  const test::TempDir temp;
  EXPECT_ERROR(read_carb_dev(temp.path()), ErrorCode::kNotFound, "carb/dev/dev.txt");
  std::filesystem::create_directories(temp / "carb/dev");
  test::write_file(temp / "carb/dev/dev.txt", "Ada wrote it .\r\nIt ran .");
  EXPECT_ERROR(read_carb_dev(temp.path()), ErrorCode::kNotFound, "dev.tsv");
  test::write_file(temp / "carb/dev/dev.tsv", "Ada wrote it .\twrote\tAda\tit\n");
  const EvaluationSet set = read_carb_dev(temp.path());
  EXPECT_EQ(set.sentences, (std::vector<std::string>{"Ada wrote it .", "It ran ."}));
  EXPECT_EQ(set.gold.sentences.size(), 1u);
}

TEST_F(Scored, CountsExactTriples) {
  const Quality quality = score_results(sentences_, results_, gold_);
  EXPECT_DOUBLE_EQ(quality.strict_f1, 2.0 * 2 / (4 + 4));  // "Nobody" has no gold
  EXPECT_DOUBLE_EQ(quality.triples, 5.0 / 4);
  EXPECT_EQ(quality.holes, 0);
}

TEST_F(Scored, CutKeepsWhatReachesTheThreshold) {
  const auto kept = cut(results_, 0.5);
  EXPECT_EQ(kept[0].extractions.size(), 1u);
  EXPECT_EQ(kept[1].extractions.size(), 1u);
  EXPECT_EQ(kept[3].extractions.size(), 1u);
  EXPECT_EQ(cut(results_, 0)[0].extractions.size(), 2u);
}

TEST_F(Scored, BenchieOfTheOwnListAndOfTheLongOneAtItsBest) {
  std::filesystem::create_directories(temp_ / "benchie/scorer-check");
  EXPECT_FALSE(read_benchie_dev(temp_.path()));
  test::write_file(temp_ / "benchie/scorer-check/sentences.first60.txt",
                   "Ada wrote it .\nCleo sang .\n");
  test::write_file(temp_ / "benchie/scorer-check/benchie_gold_annotations_en.first60.txt",
                   "sent_id:1\tAda wrote it .\n1--> Cluster 1:\nAda --> wrote --> [it] it\n\n"
                   "sent_id:2\tCleo sang .\n2--> Cluster 1:\nCleo --> sang --> it\n");
  const auto set = read_benchie_dev(temp_.path());
  ASSERT_TRUE(set);
  const std::vector<std::string_view> sentences(set->sentences.begin(), set->sentences.end());
  const std::vector<SentenceResult> results = {results_[0], results_[2]};
  const BenchieFigures all = score_benchie(sentences, results, set->gold, 0);
  EXPECT_EQ(all.sentences, 2u);
  EXPECT_DOUBLE_EQ(all.f1, 0.5);  // one right, one wrong, one missed
  EXPECT_DOUBLE_EQ(all.best_f1, 2.0 / 3);
  EXPECT_DOUBLE_EQ(all.best_threshold, 0.15);
  EXPECT_DOUBLE_EQ(score_benchie(sentences, results, set->gold, 0.4).f1, 2.0 / 3);
  EXPECT_EQ(score_benchie(sentences, results, set->gold, 0.9).f1, 0);
}

}  // namespace
}  // namespace diffie
