// Counts on LSOIE-examples, where the data is at hand.
#include <gtest/gtest.h>

#include "diffie/data.h"

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

}  // namespace
}  // namespace diffie::data
