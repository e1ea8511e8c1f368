// The `diffie model` commands as a user runs them: arguments in; output and exit code out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_program.h"
#include "temp_dir.h"

namespace diffie {
namespace {

using test::TempDir;
using testing::HasSubstr;

class ModelCommand : public testing::Test {
 protected:
  ModelCommand() {
    test::write_file(temp_ / "vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\n##s\n");
    init_ = run("init m --vocab vocab.txt --name tiny --encoder-hidden 8 --denoiser-hidden 8");
  }

  // Runs `diffie model ARGUMENTS` in the temporary directory.
  ProgramRun run(const std::string& arguments) const {
    return run_program("model " + arguments, "", temp_.path());
  }

  TempDir temp_;
  ProgramRun init_;
};

TEST_F(ModelCommand, InitMakesAModelThatVerifies) {
  EXPECT_EQ(init_.exit_code, 0) << init_.output();
  EXPECT_EQ(init_.output(), "");
  const ProgramRun verify = run("verify m");
  EXPECT_EQ(verify.exit_code, 0);
  EXPECT_EQ(verify.output(), "OK\n");
}

TEST_F(ModelCommand, VerifyPrintsOneLinePerProblemAndExitsWith1) {
  test::write_file(temp_ / "m/vocab.txt", "[PAD]\n");
  const ProgramRun result = run("verify m");
  EXPECT_EQ(result.exit_code, 1);
  const std::string problems = result.output();
  EXPECT_EQ(std::count(problems.begin(), problems.end(), '\n'), 2) << problems;
  EXPECT_THAT(result.output(), HasSubstr("m/vocab.txt: SHA-256 is"));
  EXPECT_THAT(result.output(), HasSubstr("m/vocab.txt: 1 pieces and none is [CLS]"));
  EXPECT_THAT(run("verify absent").output(), HasSubstr("model 'absent': no such directory"));
}

TEST_F(ModelCommand, InspectShowsArchitecturePresetsAndTensors) {
  const ProgramRun result = run("inspect m --tensors");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output(), HasSubstr("name        tiny\n"));
  EXPECT_THAT(result.output(), HasSubstr("trained     no"));
  EXPECT_THAT(result.output(), HasSubstr("BERT, 2 layers x 8, 4 heads"));
  EXPECT_THAT(result.output(), HasSubstr("\nbalanced *  64 "));
  EXPECT_THAT(result.output(), HasSubstr("\ndenoiser.head.weight "));
  EXPECT_THAT(run("inspect m").output(), testing::Not(HasSubstr("denoiser.head.weight")));
}

TEST_F(ModelCommand, InspectShowsAJudgeWhereThereIsOne) {
  EXPECT_THAT(run("inspect m").output(), testing::Not(HasSubstr("judge")));
  ASSERT_EQ(run("init j --vocab vocab.txt --judge-layers 1 --judge-hidden 8").exit_code, 0);
  EXPECT_EQ(run("verify j").output(), "OK\n");
  EXPECT_THAT(run("inspect j").output(), HasSubstr("judge       1 layers x 8, 4 heads\n"));
}

TEST_F(ModelCommand, InitMakesAnchoredModels) {
  const ProgramRun made = run("init a --vocab vocab.txt --kernel anchored");
  EXPECT_EQ(made.exit_code, 0) << made.output();
  EXPECT_EQ(run("verify a").output(), "OK\n");
  const std::string report = run("inspect a").output();
  EXPECT_THAT(report, HasSubstr("anchored kernel"));
  EXPECT_THAT(report, HasSubstr("\npreset      theta  branch  refine  top_k"));
  EXPECT_THAT(report, HasSubstr("\nbalanced *  0.03   2       true "));
  EXPECT_THAT(run("init b --vocab vocab.txt --kernel anchored --steps 8").output(),
              HasSubstr("an anchored model has 16"));
}

TEST_F(ModelCommand, InspectSpeaksJson) {
  const auto report = nlohmann::json::parse(run("inspect m --json").output());
  EXPECT_EQ(report.at("config").at("name"), "tiny");
  EXPECT_EQ(report.at("tensors").size(), 73u);
  EXPECT_GT(report.at("bytes_on_disk"), 4 * report.at("parameters").get<int>());
}

TEST_F(ModelCommand, InspectLetsNoControlCharacterThrough) {
  EXPECT_EQ(run("init n --vocab vocab.txt --name \"$(printf 'a\\033[2Jb\\nc')\"").exit_code, 0);
  const ProgramRun result = run("inspect n");
  EXPECT_EQ(result.output().find('\033'), std::string::npos);
  EXPECT_THAT(result.output(), HasSubstr("name        a\\x1b[2Jb\\x0ac\n"));
}

TEST_F(ModelCommand, ConvertWritesAnotherType) {
  EXPECT_EQ(run("convert m m8 --weights int8").exit_code, 0);
  EXPECT_EQ(run("verify m8").output(), "OK\n");
  EXPECT_THAT(run("inspect m8").output(), HasSubstr(" I8 ("));
  const ProgramRun again = run("convert m m8 --weights int8");
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_EQ(again.output(), "diffie: m8: exists and is not an empty directory\n");
}

TEST_F(ModelCommand, SaysInOneLineWhatIsWrong) {
  const ProgramRun absent = run("inspect absent");
  EXPECT_EQ(absent.exit_code, 2);
  EXPECT_THAT(absent.output(), HasSubstr("diffie: model 'absent': no such directory"));
  const ProgramRun range = run("init n --vocab vocab.txt --steps 9999");
  EXPECT_EQ(range.exit_code, 2);
  EXPECT_EQ(
      range.output(),
      "diffie: model configuration: diffusion.steps: found 9999, wanted an integer in 1..4096\n");
  EXPECT_EQ(run("convert m n --weights int4").exit_code, 2);
  // What no program would load is not made.
  test::write_file(temp_ / "words.txt", "the\ncat\n");
  const ProgramRun words = run("init n --vocab words.txt");
  EXPECT_EQ(words.exit_code, 2);
  EXPECT_EQ(words.output(), "diffie: words.txt: 2 pieces and none is [CLS]\n");
  EXPECT_FALSE(std::filesystem::exists(temp_ / "n"));
  EXPECT_EQ(run("").exit_code, 2);
}

}  // namespace
}  // namespace diffie
