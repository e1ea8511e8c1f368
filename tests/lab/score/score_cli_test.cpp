// The command as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_program.h"
#include "temp_dir.h"

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

TEST(ScoreCommand, NothingOnAnyGoldSentenceIsNoScore) {
  const diffie::test::TempDir temp;
  diffie::test::write_file(temp / "other.tsv", "Another sentence .\t0.9\tis\tthis\tthat\n");
  diffie::test::write_file(temp / "empty.tsv", "");
  for (const char* name : {"other", "empty"}) {
    const std::string path = temp / (std::string(name) + ".tsv");
    const ProgramRun alone = run("carb --gold gold.tsv --pred '" + path + "'");
    EXPECT_EQ(alone.exit_code, 2);
    EXPECT_EQ(alone.out, "");
    EXPECT_THAT(alone.err, HasSubstr("predictions is on a sentence of gold.tsv"));
    const ProgramRun with_another =
        run("carb --gold gold.tsv --pred '" + path + "' --pred predictions.tsv");
    EXPECT_EQ(with_another.exit_code, 1);
    EXPECT_THAT(with_another.out, HasSubstr("\npredictions "));
    EXPECT_THAT(with_another.out, testing::Not(HasSubstr("100.00")));
  }
}

TEST(ScoreCommand, OurOwnTableScoresAsTheTabbedForm) {
  const diffie::test::TempDir temp;
  std::string tsv;
  std::ifstream tabbed(kSample + "predictions.tsv");
  for (std::string line; std::getline(tabbed, line);) {
    std::vector<std::string> cells(1);
    for (const char c : line) {
      if (c == '\t') cells.emplace_back();
      if (c != '\t') cells.back() += c;
    }
    if (cells.size() != 5) continue;
    tsv += cells[1] + "\t" + cells[3] + "\t" + cells[2] + "\t" + cells[4] + "\t" + cells[0] + "\n";
  }
  ASSERT_FALSE(tsv.empty());
  diffie::test::write_file(temp / "ours.tsv", tsv);
  const std::string ours = "--pred '" + (temp / "ours.tsv").string() + "' --json";
  const ProgramRun guessed = run("carb --gold gold.tsv " + ours);
  ASSERT_EQ(guessed.exit_code, 0) << guessed.err;
  EXPECT_EQ(guessed.out, run("carb --gold gold.tsv --pred-format tsv " + ours).out);
  EXPECT_GT(json::parse(guessed.out)["f1"], 0.0);
}

TEST(ScoreCommand, NumbersArePlainOnes) {
  const std::string good = "carb --gold gold.tsv --pred predictions.tsv ";
  for (const auto& [arguments, option] : std::vector<std::pair<std::string, std::string>>{
           {"--threshold nan --explain 1", "--threshold"},
           {"--threshold inf --explain 1", "--threshold"},
           {"--threshold 0.5", "--explain"},
           {"--seed -1", "--seed"},
           {"--seed 18446744073709551616", "--seed"},
           {"--seed ''", "--seed"},
           {"--bootstrap 010", "--bootstrap"},
           {"--bootstrap ''", "--bootstrap"},
           {"--bootstrap 0x10", "--bootstrap"},
           {"--explain 1.5", "--explain"},
           {"--explain 0", "--explain: is 0, must be at least 1"},
           {"--explain -1", "--explain: is -1, must be at least 1"},
           {"--seed 3", "--seed requires --bootstrap or --compare"},
           {"--seed= 3", "--seed= has no value"}}) {
    const ProgramRun result = run(good + arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_EQ(result.out, "") << arguments;
    EXPECT_THAT(result.err, HasSubstr(option)) << arguments;
  }
  EXPECT_EQ(run(good + "--seed 18446744073709551615 --bootstrap 10").exit_code, 0);
}

TEST(ScoreCommand, NoTextOfAFileMovesTheTerminal) {
  const diffie::test::TempDir temp;
  const std::string sentence = "Ann \x1b[31mmet\u009B2J Bob \u202E .";
  diffie::test::write_file(temp / "gold.tsv", sentence + "\tmet\x1b[1m\tAnn\tBob\u202E\n");
  diffie::test::write_file(temp / "a\x1b.tsv", sentence + "\t0.9\tmet\u009B\tAnn\x1b[2J\tBob\n");
  const ProgramRun result = run("carb --gold '" + (temp / "gold.tsv").string() + "' --pred '" +
                                (temp / "a\x1b.tsv").string() + "' --explain 1 --bootstrap 10");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* raw : {"\x1b", "\u009B", "\u202E"})
    EXPECT_THAT(result.out, testing::Not(HasSubstr(raw)));
  EXPECT_THAT(result.out, HasSubstr("a\\x1b: "));
  EXPECT_THAT(result.out, HasSubstr("Bob\\u202e"));
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
