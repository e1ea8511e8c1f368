// What the lab and the trainer keep between runs: pools of tags and training files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diffie/lab/tag_pool.h"
#include "expect_error.h"
#include "lab/data/training_file.h"
#include "old_files.h"
#include "temp_dir.h"

namespace diffie {
namespace {

using test::kOldFiles;
using testing::ElementsAre;

TEST(OldPool, WithImpliedWordsIsRead) {
  const std::vector<TagPool> pools = read_tag_pools(kOldFiles / "pools/implied-words.jsonl");
  ASSERT_EQ(pools.size(), 2u);
  EXPECT_EQ(pools[0].sentence, "Vienna lies on the Danube");
  EXPECT_EQ(pools[0].num_implied, 2u);
  EXPECT_THAT(pools[0].tags, ElementsAre(TagCount{"SRROOBB", 40}, TagCount{"SBBBORR", 24}));
  EXPECT_EQ(pools[1].num_implied, 0u);
  EXPECT_EQ(pools[1].num_samples(), 64u);
}

TEST(OldPool, JudgedIsRead) {
  const std::vector<TagPool> pools = read_tag_pools(kOldFiles / "pools/judged.jsonl");
  ASSERT_EQ(pools.size(), 1u);
  EXPECT_THAT(pools[0].tags,
              ElementsAre(TagCount{"SRO", 900000, 0.75f, 0.875f}, TagCount{"SRB", 148576}));
}

TEST(OldTrainingFile, IsReadWithAndWithoutJudgements) {
  const data::TrainingSet plain =
      data::read_training_file(kOldFiles / "training/plain.safetensors");
  EXPECT_EQ(plain.num_sentences(), 1u);
  EXPECT_THAT(plain.pieces(0), ElementsAre(23, 15, 18, 21, 10));
  EXPECT_THAT(plain.instance_tags(0), ElementsAre(1, 2, 2, 3, 3));
  EXPECT_TRUE(plain.instance_judgement.empty());
  EXPECT_EQ(plain.metadata.at("source"), "toy");
  const data::TrainingSet judged =
      data::read_training_file(kOldFiles / "training/judged.safetensors");
  EXPECT_EQ(judged.num_instances(), 2u);
  EXPECT_THAT(judged.instance_judgement, ElementsAre(1, 1, -1, -1));
}

TEST(OldTrainingFile, OfAFutureVersionIsRefused) {
  const test::TempDir temp;
  const std::string bytes = test::read_file(kOldFiles / "training/plain.safetensors");
  std::ofstream(temp / "t.safetensors", std::ios::binary)
      << test::replaced(bytes, "\"version\":\"1\"", "\"version\":\"2\"");
  EXPECT_ERROR(data::read_training_file(temp / "t.safetensors"), ErrorCode::kUnsupported,
               "training file version '2', this build reads 1");
}

}  // namespace
}  // namespace diffie
