#include "train/batch_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "synthetic.h"

namespace diffie::train {
namespace {

std::vector<std::int32_t> all_instances(const TrainingSet& set) {
  std::vector<std::int32_t> instances(set.num_instances());
  std::iota(instances.begin(), instances.end(), 0);
  return instances;
}

TEST(BatchPlan, EveryInstanceOnceAndSlotsPointToItsSentence) {
  const TrainingSet set = make_synthetic_task(40, 0, 1).train;
  const std::vector<std::int32_t> instances = all_instances(set);
  const BatchPlan plan = plan_epoch(set, instances, {7, 3}, 5, 0);
  std::multiset<std::int64_t> seen(plan.instances.begin(), plan.instances.end());
  EXPECT_EQ(seen, std::multiset<std::int64_t>(instances.begin(), instances.end()));
  EXPECT_EQ(plan.batches.size(), (instances.size() + 6) / 7);
  for (const BatchPlan::Batch& batch : plan.batches) {
    std::set<std::int64_t> sentences;
    std::int64_t longest = 0;
    for (std::int64_t i = batch.first_instance; i < batch.first_instance + batch.num_instances;
         ++i) {
      const auto at = static_cast<std::size_t>(i);
      const auto sentence = set.instance_sentence[static_cast<std::size_t>(plan.instances[at])];
      const auto slot = static_cast<std::size_t>(batch.first_sentence + plan.slots[at]);
      EXPECT_EQ(plan.sentences[slot], sentence);
      sentences.insert(sentence);
      longest = std::max<std::int64_t>(longest, sentence_length(set, sentence));
    }
    EXPECT_EQ(static_cast<std::int64_t>(sentences.size()), batch.num_sentences);
    EXPECT_EQ(longest, batch.max_length);
  }
}

TEST(BatchPlan, WholeSentencesAreNeverSplit) {
  const TrainingSet set = make_synthetic_task(40, 0, 1).train;
  const std::vector<std::int32_t> instances = all_instances(set);
  const BatchShape shape{6, 3, /*whole_sentences=*/true};
  const BatchPlan plan = plan_epoch(set, instances, shape, 5, 0);
  std::multiset<std::int64_t> seen(plan.instances.begin(), plan.instances.end());
  EXPECT_EQ(seen, std::multiset<std::int64_t>(instances.begin(), instances.end()));
  const std::set<std::int64_t> sentences(plan.sentences.begin(), plan.sentences.end());
  EXPECT_EQ(sentences.size(), plan.sentences.size()) << "a sentence is in two batches";
  EXPECT_EQ(plan.batches.size(), (sentences.size() + 5) / 6);
  EXPECT_EQ(plan.batches.size(), batches_per_epoch(set, instances, shape));
  ASSERT_LT(plan.sentences.size(), plan.instances.size());
}

TEST(BatchPlan, IsAFunctionOfSeedAndEpoch) {
  const TrainingSet set = make_synthetic_task(40, 0, 1).train;
  const std::vector<std::int32_t> instances = all_instances(set);
  const auto order = [&](std::uint64_t seed, std::uint64_t epoch) {
    return plan_epoch(set, instances, {8, 2}, seed, epoch).instances;
  };
  EXPECT_EQ(order(1, 2), order(1, 2));
  EXPECT_NE(order(1, 2), order(1, 3));
  EXPECT_NE(order(1, 2), order(2, 2));
}

TEST(BatchPlan, BucketsHoldSentencesOfSimilarLength) {
  const TrainingSet set = make_synthetic_task(200, 0, 1).train;
  const auto padding = [&](std::int32_t bucket) {
    std::int64_t places = 0;
    for (const auto& batch : plan_epoch(set, all_instances(set), {8, bucket}, 1, 0).batches) {
      places += batch.max_length * batch.num_instances;
    }
    return places - static_cast<std::int64_t>(set.tags.size());
  };
  EXPECT_LT(padding(50) * 4, padding(0));
}

}  // namespace
}  // namespace diffie::train
