#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/run_program.h"
#include "lab/bench/tiny_model.h"
#include "temp_dir.h"

namespace diffie::cli {
namespace {

using nlohmann::json;

class BenchCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    shared_ = new test::TempDir;
    test::write_tiny_model(*shared_ / "model");
    test::write_file(*shared_ / "in.txt", "Ada wrote it .\n\nBen left Bonn .\nIt ran .\n");
    test::write_file(*shared_ / "gold.tsv", "Ada wrote it .\twrote\tAda\tit\n");
  }
  static void TearDownTestSuite() {
    delete shared_;
    shared_ = nullptr;
  }

  // Little work, in the folder that has model, input and gold; no data directory.
  static ProgramRun run(const std::string& arguments) {
    return run_program("bench --model ./model --data none --repeat 2 --latency 2 " + arguments, "",
                       shared_->path());
  }

  static inline test::TempDir* shared_ = nullptr;
};

TEST_F(BenchCommand, JsonHasEveryFigure) {
  const ProgramRun result =
      run("--input in.txt --gold gold.tsv --pretokenized --preset fast --starts 1 --json");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json value = json::parse(result.out);
  EXPECT_EQ(value.at("input"), "in.txt");
  ASSERT_EQ(value.at("rows").size(), 1u);
  const json& row = value["rows"][0];
  EXPECT_EQ(row.at("model"), "tiny");
  EXPECT_EQ(row.at("preset"), "fast");
  EXPECT_EQ(row.at("precision"), "int8");
  EXPECT_EQ(row.at("sentences"), 3);  // the empty line is none
  EXPECT_EQ(row.at("pass_s").size(), 2u);
  EXPECT_EQ(row.at("latency").at("sentences"), 2);
  for (const char* key : {"sentences_per_s", "sentences_per_cpu_s", "tokens_per_s", "gflops",
                          "load_s", "first_triple_s"}) {
    EXPECT_GT(row.at(key).get<double>(), 0) << key;
  }
  EXPECT_GT(row.at("peak_memory").get<std::uint64_t>(), 1'000'000u);
  EXPECT_EQ(row.at("stages").at("pieces"), 11);
  EXPECT_EQ(row.at("quality").at("sentences"), 3);
  EXPECT_GE(row.at("quality").at("carb").at("f1").get<double>(), 0);
}

TEST_F(BenchCommand, AnchoredModelsAreMeasured) {
  test::write_tiny_model(*shared_ / "anchored", "anchored");
  const ProgramRun result = run_program(
      "bench --model ./anchored --data none --input in.txt --repeat 1 --latency 1 --starts 0 "
      "--json",
      "", shared_->path());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json stages = json::parse(result.out).at("rows").at(0).at("stages");
  EXPECT_GE(stages.at("rows"), 3);  // one a sentence at least
  EXPECT_GT(stages.at("denoise_flop").get<double>(), 0);
}

TEST_F(BenchCommand, ListsMakeAGrid) {
  const ProgramRun result =
      run("--input in.txt --preset fast,paper --samples 2,3 --steps 1 --threads 1,2 --precision "
          "fp32 --starts 0 --json");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json rows = json::parse(result.out).at("rows");
  ASSERT_EQ(rows.size(), 8u);
  EXPECT_EQ(rows[0].at("threads"), 1);
  EXPECT_EQ(rows[1].at("threads"), 2);
  EXPECT_EQ(rows[2].at("samples"), 3);
  EXPECT_EQ(rows[4].at("preset"), "paper");
  EXPECT_EQ(rows[4].at("steps"), 1);
  EXPECT_EQ(rows[4].at("precision"), "fp32");
  EXPECT_EQ(rows[4].at("first_triple_s"), 0);
  EXPECT_TRUE(rows[4].at("quality").is_null());
}

TEST_F(BenchCommand, TheDeviceIsThatOfTheSettings) {
  const ProgramRun found = run("--input in.txt --preset fast --device cpu --starts 1 --json");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  EXPECT_NE(json::parse(found.out).at("rows").at(0).at("kernels"), "cuda");
  const ProgramRun refused = run("--input in.txt --preset fast --device abacus");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("device"), std::string::npos) << refused.err;
}

