#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include "diffie/lab/data.h"
#include "diffie/lab/tag_pool.h"
#include "expect_error.h"
#include "lab/data/training_file.h"
#include "temp_dir.h"

namespace diffie::data {
namespace {

namespace fs = std::filesystem;

class DistilTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(dir_);
    std::ofstream(dir_ / "vocab.txt")
        << "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\nsaw\ndog\n##s\n.\na\n(\n)\n";
    options_.vocab = dir_ / "vocab.txt";
    options_.draws = 4;
  }

  fs::path write_pools(const std::string& name, const std::vector<TagPool>& pools) {
    std::string text;
    for (const TagPool& pool : pools) append_tag_pool(text, pool);
    return write_text(name, text);
  }

  fs::path write_text(const std::string& name, const std::string& text) {
    std::ofstream(dir_ / name, std::ios::binary) << text;
    return dir_ / name;
  }

  TrainingSet distil(std::vector<fs::path> pools) {
    options_.pools = std::move(pools);
    counts_ = distil_training_file(options_, out_);
    return read_training_file(out_);
  }
  TrainingSet distil(const std::vector<TagPool>& pools) {
    return distil({write_pools("pools.jsonl", pools)});
  }

  // The same pool from a model with two implied words, of which none is used.
  static TagPool with_implied(TagPool pool) {
    pool.words.insert(pool.words.end(), {"is", "of"});
    pool.num_implied = 2;
    for (TagCount& entry : pool.tags) entry.tags += "BB";
    return pool;
  }

  // A training file of one sentence, made by `data build`.
  fs::path build_gold(bool implied = false) {
    BuildOptions build;
    if (implied) build.align.implied = {"is", "of"};
    build.vocab = options_.vocab;
    build.source = write_text("gold.tsv", "x");
    const std::vector<Row> rows = {{7, "the cats -LRB- saw a dog -RRB-", {{"cats", "saw", "dog"}}}};
    build_training_file(rows, build, dir_ / "gold.safetensors");
    return dir_ / "gold.safetensors";
  }

  fs::path dir_ = fs::path(testing::TempDir()) / "distil_test";
  fs::path out_ = dir_ / "out.safetensors";
  DistilOptions options_;
  DistilCounts counts_;
};

const TagPool kPool = {"the cats saw a dog .",
                       {"the", "cats", "saw", "a", "dog", "."},
                       {{"SSROOB", 3}, {"BSROOB", 1}}};

TEST_F(DistilTest, GivesEveryPieceTheTagOfItsWord) {
  const TrainingSet set = distil(std::vector<TagPool>{kPool});
  EXPECT_EQ(set.piece_ids, (std::vector<std::int32_t>{5, 6, 9, 7, 11, 8, 10}));
  EXPECT_EQ(set.word_of_piece, (std::vector<std::int32_t>{0, 1, 1, 2, 3, 4, 5}));
  EXPECT_EQ(set.instance_sentence, (std::vector<std::int32_t>{0, 0}));
  EXPECT_EQ(set.tags, (std::vector<std::uint8_t>{1, 1, 1, 2, 3, 3, 0, 0, 1, 1, 2, 3, 3, 0}));
  EXPECT_EQ(set.instance_weight, (std::vector<float>{3, 1}));  // 4 draws of 4 samples
  EXPECT_EQ(set.metadata.at("source"), "pools.jsonl");
  EXPECT_EQ(counts_.samples, 4u);
  EXPECT_EQ(counts_.kept_samples, 4u);
}

// The same sentence and tags give the same tensors whether gold or drawn.
TEST_F(DistilTest, TokenizesAsBuildDoes) {
  const TrainingSet gold = read_training_file(build_gold());
  const TrainingSet drawn =
      distil({{"", {"the", "cats", "-LRB-", "saw", "a", "dog", "-RRB-"}, {{"BSBRBOB", 5}}}});
  EXPECT_EQ(drawn.piece_ids, gold.piece_ids);
  EXPECT_EQ(drawn.piece_ids[3], 12);  // -LRB- is ( for the encoder
  EXPECT_EQ(drawn.word_of_piece, gold.word_of_piece);
  EXPECT_EQ(drawn.tags, gold.tags);
  EXPECT_EQ(drawn.instance_weight, (std::vector<float>{4}));
}

