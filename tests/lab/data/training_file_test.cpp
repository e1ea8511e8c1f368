#include "lab/data/training_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "expect_error.h"
#include "lab/models/safetensors_write.h"
#include "model_dir/safetensors.h"

namespace diffie::data {
namespace {

namespace fs = std::filesystem;

// Two sentences of 3 and 2 pieces, three instances.
TrainingSet small_set() {
  TrainingSet set;
  set.piece_ids = {10, 11, 12, 20, 21};
  set.word_of_piece = {0, 0, 1, 0, 1};
  set.sentence_offsets = {0, 3, 5};
  set.sentence_row = {7, 3};
  set.instance_sentence = {0, 1, 1};
  set.instance_offsets = {0, 3, 5, 7};
  set.tags = {1, 1, 2, 1, 3, 0, 2};
  set.instance_weight = {1, 0.5, 0};
  set.instance_category = {0, 4, 255};
  set.metadata["source"] = "a.tsv";
  return set;
}

const fs::path kPath = fs::path(testing::TempDir()) / "training_file_test.safetensors";

TEST(TrainingFile, ReadsWhatItWrote) {
  write_training_file(kPath, small_set());
  const TrainingSet set = read_training_file(kPath);
  EXPECT_EQ(set.piece_ids, small_set().piece_ids);
  EXPECT_EQ(set.tags, small_set().tags);
  EXPECT_EQ(set.instance_weight, small_set().instance_weight);
  EXPECT_EQ(set.instance_category, small_set().instance_category);
  EXPECT_EQ(set.sentence_row, small_set().sentence_row);
  EXPECT_EQ(set.metadata.at("source"), "a.tsv");
  EXPECT_EQ(set.metadata.at("format"), "diffie-training");
  EXPECT_EQ(set.pieces(1)[0], 20);
  EXPECT_EQ(set.instance_tags(1)[1], 3);
}

TEST(TrainingFile, HoldsNoInstanceAtAll) {
  TrainingSet set;
  set.sentence_offsets = {0};
  set.instance_offsets = {0};
  write_training_file(kPath, set);
  EXPECT_EQ(read_training_file(kPath).num_instances(), 0u);
}

TEST(TrainingFile, HoldsJudgementsOrNone) {
  TrainingSet set = small_set();
  write_training_file(kPath, set);
  EXPECT_TRUE(read_training_file(kPath).instance_judgement.empty());
  set.instance_judgement = {1, 0.5, -1, -1, 0, 0};
  write_training_file(kPath, set);
  EXPECT_EQ(read_training_file(kPath).instance_judgement, set.instance_judgement);
}

TEST(TrainingFile, AppendsAnotherBehindIt) {
  TrainingSet set = small_set();
  TrainingSet more = small_set();
  more.piece_ids = {30, 31, 32, 40, 41};
  more.instance_weight = {2, 3, 4};
  more.metadata["source"] = "b.tsv";
  append(set, more);
  EXPECT_NO_THROW(validate(set, "both"));
  ASSERT_EQ(set.num_sentences(), 4u);
  ASSERT_EQ(set.num_instances(), 6u);
  EXPECT_EQ(set.pieces(1)[0], 20);
  EXPECT_EQ(set.pieces(3)[1], 41);
  EXPECT_EQ(set.instance_sentence, (std::vector<std::int32_t>{0, 1, 1, 2, 3, 3}));
  EXPECT_EQ(set.instance_weight, (std::vector<float>{1, 0.5, 0, 2, 3, 4}));
  EXPECT_EQ(set.instance_category, (std::vector<std::uint8_t>{0, 4, 255, 0, 4, 255}));
  EXPECT_EQ(set.sentence_row, (std::vector<std::int32_t>{7, 3, 7, 3}));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(std::ranges::equal(set.instance_tags(i + 3), more.instance_tags(i))) << i;
  }
  EXPECT_TRUE(set.instance_judgement.empty());
  EXPECT_EQ(set.metadata.at("source"), "a.tsv");
}

TEST(TrainingFile, AppendsWhatIsJudgedToWhatIsNotAndTheOtherWayRound) {
  const std::vector<float> known = {1, 0.5, 0, 0, 0.25, 1};
  const std::vector<float> unknown(6, -1);
  TrainingSet judged = small_set(), plain = small_set();
  judged.instance_judgement = known;
  TrainingSet set = judged;
  append(set, plain);
  EXPECT_TRUE(std::ranges::equal(std::span(set.instance_judgement).first(6), known));
  EXPECT_TRUE(std::ranges::equal(std::span(set.instance_judgement).last(6), unknown));
  EXPECT_NO_THROW(validate(set, "both"));
  append(plain, judged);
  EXPECT_TRUE(std::ranges::equal(std::span(plain.instance_judgement).first(6), unknown));
  EXPECT_TRUE(std::ranges::equal(std::span(plain.instance_judgement).last(6), known));
  EXPECT_NO_THROW(validate(plain, "both"));
}

TEST(TrainingFile, AppendsNothingOfOtherWords) {
  for (const char* key : {"implied_words", "vocab_sha256"}) {
    TrainingSet set = small_set(), more = small_set();
    more.metadata[key] = "other";
    EXPECT_ERROR(append(set, more), ErrorCode::kInvalidArgument, key);
    EXPECT_EQ(set.num_instances(), 3u);
    set.metadata[key] = "other";
    EXPECT_NO_THROW(append(set, more));
  }
}

struct Breakage {
  const char* message;
  void (*damage)(TrainingSet&);
};

class BrokenTrainingFile : public testing::TestWithParam<Breakage> {};

TEST_P(BrokenTrainingFile, IsRefused) {
  TrainingSet set = small_set();
  GetParam().damage(set);
  EXPECT_ERROR(validate(set, "t"), ErrorCode::kBadInput, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    EveryRule, BrokenTrainingFile,
    testing::Values(
        Breakage{"'sentence_offsets' has", [](TrainingSet& s) { s.sentence_offsets.pop_back(); }},
        Breakage{"'sentence_offsets' begins", [](TrainingSet& s) { s.sentence_offsets[0] = 1; }},
        Breakage{"'sentence_offsets'[1]", [](TrainingSet& s) { s.sentence_offsets[1] = 0; }},
        Breakage{"'sentence_offsets'[1]",
                 [](TrainingSet& s) { s.sentence_offsets[1] = -2147483647; }},
        Breakage{"'sentence_offsets'[2]",
                 [](TrainingSet& s) { s.sentence_offsets[2] = 2147483647; }},
        Breakage{"'sentence_offsets' ends", [](TrainingSet& s) { s.sentence_offsets[2] = 4; }},
        Breakage{"'word_of_piece' has", [](TrainingSet& s) { s.word_of_piece.pop_back(); }},
        Breakage{"'word_of_piece'[0]", [](TrainingSet& s) { s.word_of_piece[0] = 1; }},
        Breakage{"'word_of_piece'[0]", [](TrainingSet& s) { s.word_of_piece[0] = -1; }},
        Breakage{"'word_of_piece'[2]", [](TrainingSet& s) { s.word_of_piece[2] = 2; }},
        Breakage{"'piece_ids'", [](TrainingSet& s) { s.piece_ids[4] = -1; }},
        Breakage{"'sentence_row'", [](TrainingSet& s) { s.sentence_row[0] = -1; }},
        Breakage{"'instance_sentence'[2]", [](TrainingSet& s) { s.instance_sentence[2] = 2; }},
        Breakage{"'instance_sentence'[0]", [](TrainingSet& s) { s.instance_sentence[0] = -1; }},
        Breakage{"instance 0 has 3 tags", [](TrainingSet& s) { s.instance_sentence[0] = 1; }},
        Breakage{"'instance_offsets' ends", [](TrainingSet& s) { s.tags.pop_back(); }},
        Breakage{"'tags'", [](TrainingSet& s) { s.tags[0] = 4; }},
        Breakage{"'instance_weight'[1]", [](TrainingSet& s) { s.instance_weight[1] = NAN; }},
        Breakage{"'instance_weight'[1]", [](TrainingSet& s) { s.instance_weight[1] = -1; }},
        Breakage{"'instance_weight' has", [](TrainingSet& s) { s.instance_weight.clear(); }},
        Breakage{"'instance_category' has",
                 [](TrainingSet& s) { s.instance_category.push_back(0); }},
        Breakage{"'instance_judgement' has",
                 [](TrainingSet& s) {
                   s.instance_judgement = {0, 1};
                 }},
        Breakage{"'instance_judgement'[1]",
                 [](TrainingSet& s) { s.instance_judgement = {0, 0, 1.5, 0, 0, 0}; }},
        Breakage{"'instance_judgement'[0]",
                 [](TrainingSet& s) { s.instance_judgement = {-1, 0, 0, 0, 0, 0}; }},
        Breakage{"'instance_judgement'[2]",
                 [](TrainingSet& s) { s.instance_judgement = {0, 0, 0, 0, 0, NAN}; }}));

TEST(TrainingFile, RefusesASentenceThatIsTooLong) {
  TrainingSet set;
  set.piece_ids.assign(255, 1);
  set.word_of_piece.assign(255, 0);
  set.sentence_offsets = {0, 255};
  set.sentence_row = {0};
  set.instance_offsets = {0};
  EXPECT_ERROR(validate(set, "t"), ErrorCode::kBadInput, "steps by 255");
}

TEST(TrainingFile, RefusesOtherFiles) {
  const std::vector<float> values = {1, 2};
  const model_dir::TensorView tensor = {
      "piece_ids", model_dir::DType::kF32, {2}, std::as_bytes(std::span(values))};
  lab::write_safetensors(kPath, std::span(&tensor, 1), {{"format", "other"}});
  EXPECT_ERROR(read_training_file(kPath), ErrorCode::kBadInput, "no training file");
  lab::write_safetensors(kPath, std::span(&tensor, 1),
                         {{"format", "diffie-training"}, {"version", "2"}});
  EXPECT_ERROR(read_training_file(kPath), ErrorCode::kUnsupported, "version '2'");
  lab::write_safetensors(kPath, std::span(&tensor, 1),
                         {{"format", "diffie-training"}, {"version", "1"}});
  EXPECT_ERROR(read_training_file(kPath), ErrorCode::kBadInput, "'piece_ids' is F32");
  std::ofstream(kPath, std::ios::binary) << "no safetensors file at all";
  EXPECT_ERROR(read_training_file(kPath), ErrorCode::kCorruptModel, "training_file_test");
  EXPECT_ERROR(read_training_file("no/such.safetensors"), ErrorCode::kNotFound, "no/such");
}

}  // namespace
}  // namespace diffie::data