TEST_F(BenchCommand, TimelineIsWrittenAndSummedUp) {
  const std::string arguments = "--input in.txt --preset fast --threads 2 --starts 0 --timeline ";
  const ProgramRun with_json = run(arguments + "trace.json --json");
  ASSERT_EQ(with_json.exit_code, 0) << with_json.err;
  const json row = json::parse(with_json.out).at("rows").at(0);
  EXPECT_EQ(row.at("timeline").at("workers"), 2);
  EXPECT_EQ(row.at("timeline").at("sentences"), 3);
  EXPECT_GT(row.at("timeline").at("wall_s").get<double>(), 0);
  EXPECT_EQ(row.at("timeline").at("stages").at(0).at("name"), "tokenize");
  const json trace = json::parse(test::read_file(*shared_ / "trace.json"));
  EXPECT_GT(trace.at("traceEvents").size(), 10u);
  const ProgramRun table = run(arguments + "again.json");
  ASSERT_EQ(table.exit_code, 0) << table.err;
  for (const char* word : {"% of workers' time", "no worker computes", "limit: "})
    EXPECT_NE(table.out.find(word), std::string::npos) << word << "\n" << table.out;
  EXPECT_EQ(table.out.find("the GPU has work"), std::string::npos) << table.out;
}

TEST_F(BenchCommand, TimelineThatCannotBeIsRefusedBeforeAnythingIsMeasured) {
  for (const char* arguments :
       {"--timeline no-folder/trace.json", "--timeline .", "--timeline in.txt",
        "--timeline trace2.json --preset fast,paper"}) {
    const ProgramRun result = run(std::string("--input in.txt ") + arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  EXPECT_FALSE(std::filesystem::exists(*shared_ / "trace2.json"));
}

TEST_F(BenchCommand, TableIsAlignedAndHasTheStages) {
  const ProgramRun result = run("--input in.txt --gold gold.tsv --limit 2 --preset fast");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("in.txt, 2 sentences, "), std::string::npos) << result.out;
  for (const char* word :
       {"sent/s", "p99 ms", "peak MB", "GFLOP/s", "carb F1 / AUC", "denoise", "rows computed"}) {
    EXPECT_NE(result.out.find(word), std::string::npos) << word << "\n" << result.out;
  }
}

TEST_F(BenchCommand, WithoutDataTheSampleTextIsMeasured) {
  const ProgramRun result = run("--preset fast --starts 0 --json");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json value = json::parse(result.out);
  EXPECT_EQ(value.at("input"), "sample.txt");
  EXPECT_GE(value["rows"][0].at("sentences").get<int>(), 64);
}

TEST_F(BenchCommand, ComparesWithAnEarlierRun) {
  const ProgramRun before = run("--input in.txt --preset fast --threads 1 --json");
  ASSERT_EQ(before.exit_code, 0) << before.err;
  json halved = json::parse(before.out);
  // Twice as fast as any run from now on would be, were it not for noise: 1000 s make it sure.
  for (json& time : halved["rows"][0]["pass_s"]) time = 1000;
  test::write_file(*shared_ / "before.json", halved.dump());
  const ProgramRun result =
      run("--input in.txt --preset fast,paper --threads 1 --compare before.json");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("now / before"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("not measured before: tiny paper, 1 threads"), std::string::npos);
}

TEST_F(BenchCommand, BadFilesAreNamedBeforeAnythingIsMeasured) {
  test::write_file(*shared_ / "bad.json", "{\"rows\": [{\"model\": 1}]}");
  test::write_file(*shared_ / "half.json", "{\"rows\": [");
  test::write_file(*shared_ / "empty.txt", "\n\n");
  test::write_file(*shared_ / "other.tsv", "Eve sang .\tsang\tEve\n");
  for (const char* arguments :
       {"--input in.txt --compare bad.json", "--input in.txt --compare half.json",
        "--input in.txt --compare no.json", "--input empty.txt",
        "--input in.txt --gold no-gold.tsv", "--input in.txt --gold other.tsv"}) {
    const ProgramRun result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  EXPECT_EQ(run_program("bench --model no-model --data none", "", shared_->path()).exit_code, 2);
  EXPECT_EQ(run("--input in.txt --gold other.tsv").err,
            "diffie: in.txt: none of its sentences has gold in other.tsv\n");
  EXPECT_EQ(run("--input in.txt --preset slow").exit_code, 2);
  EXPECT_EQ(
      run_program("bench --model ./model --input in.txt --repeat 0", "", shared_->path()).exit_code,
      2);
}

}  // namespace
}  // namespace diffie::cli
