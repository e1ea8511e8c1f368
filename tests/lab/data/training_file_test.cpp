#include "lab/data/training_file.h"

#include <gtest/gtest.h>

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
                 [](TrainingSet& s) { s.instance_category.push_back(0); }}));

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