TEST_F(DistilTest, DrawsAmongFrequentCompleteSequencesOnly) {
  TagPool pool = kPool;
  pool.tags = {{"BBBBBB", 50}, {"SSRBBB", 40}, {"BBROOB", 30}, {"SSBOOB", 20}};
  distil(std::vector<TagPool>{pool});
  EXPECT_EQ(counts_.empty_sentences, 1u);
  EXPECT_EQ(counts_.instances, 0u);

  pool.tags.insert(pool.tags.end(), {{"SSROOB", 6}, {"BSROOB", 5}, {"SSRBOB", 2}});
  options_.draws = 130;
  EXPECT_EQ(distil(std::vector<TagPool>{pool}).instance_weight, (std::vector<float>{60, 50, 20}));
  EXPECT_EQ(counts_.samples, 153u);
  EXPECT_EQ(counts_.kept_samples, 13u);
  options_.min_count = 3;
  options_.draws = 11;
  EXPECT_EQ(distil(std::vector<TagPool>{pool}).instance_weight, (std::vector<float>{6, 5}));
  options_.max_per_sentence = 1;
  options_.weight = 0.5f;
  EXPECT_EQ(distil(std::vector<TagPool>{pool}).instance_weight, (std::vector<float>{5.5f}));
}

// Without drawing, what has no triple counts in the shares and is not taken.
TEST_F(DistilTest, TakesEverySequenceWithItsShareWhereNothingIsDrawn) {
  TagPool pool = kPool;
  pool.tags = {{"BBBBBB", 8}, {"SSROOB", 4}, {"BSROOB", 3}, {"SSRBOB", 1}};
  options_.draws = 0;
  options_.weight = 4;
  EXPECT_EQ(distil(std::vector<TagPool>{pool}).instance_weight,
            (std::vector<float>{1, 0.75f, 0.25f}));
  EXPECT_EQ(counts_.samples, 16u);
  EXPECT_EQ(counts_.kept_samples, 8u);
  const std::string bytes = test::read_file(out_);
  options_.max_per_sentence = 2;
  EXPECT_EQ(distil(std::vector<TagPool>{pool}).instance_weight, (std::vector<float>{1, 0.75f}));
  options_.max_per_sentence = 24;
  // Nothing random is in it but the seed that the file names.
  options_.seed = 2;
  const TrainingSet other = distil(std::vector<TagPool>{pool});
  EXPECT_EQ(other.instance_weight, (std::vector<float>{1, 0.75f, 0.25f}));
  options_.seed = 1;
  distil(std::vector<TagPool>{pool});
  EXPECT_EQ(test::read_file(out_), bytes);
}

// Case and punctuation do not count; every other word of a slot does.
TEST_F(DistilTest, JudgesByTheGoldOfTheSentence) {
  options_.draws = 0;
  options_.gold =
      write_text("gold.jsonl", R"({"sentence": "the cats saw a dog.", "triples": [)"
                               R"({"subject": "The cats", "relation": "saw", "object": "a dog"},)"
                               R"({"subject": "a dog", "relation": "saw", "object": "cats"}]})");
  TagPool pool = kPool;
  pool.tags = {{"SSROOB", 4}, {"BSROOB", 3}, {"BBSORB", 2}, {"BOBBRS", 1}};
  const TrainingSet set = distil(std::vector<TagPool>{pool});
  ASSERT_EQ(set.num_instances(), 4u);
  ASSERT_EQ(set.instance_judgement.size(), 8u);
  const auto exact = [&](std::size_t i) { return set.instance_judgement[2 * i]; };
  const auto lenient = [&](std::size_t i) { return set.instance_judgement[2 * i + 1]; };
  EXPECT_EQ(exact(0), 1);
  EXPECT_EQ(lenient(0), 1);
  EXPECT_EQ(exact(1), 0);
  EXPECT_GT(lenient(1), 0.7);  // a word of six is missing
  EXPECT_LT(lenient(1), 1);
  EXPECT_EQ(exact(2), 0);
  EXPECT_LT(lenient(2), lenient(1));
  EXPECT_EQ(exact(3), 0);
  EXPECT_EQ(set.metadata.count("gold_sha256"), 1u);
}

