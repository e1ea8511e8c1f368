#include "train/training_set.h"

#include <gtest/gtest.h>

#include <limits>

#include "expect_error.h"
#include "io/safetensors.h"
#include "synthetic.h"

namespace diffie::train {
namespace {

TEST(TrainingSet, ReadsBackWhatWasWritten) {
  const TemporaryDir dir;
  const TrainingSet set = make_synthetic_task(5, 0, 1).train;
  write_training_set(dir.path() / "t", set);
  const TrainingSet read = read_training_set(dir.path() / "t");
  EXPECT_EQ(read.piece_ids, set.piece_ids);
  EXPECT_EQ(read.tags, set.tags);
  EXPECT_EQ(read.instance_sentence, set.instance_sentence);
}

TEST(TrainingSet, RefusesWhatDoesNotFitTogether) {
  const TrainingSet good = make_synthetic_task(5, 0, 1).train;
  const auto refuse = [&](auto change, const char* fragment) {
    TrainingSet set = good;
    change(set);
    EXPECT_ERROR(check_training_set(set, "t"), ErrorCode::kBadInput, fragment);
  };
  refuse([](TrainingSet& s) { s.tags[3] = 4; }, "tag 4");
  refuse([](TrainingSet& s) { s.sentence_offsets[1] = -1; }, "does not rise");
  refuse([](TrainingSet& s) { s.sentence_offsets.back() += 1; }, "sentence_offsets");
  refuse([](TrainingSet& s) { s.sentence_offsets.clear(); }, "sentence_offsets");
  refuse([](TrainingSet& s) { s.instance_sentence[0] = 99; }, "sentence 99");
  refuse([](TrainingSet& s) { s.instance_sentence[0] = -1; }, "sentence -1");
  refuse([](TrainingSet& s) { s.instance_weight.pop_back(); }, "weights");
  refuse([](TrainingSet& s) { s.instance_weight[0] = -1; }, "weight -1");
  refuse([](TrainingSet& s) { s.instance_weight[0] = std::numeric_limits<float>::quiet_NaN(); },
         "weight");
  refuse([](TrainingSet& s) { s.instance_offsets[1] += 1; }, "tags for");
}

TEST(TrainingSet, RefusesAnotherKindOfFile) {
  const TemporaryDir dir;
  io::write_safetensors(dir.path() / "x", {}, {{"format", "other"}});
  EXPECT_ERROR(read_training_set(dir.path() / "x"), ErrorCode::kBadInput, "training file");
}

TEST(TrainingSet, SelectsByLengthRelaxationAndWeight) {
  const SyntheticTask task = make_synthetic_task(20, 0, 1);
  TrainingSet set = task.train;
  TrainConfig config = tiny_config(task);
  EXPECT_EQ(select_instances(set, config).size(), set.num_instances());
  set.instance_category[0] = 4;
  set.instance_weight[1] = 0;
  config.relaxations = 3;
  EXPECT_EQ(select_instances(set, config).size(), set.num_instances() - 2);
  config.max_pieces = 1;
  EXPECT_ERROR(select_instances(set, config), ErrorCode::kBadInput, "no instance");
  config = tiny_config(task);
  config.encoder.vocab_size = 6;
  EXPECT_ERROR(select_instances(set, config), ErrorCode::kBadInput, "vocabulary of 6");
}

}  // namespace
}  // namespace diffie::train
