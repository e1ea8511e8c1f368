// Counts on LSOIE-examples, where the data is at hand.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "diffie/lab/data.h"
#include "lab/data/csv.h"
#include "lab/data/word_forms.h"
#include "lab/score/sentence_key.h"

namespace diffie::data {
namespace {

const std::filesystem::path kDir = std::filesystem::path(DIFFIE_DATA_DIR) / "lsoie-examples";

class LsoieExamples : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kDir)) GTEST_SKIP() << "no LSOIE-examples here";
    rows_ = read_rows(kDir / "lsoie-g-1.0.tsv");
    rows_ = take_rows(rows_, read_row_order(kDir / "subset-order.txt", rows_.size()), 0);
  }
  std::vector<Row> rows_;
};

TEST_F(LsoieExamples, HasTheKnownSize) {
  EXPECT_EQ(rows_.size(), 4901u);
  std::size_t triples = 0, empty_objects = 0;
  for (const Row& row : rows_) {
    triples += row.triples.size();
    for (const Triple& triple : row.triples) empty_objects += triple.object.empty() ? 1 : 0;
  }
  EXPECT_EQ(triples, 26349u);
  EXPECT_EQ(empty_objects, 34u);
}

TEST_F(LsoieExamples, PaperAlignerKeepsWhatThePaperKept) {
  const std::vector<AlignCounts> expected = {{50, 267, 171},
                                             {250, 1313, 781},
                                             {1250, 6760, 4129},
                                             {2500, 13415, 8266},
                                             {4901, 26349, 16359}};
  const Aligner aligner({.aligner = AlignerKind::kPaper});
  for (const AlignCounts& want : expected) {
    const AlignCounts got = count_aligned(std::span(rows_).first(want.sentences), aligner);
    EXPECT_EQ(got.triplets, want.triplets);
    EXPECT_EQ(got.kept, want.kept);
  }
}

TEST_F(LsoieExamples, RecoverAlignerKeepsAtLeastTheGoal) {
  if (!WordForms::available()) GTEST_SKIP() << "built without word forms";
  EXPECT_GE(count_aligned(rows_, Aligner()).kept, 23500u);
}

// The judged sample says something about the aligner only while it gives the judged tags.
TEST_F(LsoieExamples, JudgedSampleIsStillTrue) {
  if (!WordForms::available()) GTEST_SKIP() << "built without word forms";
  std::ifstream file(DIFFIE_SOURCE_DIR "/tests/lab/data/judged_sample.tsv");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  TableReader reader(text, "judged_sample.tsv", Quoting::kNone);
  reader.next();
  std::map<std::size_t, const Row*> row_by_number;
  for (const Row& row : rows_) row_by_number[row.number] = &row;
  std::map<std::string, int> verdicts;
  const Aligner aligner;
  while (const auto cells = reader.next()) {
    ASSERT_EQ(cells->size(), 6u);
    const Row& row = *row_by_number.at(std::stoul((*cells)[0]));
    const auto found = aligner.align(row.sentence, row.triples.at(std::stoul((*cells)[1])));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->tags, (*cells)[2]) << "row " << row.number << ", triple " << (*cells)[1];
    ++verdicts[(*cells)[4]];
  }
  EXPECT_EQ(verdicts["right"] + verdicts["wrong"], 300);
  EXPECT_LE(verdicts["wrong"], 3);  // at most 1 %
}

TEST_F(LsoieExamples, RowInCarbDevIsExcluded) {
  std::ifstream file(std::filesystem::path(DIFFIE_DATA_DIR) / "carb/dev/dev.txt");
  std::set<std::string> dev;
  for (std::string line; std::getline(file, line);) dev.insert(score::sentence_key(line));
  std::vector<std::size_t> also_in_dev;
  for (const Row& row : rows_) {
    if (dev.contains(score::sentence_key(row.sentence))) also_in_dev.push_back(row.number);
  }
  EXPECT_EQ(also_in_dev, std::vector<std::size_t>{3534});
}

}  // namespace
}  // namespace diffie::data
