#include "lab/data/conllu.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "expect_error.h"

namespace diffie::data {
namespace {

constexpr const char* kTree =
    "# sent_id = a-1\n"
    "# text = Tom doesn't sing.\n"
    "1\tTom\tTom\tPROPN\tNNP\tNumber=Sing\t4\tnsubj\t4:nsubj|4.1:nsubj\t_\n"
    "2-3\tdoesn't\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "2\tdoes\tdo\tAUX\t_\t_\t4\taux\t4:aux\t_\n"
    "3\tn't\tnot\tPART\t_\t_\t4\tadvmod\t4:advmod\t_\n"
    "4\tsing\tsing\tVERB\t_\t_\t0\troot\t0:root\tSpaceAfter=No\n"
    "4.1\thum\thum\tVERB\t_\t_\t_\t_\t4:conj:or\t_\n"
    "5\t.\t.\tPUNCT\t_\t_\t4\tpunct\t4:punct\t_\n";

std::string one_word(const std::string& cells_after_form) {
  return "1\tYes" + cells_after_form + "\n";
}

TEST(Conllu, ReadsWordsWithTheirHeads) {
  const std::vector<TreeSentence> sentences = parse_conllu(kTree, "t");
  ASSERT_EQ(sentences.size(), 1u);
  const TreeSentence& tree = sentences[0];
  EXPECT_EQ(tree.id, "a-1");
  EXPECT_EQ(tree.text, "Tom doesn't sing.");
  ASSERT_EQ(tree.words.size(), 5u);
  EXPECT_EQ(tree.words[0].xpos, "NNP");
  EXPECT_EQ(tree.words[0].feats, "Number=Sing");
  EXPECT_EQ(tree.words[0].head, 4u);
  EXPECT_EQ(tree.words[3].head, 0u);
  EXPECT_EQ(tree.words[2].lemma, "not");
  EXPECT_EQ(tree.words[1].deprel, "aux");
}

TEST(Conllu, SpellsMultiwordTokensAsTheirWords) {
  EXPECT_EQ(parse_conllu(kTree, "t")[0].spelled(), "Tom does n't sing .");
}

TEST(Conllu, EnhancedHeadsMayBeEmptyNodes) {
  const TreeSentence tree = parse_conllu(kTree, "t")[0];
  ASSERT_EQ(tree.words[0].enhanced.size(), 2u);
  EXPECT_EQ(tree.words[0].enhanced[0].head, 4u);
  EXPECT_EQ(tree.words[0].enhanced[0].empty, 0u);
  EXPECT_EQ(tree.words[0].enhanced[1].empty, 1u);
  EXPECT_EQ(tree.words[0].enhanced[1].deprel, "nsubj");
}

TEST(Conllu, SentencesEndAtEmptyLinesAndTheEnd) {
  const std::string word = one_word("\t_\t_\t_\t_\t0\troot\t_\t_");
  const auto sentences = parse_conllu("\xEF\xBB\xBF" + word + "\n\n\r\n# note\n" + word, "t");
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_EQ(sentences[1].id, "");
  EXPECT_TRUE(sentences[1].words[0].enhanced.empty());
  EXPECT_TRUE(parse_conllu("", "t").empty());
}

void expect_refused(const std::string& text, const std::string& message) {
  EXPECT_ERROR(parse_conllu(text, "t"), ErrorCode::kBadInput, message);
}

TEST(Conllu, RefusesWhatIsNoTreeAndNamesTheLine) {
  expect_refused("1\tYes\n", "t:1: 2 columns, wanted 10");
  expect_refused(one_word("\t_\t_\t_\t_\t2\troot\t_\t_"), "t:1: head 2 of 1");
  expect_refused(one_word("\t_\t_\t_\t_\tx\troot\t_\t_"), "t:1: head 'x' is no number");
  expect_refused(one_word("\t_\t_\t_\t_\t1\troot\t_\t_"), "t:1: the heads run in a circle");
  expect_refused(one_word("\t_\t_\t_\t_\t0\troot\t3:a\t_"), "t:1: enhanced head 3.0");
  expect_refused(one_word("\t_\t_\t_\t_\t0\troot\t1.1:a\t_"), "t:1: enhanced head 1.1");
  expect_refused(one_word("\t_\t_\t_\t_\t0\troot\tnsubj\t_"), "t:1: enhanced head 'nsubj'");
  expect_refused(one_word(" no\t_\t_\t_\t_\t0\troot\t_\t_"), "t:1: the form 'Yes no'");
  expect_refused(one_word("\xFF\t_\t_\t_\t_\t0\troot\t_\t_"), "t:1: byte 6 is not UTF-8");
  expect_refused("# sent_id = 1\n\n", "t:2: a sentence without words");
}

TEST(Conllu, RefusesNumbersOutOfOrder) {
  const std::string word = one_word("\t_\t_\t_\t_\t0\troot\t_\t_");
  const std::string rest = "\t_\t_\t_\t_\t_\t_\t_\t_\n";
  expect_refused(word + word, "t:2: word '1', wanted 2");
  expect_refused(word + "2\tNo\t_\t_\t_\t_\t0\troot\t_\t_\n", "t:1: a sentence with 2 roots");
  expect_refused(word + "# late\n", "t:2: a comment after the first word");
  expect_refused("1-2\tYes" + rest + word, "t:2: 1 words, wanted 2");
  expect_refused("2-3\tYes" + rest, "t:1: words 2-3 where word 1 is next");
  expect_refused(word + "1.2\tNo" + rest, "t:2: empty node 1.2, wanted 1.1");
}

TEST(Conllu, ReadsTheTreebanks) {
  const auto folder = std::filesystem::path(DIFFIE_DATA_DIR) / "extra" / "ud";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no treebanks";
  EXPECT_EQ(read_conllu(folder / "ewt.conllu").size(), 15223u);
  EXPECT_EQ(read_conllu(folder / "pud.conllu").size(), 1000u);
}

}  // namespace
}  // namespace diffie::data
