#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "diffie/lab/data.h"
#include "expect_error.h"
#include "lab/data/training_file.h"
#include "lab/score/sentence_key.h"
#include "temp_dir.h"

namespace diffie::data {
namespace {

namespace fs = std::filesystem;

class BuildTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(dir_);
    std::ofstream(dir_ / "vocab.txt")
        << "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\nsaw\ndog\n##s\n"
           ".\na\n(\n)\nis\n";
    std::ofstream(dir_ / "source.tsv") << "x";
    options_.vocab = dir_ / "vocab.txt";
    options_.source = dir_ / "source.tsv";
  }

  TrainingSet build(std::span<const Row> rows) {
    counts_ = build_training_file(rows, options_, out_);
    return read_training_file(out_);
  }

  fs::path dir_ = fs::path(testing::TempDir()) / "build_test";
  fs::path out_ = dir_ / "out.safetensors";
  BuildOptions options_;
  BuildCounts counts_;
};

const std::vector<Row> kRows = {
    {4, "the cat saw dogs .", {{"the cat", "saw", "dogs"}, {"cat", "saw", "dogs"}}},
    {9, "a dog -LRB- saw a cat -RRB- .", {{"a dog", "saw", "a cat"}, {"dog", "ate", "cat"}}},
    {2, "the cat saw dogs .", {{"The Cat", "saw", "dogs"}}},
};

