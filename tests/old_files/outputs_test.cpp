// What `extract` once wrote, as `score` reads it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diffie/lab/score.h"
#include "old_files.h"

namespace diffie {
namespace {

using testing::ElementsAre;

SystemOutput read(const std::string& file, const std::string& format) {
  const std::string path = test::kOldFiles / "outputs" / file;
  ScoreReadOptions options;
  options.format = format;
  const auto systems = read_predictions(path, Measure::kCarb, options);
  EXPECT_EQ(systems.size(), 1u);
  return systems.at(0);
}

void expect_implied(const SystemOutput& output) {
  ASSERT_GE(output.sentences.size(), 1u);
  const PredictedSentence& first = output.sentences[0];
  EXPECT_EQ(first.sentence, "Ada wrote it");
  ASSERT_EQ(first.tuples.size(), 2u);
  EXPECT_EQ(first.tuples[0].relation, "wrote");
  EXPECT_THAT(first.tuples[0].arguments, ElementsAre("Ada", "it"));
  EXPECT_EQ(first.tuples[0].confidence, 0.9375);
  EXPECT_EQ(first.tuples[1].relation, "is");
  EXPECT_EQ(first.tuples[1].confidence, 0.25);
}

TEST(OldOutput, JsonlIsReadAndKeepsSentencesWithoutTriples) {
  for (const char* format : {"jsonl", "auto"}) {
    const SystemOutput output = read("implied.jsonl", format);
    expect_implied(output);
    ASSERT_EQ(output.sentences.size(), 2u);
    EXPECT_EQ(output.sentences[1].sentence, "It is so");
    EXPECT_TRUE(output.sentences[1].tuples.empty());
  }
}

TEST(OldOutput, TablesAreRead) {
  expect_implied(read("implied.tsv", "tsv"));
  expect_implied(read("implied.tsv", "auto"));
  expect_implied(read("implied.carb", "tabbed"));
  expect_implied(read("implied.carb", "auto"));
}

TEST(OldOutput, JsonlWithFactualityIsRead) {
  const SystemOutput output = read("factuality.jsonl", "auto");
  ASSERT_EQ(output.sentences.size(), 1u);
  EXPECT_EQ(output.sentences[0].tuples.at(0).relation, "never wrote");
  EXPECT_EQ(output.sentences[0].tuples.at(0).confidence, 0.75);
}

}  // namespace
}  // namespace diffie