TEST_F(DistilTest, LeavesOutSentencesWithoutGoldAndKnowsNothingOfWhatStandsInFront) {
  options_.gold =
      write_text("gold.jsonl", R"({"sentence": "the cats saw a dog .", "triples": []})");
  options_.add = build_gold();
  options_.draws = 0;
  TagPool other = kPool;
  other.sentence = "the cats saw a cat .";
  other.words[4] = "cat";
  const TrainingSet set = distil({kPool, other});
  EXPECT_EQ(counts_.unmatched, 1u);
  EXPECT_EQ(set.num_sentences(), 2u);
  // One in front, two that equal nothing because there is nothing.
  EXPECT_EQ(set.instance_judgement, (std::vector<float>{-1, -1, 0, 0, 0, 0}));
  options_.gold = dir_ / "absent.jsonl";
  EXPECT_ERROR(distil(std::vector<TagPool>{kPool}), ErrorCode::kNotFound, "absent.jsonl");
}

// The pool's first sentence, and with one more full stop each time.
std::vector<TagPool> longer_and_longer(TagPool pool, std::size_t size) {
  std::vector<TagPool> pools = {pool};
  while (pools.size() < size) {
    pool.words.push_back(".");
    for (TagCount& entry : pool.tags) entry.tags += 'B';
    pools.push_back(pool);
  }
  return pools;
}

TEST_F(DistilTest, DrawsInProportionToTheCounts) {
  TagPool pool = kPool;
  pool.tags = {{"SSROOB", 57}, {"BSROOB", 30}, {"SSRBOB", 10}, {"BSRBOB", 3}};
  constexpr std::size_t kSentences = 240;
  const TrainingSet set = distil(longer_and_longer(pool, kSentences));
  std::map<std::vector<std::uint8_t>, double> mean;
  std::vector<float> total(kSentences);
  for (std::size_t i = 0; i < set.num_instances(); ++i) {
    const std::span<const std::uint8_t> tags = set.instance_tags(i).first(6);
    mean[{tags.begin(), tags.end()}] += double{set.instance_weight[i]} / kSentences;
    total[static_cast<std::size_t>(set.instance_sentence[i])] += set.instance_weight[i];
  }
  EXPECT_EQ(total, std::vector<float>(kSentences, 4));
  ASSERT_EQ(mean.size(), 4u);
  // Each number drawn is one of two neighbours: the standard error of their mean is below 0.033.
  EXPECT_NEAR((mean[{1, 1, 1, 2, 3, 3}]), 2.28, 0.13);
  EXPECT_NEAR((mean[{0, 1, 1, 2, 3, 3}]), 1.2, 0.13);
  EXPECT_NEAR((mean[{1, 1, 1, 2, 0, 3}]), 0.4, 0.13);
  EXPECT_NEAR((mean[{0, 1, 1, 2, 0, 3}]), 0.12, 0.1);
}

TEST_F(DistilTest, WritesTheSameBytesAgainAndOthersForAnotherSeed) {
  TagPool pool = kPool;
  pool.tags = {{"SSROOB", 1}, {"BSROOB", 1}, {"SSRBOB", 1}, {"BSRBOB", 1}};
  options_.draws = 1;
  const std::vector<TagPool> pools = longer_and_longer(pool, 30);
  const TrainingSet set = distil(pools);
  const std::string first = test::read_file(out_);
  distil(pools);
  EXPECT_EQ(test::read_file(out_), first);
  options_.seed = 2;
  EXPECT_NE(distil(pools).tags, set.tags);
  // What is drawn for a sentence does not depend on the others.
  options_.seed = 1;
  const TrainingSet last = distil(std::vector<TagPool>{pools.back()});
  EXPECT_TRUE(std::ranges::equal(last.instance_tags(0), set.instance_tags(29)));
}

TEST_F(DistilTest, PoolsOfOneSentenceShareIt) {
  TagPool other = kPool;
  other.tags = {{"BSRBOB", 9}};
  const TrainingSet set =
      distil({write_pools("a.jsonl", {kPool}), write_pools("b.jsonl", {other})});
  EXPECT_EQ(set.num_sentences(), 1u);
  EXPECT_EQ(set.instance_weight, (std::vector<float>{3, 1, 4}));
  EXPECT_EQ(counts_.sentences, 2u);
  EXPECT_EQ(counts_.kept_sentences, 1u);
  EXPECT_EQ(set.metadata.at("source"), "a.jsonl b.jsonl");
}