TEST_F(BuildTest, TagsEveryPieceAndMergesRepeatedSentences) {
  const TrainingSet set = build(kRows);
  EXPECT_EQ(set.sentence_row, (std::vector<std::int32_t>{4, 9}));
  EXPECT_EQ(set.sentence_offsets, (std::vector<std::int32_t>{0, 6, 14}));
  EXPECT_EQ(set.word_of_piece,
            (std::vector<std::int32_t>{0, 1, 2, 3, 3, 4, 0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(set.piece_ids[8], 12);  // -LRB- is ( for the encoder
  EXPECT_EQ(set.instance_sentence, (std::vector<std::int32_t>{0, 0, 1}));
  EXPECT_EQ(set.tags, (std::vector<std::uint8_t>{1, 1, 2, 3, 3, 0, 0, 1, 2, 3,
                                                 3, 0, 1, 1, 0, 2, 3, 3, 0, 0}));
  EXPECT_EQ(counts_.aligned, 4u);
  EXPECT_EQ(counts_.duplicates, 1u);
  EXPECT_EQ(counts_.instances, 3u);
  options_.keep_duplicates = true;
  EXPECT_EQ(build(kRows).instance_sentence, (std::vector<std::int32_t>{0, 0, 1, 0}));
}

TEST_F(BuildTest, WritesTheSameBytesAgain) {
  build(kRows);
  const std::string first = test::read_file(out_);
  build(kRows);
  EXPECT_EQ(test::read_file(out_), first);
  EXPECT_EQ(read_training_file(out_).metadata.at("source_sha256"),
            "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881");
}

TEST_F(BuildTest, LeavesOutSentencesOfTheExcludeFile) {
  options_.exclude = dir_ / "dev.txt";
  std::ofstream(options_.exclude) << "\nA dog saw a cat.\na dog (saw a cat).\n";
  EXPECT_EQ(build(kRows).sentence_row, (std::vector<std::int32_t>{4}));
  EXPECT_EQ(counts_.excluded_sentences, 1u);
  options_.exclude = dir_ / "absent.txt";
  EXPECT_ERROR(build(kRows), ErrorCode::kNotFound, "absent.txt");
}

TEST_F(BuildTest, WritesTheSentencesOfAFoldEvenWithoutInstances) {
  const std::vector<Row> rows = {{0, "the cat saw dogs", {{"the cat", "saw", "dogs"}}},
                                 {1, "dogs saw the cat", {{"nobody", "was", "there"}}}};
  options_.sentences = dir_ / "sentences.txt";
  std::multiset<std::string> lines;
  options_.folds = 2;
  options_.held_out = true;
  for (options_.fold = 0; options_.fold < 2; ++options_.fold) {
    build(rows);
    std::ifstream file(options_.sentences);
    for (std::string line; std::getline(file, line);) lines.insert(line);
  }
  EXPECT_EQ(lines, (std::multiset<std::string>{"dogs saw the cat", "the cat saw dogs"}));
}

TEST_F(BuildTest, FoldsPartTheSentences) {
  std::vector<Row> rows;
  std::string sentence = "the cat saw dogs";
  for (std::size_t i = 0; i < 60; ++i) {
    sentence += " a";
    rows.push_back({i, sentence, {{"the cat", "saw", "dogs"}}});
  }
  options_.folds = 3;
  std::multiset<std::int32_t> held_out;
  for (options_.fold = 0; options_.fold < 3; ++options_.fold) {
    options_.held_out = false;
    const std::size_t rest = build(rows).num_sentences();
    options_.held_out = true;
    const TrainingSet fold = build(rows);
    EXPECT_EQ(rest + fold.num_sentences(), 60u);
    EXPECT_GT(fold.num_sentences(), 5u);
    held_out.insert(fold.sentence_row.begin(), fold.sentence_row.end());
  }
  EXPECT_EQ(held_out.size(), 60u);
  EXPECT_EQ(std::set<std::int32_t>(held_out.begin(), held_out.end()).size(), 60u);
  options_.fold = 0;
  const std::vector<std::int32_t> seed_1 = build(rows).sentence_row;
  options_.seed = 2;
  EXPECT_NE(build(rows).sentence_row, seed_1);
}

TEST_F(BuildTest, DropsLongSentencesAndWeighsRelaxations) {
  std::string longest = "the cat saw dogs";  // 5 pieces
  for (int i = 0; i < 249; ++i) longest += " .";
  options_.weights[2] = 0.25f;  // gaps
  const std::vector<Row> rows = {{0, longest, {{"the cat", "saw", "dogs"}}},
                                 {1, longest + " .", {{"the cat", "saw", "dogs"}}},
                                 {2, "the a cat saw dogs", {{"the cat", "saw", "dogs"}}}};
  const TrainingSet set = build(rows);
  EXPECT_EQ(set.sentence_row, (std::vector<std::int32_t>{0, 2}));
  EXPECT_EQ(counts_.long_sentences, 1u);
  EXPECT_EQ(set.instance_weight, (std::vector<float>{1, 0.25f}));
  EXPECT_EQ(set.instance_category, (std::vector<std::uint8_t>{0, 4}));
}

TEST_F(BuildTest, AppendsImpliedWords) {
  options_.align.implied = implied_words();
  const TrainingSet set =
      build(std::vector<Row>{{0, "the cat , a dog", {{"the cat", "is", "a dog"}}}});
  ASSERT_EQ(set.num_instances(), 1u);
  EXPECT_EQ(set.piece_ids[5], 14);
  EXPECT_EQ(set.tags[5], 2);
  EXPECT_EQ(set.word_of_piece.back(), static_cast<std::int32_t>(4 + implied_words().size()));
}

TEST_F(BuildTest, RefusesImpossibleOptions) {
  options_.folds = 1;
  EXPECT_ERROR(build(kRows), ErrorCode::kInvalidArgument, "folds is 1");
  options_.folds = 3;
  options_.fold = 3;
  EXPECT_ERROR(build(kRows), ErrorCode::kInvalidArgument, "fold is 3");
  options_ = {};
  options_.held_out = true;
  EXPECT_ERROR(build(kRows), ErrorCode::kInvalidArgument, "without folds");
  options_ = {};
  options_.weights[0] = -1;
  EXPECT_ERROR(build(kRows), ErrorCode::kInvalidArgument, "weight -1");
}

TEST(SentenceIdentity, IgnoresBlanksBracketsAndPunctuation) {
  EXPECT_EQ(score::sentence_key("A -LRB- b -RRB- 's `` c '' ."),
            score::sentence_key("A (b)'s \"c\"."));
  EXPECT_NE(score::sentence_key("A b"), score::sentence_key("a b"));
  EXPECT_EQ(score::sentence_key("a\tb é"), "a\tbé");
}

}  // namespace
}  // namespace diffie::data
