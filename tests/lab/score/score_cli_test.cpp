// The command as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_program.h"

namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string kSample = DIFFIE_SOURCE_DIR "/tests/lab/score/sample/";

// Runs `diffie score ARGUMENTS` in the sample's folder.
ProgramRun run(const std::string& arguments) {
  return run_program("score " + arguments, "", kSample);
}

TEST(ScoreCommand, JsonHasTheUnroundedScores) {
  const ProgramRun result = run("carb --gold gold.tsv --pred predictions.tsv --json");
  ASSERT_EQ(result.exit_code, 0) << result.output();
  const json parsed = json::parse(result.output());
  const json expected = json::parse(std::ifstream(kSample + "expected.json"))[0];
  for (const char* key : {"precision", "recall", "f1", "auc", "optimal_threshold"}) {
    EXPECT_NEAR(parsed[key].get<double>(), expected[key].get<double>(), 1e-12) << key;
  }
  EXPECT_EQ(parsed["curve"].size(), expected["curve"].size());
}

TEST(ScoreCommand, ComparesSystems) {
  const ProgramRun result =
      run("carb_1_1 --gold gold.tsv --pred predictions.tsv --pred clausie.txt "
          "--pred-format tabbed --skip-bad");
  EXPECT_EQ(result.exit_code, 1)
      << result.output();  // clausie.txt is not tabbed: its lines are skipped
  EXPECT_THAT(result.output(), HasSubstr("clausie.txt: line 1:"));
  const ProgramRun two =
      run("carb_1_1 --gold gold.tsv --pred predictions.tsv --pred triples.jsonl "
          "--bootstrap 50 --compare predictions triples.jsonl --explain 2");
  EXPECT_EQ(two.exit_code, 0) << two.output();
  EXPECT_THAT(two.output(), HasSubstr("predictions minus triples (50 samples"));
  EXPECT_THAT(two.output(), HasSubstr("credit for recall"));
}

TEST(ScoreCommand, EachFileMayHaveItsOwnFormat) {
  const ProgramRun result =
      run("carb --gold gold.tsv --pred clausie.txt --pred-format clausie "
          "--pred reverb.txt --pred-format reverb --json");
  ASSERT_EQ(result.exit_code, 0) << result.output();
  const json systems = json::parse(result.output())["systems"];
  EXPECT_EQ(systems[0]["f1"], systems[1]["f1"]);
  EXPECT_EQ(systems[1]["system"], "reverb");
}

TEST(ScoreCommand, EveryExtractorOfAWire57FileIsASystem) {
  const ProgramRun all =
      run("wire57 --gold wire57_gold.json --pred wire57_extractions.json --json");
  ASSERT_EQ(all.exit_code, 0) << all.output();
  EXPECT_EQ(json::parse(all.output())["systems"].size(), 2u);
  const ProgramRun one =
      run("wire57 --gold wire57_gold.json --pred wire57_extractions.json --extractor one --json");
  EXPECT_TRUE(json::parse(one.output())["auc"].is_null());
}

TEST(ScoreCommand, MistakesEndWithOneLineAndCode2) {
  for (const char* arguments :
       {"carb --gold nowhere.tsv --pred predictions.tsv",
        "crab --gold gold.tsv --pred predictions.tsv", "carb --gold gold.tsv --pred clausie.txt",
        "carb --gold gold.tsv",
        "carb --gold gold.tsv --pred predictions.tsv --compare predictions other",
        "carb --gold gold.tsv --pred predictions.tsv --explain 99",
        "carb --gold gold.tsv --pred benchie_explicit.txt --pred-format benchie"}) {
    const ProgramRun result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments << "\n" << result.output();
    EXPECT_FALSE(result.output().empty()) << arguments;
  }
}

}  // namespace
