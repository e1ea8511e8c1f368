#include "train/training_set.h"

#include <gtest/gtest.h>

#include "expect_error.h"
#include "synthetic.h"

namespace diffie::train {
namespace {

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

// What has no weight still teaches a judge.
TEST(TrainingSet, KeepsWhatIsJudgedForAJudge) {
  const SyntheticTask task = make_synthetic_task(20, 0, 1);
  TrainingSet set = task.train;
  TrainConfig config = tiny_config(task);
  set.instance_weight[1] = set.instance_weight[2] = 0;
  set.instance_judgement.assign(2 * set.num_instances(), -1.0f);
  set.instance_judgement[2] = set.instance_judgement[3] = 0;
  EXPECT_EQ(select_instances(set, config).size(), set.num_instances() - 2);
  config.judge.layers = 1;
  const std::vector<std::int32_t> kept = select_instances(set, config);
  EXPECT_EQ(kept.size(), set.num_instances() - 1);
  EXPECT_EQ(kept[1], 1);
  set.instance_judgement.clear();
  EXPECT_EQ(select_instances(set, config).size(), set.num_instances() - 2);
}

}  // namespace
}  // namespace diffie::train
