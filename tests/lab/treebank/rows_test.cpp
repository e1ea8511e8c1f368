#include <gtest/gtest.h>

#include "diffie/lab/data.h"
#include "diffie/lab/treebank.h"
#include "expect_error.h"
#include "small_tree.h"
#include "temp_dir.h"

namespace diffie::treebank {
namespace {

const char* const kMill = R"(
    The the DET 2 det
    mill mill NOUN 4 nsubj:pass
    was be AUX 4 aux:pass
    bought buy VERB 0 root
    by by ADP 6 case
    Tom Tom PROPN 4 obl:agent
    . . PUNCT 4 punct)";
const char* const kDoctor = R"(
    My my PRON 2 nmod:poss
    friend friend NOUN 3 nsubj
    thanked thank VERB 0 root
    Dr. Dr. PROPN 3 obj
    Lee Lee PROPN 4 flat)";

class TreebankRows : public testing::Test {
 protected:
  TreebankRows() {
    const std::string text = small_conllu(kMill) + small_conllu(kDoctor) + small_conllu(kMill) +
                             small_conllu("Thanks thanks NOUN 0 root");
    test::write_file(temp_ / "trees.conllu", text);
    options_.trees = {temp_ / "trees.conllu"};
  }

  test::TempDir temp_;
  Options options_;
};

TEST_F(TreebankRows, AreReadByDataBuildAndHoldEachSentenceOnce) {
  options_.sentences = temp_ / "text.txt";
  const Counts counts = write_rows(options_, temp_ / "rows.jsonl");
  EXPECT_EQ(counts.sentences, 4u);
  EXPECT_EQ(counts.other_lengths, 1u);
  EXPECT_EQ(counts.repeated, 1u);
  EXPECT_EQ(counts.rows, 2u);
  EXPECT_EQ(counts.triples[static_cast<std::size_t>(Rule::kPlain)], 2u);
  const auto rows = data::read_rows(temp_ / "rows.jsonl");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].sentence, "The mill was bought by Tom .");
  ASSERT_EQ(rows[0].triples.size(), 1u);
  EXPECT_EQ(rows[0].triples[0].relation, "was bought by");
  EXPECT_EQ(rows[1].triples[0].object, "Dr. Lee");
  EXPECT_EQ(test::read_file(temp_ / "text.txt"),
            "The mill was bought by Tom .\nMy friend thanked Dr. Lee\n");
}

TEST_F(TreebankRows, LeaveOutWhatIsExcludedAndOtherRules) {
  test::write_file(temp_ / "dev.txt", "The mill was bought by Tom.\n");
  options_.exclude = temp_ / "dev.txt";
  EXPECT_EQ(write_rows(options_, temp_ / "rows.jsonl").excluded_sentences, 2u);
  options_.rules = {Rule::kAppositions};
  EXPECT_EQ(write_rows(options_, temp_ / "rows.jsonl").rows, 0u);
  EXPECT_EQ(test::read_file(temp_ / "rows.jsonl"), "");
}

TEST_F(TreebankRows, ABrokenTreeIsNamed) {
  test::write_file(temp_ / "trees.conllu", "1\tNo\n");
  EXPECT_ERROR(write_rows(options_, temp_ / "rows.jsonl"), ErrorCode::kBadInput,
               "trees.conllu:1: 2 columns");
  EXPECT_FALSE(std::filesystem::exists(temp_ / "rows.jsonl"));
}

}  // namespace
}  // namespace diffie::treebank
