#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/run_program.h"
#include "diffie/error.h"
#include "diffie/model.h"
#include "lab/bench/tiny_model.h"
#include "temp_dir.h"

namespace diffie::cli {
namespace {

using nlohmann::json;

class EvalCommand : public testing::Test {
 protected:
  EvalCommand() {
    test::write_tiny_model(temp_ / "model");
    std::filesystem::create_directories(temp_ / "data/carb/dev");
    test::write_file(temp_ / "data/carb/dev/dev.txt",
                     "Ada wrote it .\nBen left Bonn .\nIt ran .\n");
    test::write_file(temp_ / "data/carb/dev/dev.tsv",
                     "Ada wrote it .\twrote\tAda\tit\nBen left Bonn .\tleft\tBen\tBonn\n");
  }

  ProgramRun run(const std::string& arguments) const {
    return run_program("eval --data data " + arguments, "", temp_.path());
  }

  test::TempDir temp_;
};

TEST_F(EvalCommand, JsonHasEveryPresetAndPart) {
  const ProgramRun result = run("--model ./model --json");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json value = json::parse(result.out);
  EXPECT_EQ(value.at("model"), "tiny");
  ASSERT_EQ(value.at("presets").size(), 4u);
  EXPECT_EQ(value["presets"][0].at("preset"), "fast");  // the least work first
  const json& parts = value["presets"][0].at("parts");
  EXPECT_EQ(parts.at("all").at("sentences"), 3);
  EXPECT_EQ(parts.at("tuning").at("sentences").get<int>() +
                parts.at("held-out").at("sentences").get<int>(),
            3);
}

TEST_F(EvalCommand, AnchoredModelsAreEvaluated) {
  test::write_tiny_model(temp_ / "anchored", "anchored");
  const ProgramRun result = run("--model ./anchored --json");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json presets = json::parse(result.out).at("presets");
  ASSERT_EQ(presets.size(), 3u);
  EXPECT_EQ(presets[0].at("preset"), "fast");  // the least work first
  EXPECT_EQ(presets[2].at("preset"), "best");
}

TEST_F(EvalCommand, TableHasThePartsOfTheNamedPresetsAlone) {
  const ProgramRun result = run("--model ./model --presets fast");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("fast"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("held-out"), std::string::npos);
  EXPECT_EQ(result.out.find("paper"), std::string::npos);
}

TEST_F(EvalCommand, RecordIsPartOfAWholeModel) {
  const ProgramRun result = run("--model ./model --record");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(verify_model(temp_ / "model"), std::vector<std::string>{});
  const json measured = json::parse(test::read_file(temp_ / "model/measured.json"));
  EXPECT_EQ(measured.at("presets").size(), 4u);
  EXPECT_EQ(measured["presets"].at("paper").at("check").at("sentences"), 3);
  const std::string once = test::read_file(temp_ / "model/SHA256SUMS");
  ASSERT_EQ(run("--model ./model --record").exit_code, 0);
  EXPECT_EQ(test::read_file(temp_ / "model/SHA256SUMS"), once);
}

TEST_F(EvalCommand, AllIsASecondListOfEachPreset) {
  const ProgramRun own = run("--model ./model --presets fast --json");
  ASSERT_EQ(own.exit_code, 0) << own.err;
  EXPECT_FALSE(json::parse(own.out)["presets"][0].contains("all_triples"));
  const ProgramRun both = run("--model ./model --presets fast --json --all");
  ASSERT_EQ(both.exit_code, 0) << both.err;
  const json preset = json::parse(both.out)["presets"][0];
  EXPECT_EQ(preset.at("parts"), json::parse(own.out)["presets"][0].at("parts"));
  EXPECT_GE(preset.at("all_triples").at("all").at("triples").get<double>(),
            preset.at("parts").at("all").at("triples").get<double>());
  const ProgramRun table = run("--model ./model --presets fast --all");
  EXPECT_NE(table.out.find("fast, all"), std::string::npos) << table.out;
}

TEST_F(EvalCommand, BenchieIsScoredAndRecordedWhereItsDataIs) {
  EXPECT_EQ(run("--model ./model --presets fast").out.find("BenchIE"), std::string::npos);
  std::filesystem::create_directories(temp_ / "data/benchie/scorer-check");
  test::write_file(temp_ / "data/benchie/scorer-check/sentences.first60.txt", "Ada wrote it .\n");
  test::write_file(temp_ / "data/benchie/scorer-check/benchie_gold_annotations_en.first60.txt",
                   "sent_id:1\tAda wrote it .\n1--> Cluster 1:\nAda --> wrote --> it\n");
  const ProgramRun table = run("--model ./model --record");
  ASSERT_EQ(table.exit_code, 0) << table.err;
  EXPECT_NE(table.out.find("BenchIE, sentences 1 to 60"), std::string::npos) << table.out;
  const json measured = json::parse(test::read_file(temp_ / "model/measured.json"));
  EXPECT_EQ(measured["presets"].at("fast").at("benchie").at("sentences"), 1);
  EXPECT_TRUE(measured["presets"].at("fast").at("check").contains("strict_f1"));
}

TEST_F(EvalCommand, RefusesToRecordHalf) {
  const ProgramRun result = run("--model ./model --presets fast --record");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(temp_ / "model/measured.json"));
}

TEST_F(EvalCommand, WhatIsMissingIsNamed) {
  const ProgramRun model = run("--model no-such-model");
  EXPECT_EQ(model.exit_code, 2);
  EXPECT_NE(model.err.find("model 'no-such-model': no such directory (looked in "),
            std::string::npos);
  const ProgramRun data = run_program("eval --model ./model --data nowhere", "", temp_.path());
  EXPECT_EQ(data.exit_code, 2);
  EXPECT_EQ(data.err,
            "diffie: nowhere/carb/dev/dev.txt: cannot be read: No such file or directory\n");
  EXPECT_EQ(run("--model ./model --presets slow").exit_code, 2);
}

TEST(ModelDocument, RefusesNamesThatAreNone) {
  const test::TempDir temp;
  test::write_tiny_model(temp / "model");
  for (const char* name : {"", "../x", "SHA256SUMS", "a b", ".hidden"}) {
    EXPECT_THROW(write_model_document(temp / "model", name, "x"), Error) << name;
  }
}

}  // namespace
}  // namespace diffie::cli