TEST_F(DistilTest, PutsAnotherTrainingFileInFront) {
  options_.add = build_gold();
  const TrainingSet gold = read_training_file(options_.add);
  const TrainingSet set = distil(std::vector<TagPool>{kPool});
  EXPECT_EQ(set.num_sentences(), 2u);
  EXPECT_EQ(set.instance_sentence, (std::vector<std::int32_t>{0, 1, 1}));
  EXPECT_EQ(set.instance_weight, (std::vector<float>{1, 3, 1}));
  EXPECT_TRUE(std::ranges::equal(set.instance_tags(0), gold.tags));
  EXPECT_TRUE(std::ranges::equal(set.pieces(0), gold.piece_ids));
  EXPECT_EQ(set.pieces(1)[0], 5);
  EXPECT_EQ(set.sentence_row, (std::vector<std::int32_t>{7, 0}));
  EXPECT_EQ(counts_.added_sentences, 1u);
  EXPECT_EQ(counts_.added_instances, 1u);
  EXPECT_EQ(counts_.kept_sentences, 1u);
  EXPECT_EQ(counts_.instances, 2u);
  EXPECT_EQ(set.metadata.count("added_sha256"), 1u);
  // A file may be made longer in its own place.
  options_.add = out_;
  EXPECT_EQ(distil(std::vector<TagPool>{kPool}).num_instances(), 5u);
}

TEST_F(DistilTest, RefusesAnotherVocabularyOrPseudoWordsInFront) {
  options_.add = build_gold(/*implied=*/true);
  EXPECT_ERROR(distil(std::vector<TagPool>{kPool}), ErrorCode::kInvalidArgument, "pseudo-words");
  EXPECT_EQ(distil(std::vector<TagPool>{with_implied(kPool)}).metadata.at("implied_words"),
            "is of");
  options_.add = build_gold();
  options_.vocab = write_text("other.txt", test::read_file(options_.vocab) + "mouse\n");
  EXPECT_ERROR(distil(std::vector<TagPool>{kPool}), ErrorCode::kInvalidArgument,
               "gold.safetensors: made with the vocabulary");
  TrainingSet unknown = read_training_file(options_.add);
  unknown.metadata.clear();
  write_training_file(options_.add, unknown);
  EXPECT_ERROR(distil(std::vector<TagPool>{kPool}), ErrorCode::kInvalidArgument, "(unknown)");
  options_.add = write_text("bad.safetensors", "nothing of the kind");
  EXPECT_ERROR(distil(std::vector<TagPool>{kPool}), ErrorCode::kCorruptModel, "bad.safetensors");
}

// By the sentence as by the words: what counts is that the words are not trained on.
TEST_F(DistilTest, LeavesOutSentencesOfTheExcludeFileWithImpliedWordsToo) {
  options_.exclude = write_text("dev.txt", "the cats saw a dog\n");
  TagPool other = with_implied(kPool);
  other.sentence = "Another.";
  distil({other});
  EXPECT_EQ(counts_.excluded_sentences, 1u);
}

TEST_F(DistilTest, RefusesPoolsOfOtherImpliedWords) {
  EXPECT_ERROR(distil({with_implied(kPool), kPool}), ErrorCode::kInvalidArgument, "pseudo-words");
}

TEST_F(DistilTest, LeavesOutSentencesOfTheExcludeFile) {
  options_.exclude = write_text("dev.txt", "the cats saw a dog\nanother one\n");
  TagPool other = kPool;
  other.words[4] = "cat";
  other.sentence = "Another.";
  TagPool named = other;
  named.sentence = "another one";
  EXPECT_EQ(distil({kPool, other, named}).num_sentences(), 1u);
  EXPECT_EQ(counts_.excluded_sentences, 2u);
  TagPool disguised = kPool;
  disguised.sentence = "something else";
  distil(std::vector<TagPool>{disguised});
  EXPECT_EQ(counts_.excluded_sentences, 1u);
  options_.exclude = dir_ / "absent.txt";
  EXPECT_ERROR(distil(std::vector<TagPool>{kPool}), ErrorCode::kNotFound, "absent.txt");
}

TEST_F(DistilTest, LeavesOutWhatTheTokenizerWouldCutOtherwise) {
  const std::vector<TagPool> pools = {
      {"", {"the cat", "saw", "dogs"}, {{"SRO", 1}}},          // a blank in a word
      {"", {"the\u00a0cat", "saw", "dog"}, {{"SRO", 1}}},      // beyond ASCII too
      {"", {"cat", "", "saw", "dog"}, {{"SBRO", 1}}},          // no word
      {"", {"a cat", "saw", "dog", ""}, {{"SROB", 1}}},        // as many words, but others
      {"", {}, {}},                                            // nothing at all
      {"", {"cat\u0001", "\u200b", "x\u0301"}, {{"SRO", 1}}},  // odd, but words
      {"", {"", "", ""}, {{"SRO", 1}}}};
  const TrainingSet set = distil(pools);
  EXPECT_EQ(counts_.unmatched, 4u);
  EXPECT_EQ(counts_.long_sentences, 2u);
  ASSERT_EQ(set.num_sentences(), 1u);
  EXPECT_EQ(set.piece_ids, (std::vector<std::int32_t>{6, 1, 1}));
}

TEST_F(DistilTest, KeepsSentencesOfUpTo254Pieces) {
  TagPool pool = {"", {"cat", "saw", "dogs"}, {{"SRO", 1}}};  // 4 pieces
  for (int i = 0; i < 250; ++i) pool.words.push_back(".");
  pool.tags[0].tags += std::string(250, 'B');
  TagPool longer = pool;
  longer.words.push_back(".");
  longer.tags[0].tags += 'B';
  EXPECT_EQ(distil({longer, pool}).sentence_row, (std::vector<std::int32_t>{1}));
  EXPECT_EQ(counts_.long_sentences, 1u);
}

TEST_F(DistilTest, SurvivesTheLargestCounts) {
  TagPool pool = kPool;
  pool.tags = {{"SSROOB", 999'999}, {"BSROOB", 1}};
  options_.draws = 1'000'000;
  options_.weight = 1e6f;
  EXPECT_EQ(distil(std::vector<TagPool>{pool}).instance_weight,
            (std::vector<float>{1e6f * 999'999.0f, 1e6f}));
}

TEST_F(DistilTest, RefusesBrokenPoolsByFileAndLineAndWritesNothing) {
  const std::string good = R"({"sentence": "", "words": ["a"], "pool": []})";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"words": ["a"], "pool": []})", "no 'sentence'"},
      {R"({"sentence": "a", "pool": []})", "no 'words'"},
      {R"({"sentence": "a", "words": ["a"]})", "no 'pool'"},
      {R"({"sentence": "a", "words": [1], "pool": []})", "'words'"},
      {R"({"sentence": "a", "words": ["a"], "pool": [["SR", 1]]})", "2 tags for 1 words"},
      {R"({"sentence": "a", "words": ["a"], "pool": [["X", 1]]})", "none of B, S, R, O"},
      {R"({"sentence": "a", "words": ["a"], "pool": [["S", 0]]})", "a count"},
      {R"({"sentence": "a", "words": ["a"], "pool": [["S", -1]]})", "a count"},
      {R"({"sentence": "a", "words": ["a"], "pool": [["S", 16777217]]})", "a count"},
      {R"({"sentence": "a", "words": ["a"], "pool": [["S", 1], ["S", 2]]})", "twice"},
      {R"({"sentence": "a", "words": ["a"], "pool": [["S", 9000000], ["R", 9000000]]})", "samples"},
      {R"({"sentence": "a", "words": [")"
       "\xff"
       R"("], "pool": []})",
       "bad.jsonl"},
      {std::string(5000, '['), "bad.jsonl"},
      {"[]", "no JSON object"},
      {"garbage", "bad.jsonl"}};
  fs::remove(out_);
  for (const auto& [line, message] : cases) {
    SCOPED_TRACE(message);
    const fs::path path = write_text("bad.jsonl", good + "\n\n" + line);
    EXPECT_ERROR(distil({path}), ErrorCode::kBadInput, message);
    EXPECT_ERROR(distil({path}), ErrorCode::kBadInput, "bad.jsonl: line 3");
  }
  EXPECT_ERROR(distil({dir_ / "absent.jsonl"}), ErrorCode::kNotFound, "absent.jsonl");
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(DistilTest, RefusesImpossibleOptions) {
  const DistilOptions good = options_;
  EXPECT_ERROR(distil(std::vector<fs::path>{}), ErrorCode::kInvalidArgument, "no pools");
  options_.draws = 1'000'001;
  EXPECT_ERROR(distil(std::vector<TagPool>{kPool}), ErrorCode::kInvalidArgument, "draws is");
  options_ = good;
  options_.max_per_sentence = 0;
  EXPECT_ERROR(distil(std::vector<TagPool>{kPool}), ErrorCode::kInvalidArgument,
               "max_per_sentence is 0");
  options_ = good;
  for (const float weight : {0.0f, -1.0f, 2e6f, std::nanf("")}) {
    options_.weight = weight;
    EXPECT_ERROR(distil(std::vector<TagPool>{kPool}), ErrorCode::kInvalidArgument, "weight is");
  }
}

}  // namespace
}  // namespace diffie::data
