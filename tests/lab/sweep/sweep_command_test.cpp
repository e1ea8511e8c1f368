#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/run_program.h"
#include "diffie/lab/model_files.h"
#include "temp_dir.h"

namespace {

using diffie::test::read_file;
using diffie::test::write_file;
using nlohmann::json;
using ::testing::HasSubstr;

class SweepCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    write_file(temp_ / "a.jsonl", kPool);
    write_file(temp_ / "b.jsonl", kPool);
    write_file(temp_ / "gold.tsv", "Ann met Bob .\tmet\tAnn\tBob\nDan left .\tleft\tDan\n");
  }

  ProgramRun sweep(const std::string& arguments) const {
    return run_program("sweep " + arguments, "", temp_.path());
  }

  static constexpr const char* kPool =
      R"({"sentence": "Ann met Bob .", "words": ["Ann", "met", "Bob", "."], "pool": [["SROB", 3], ["SROO", 1]]})"
      "\n"
      R"({"sentence": "Dan left .", "words": ["Dan", "left", "."], "pool": [["SRO", 4]]})"
      "\n";

  diffie::test::TempDir temp_;
};

TEST_F(SweepCommand, PrintsATableAndWritesTsv) {
  const ProgramRun run =
      sweep("--pool a.jsonl:run --pool b.jsonl:run --gold gold.tsv --top-k 1,2 --out t.tsv");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("all rows: label run, selector lenient, rule longest, n 4"));
  EXPECT_THAT(run.out, HasSubstr("mean of 2"));
  const std::string tsv = read_file(temp_ / "t.tsv");
  EXPECT_EQ(std::count(tsv.begin(), tsv.end(), '\n'), 1 + 2 * 2 + 2);
}

TEST_F(SweepCommand, JsonAgreesWithTheScorer) {
  write_file(temp_ / "pred.tsv",
             "Ann met Bob .\t0.75\tmet\tAnn\tBob\nAnn met Bob .\t0.25\tmet\tAnn\tBob .\n"
             "Dan left .\t1\tleft\tDan\t.\n");
  const ProgramRun scored =
      run_program("score carb --gold gold.tsv --pred pred.tsv --json", "", temp_.path());
  const ProgramRun run = sweep("--pool a.jsonl --gold gold.tsv --measure carb --json --statistics");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const json sweep_result = json::parse(run.out);
  const json score = json::parse(scored.out);
  const json& row = sweep_result["rows"].at(0);
  EXPECT_EQ(row["scores"]["carb"]["f1"]["mean"], score["f1"]);
  EXPECT_EQ(row["scores"]["carb"]["auc"]["mean"], score["auc"]);
  EXPECT_EQ(row["label"], "a");
  EXPECT_EQ(sweep_result["statistics"][0]["samples"], 8);
}

// Before anything is read.
TEST_F(SweepCommand, RefusesAFolderAsOutputBeforeTheWork) {
  for (const char* more : {"--pool none --out .", "--model none --sentences none --keep-pool ."}) {
    const ProgramRun run = sweep(std::string("--gold none ") + more);
    EXPECT_EQ(run.exit_code, 2) << more;
    EXPECT_THAT(run.err, HasSubstr("diffie: .: cannot be created: is a folder")) << more;
  }
}

// Its inputs would be gone, whatever came of the run.
TEST_F(SweepCommand, RefusesOutputsThatAreInputs) {
  write_file(temp_ / "s.txt", "Ann met Bob .\n");
  write_file(temp_ / "s-steps2.txt", "Ann met Bob .\n");
  std::filesystem::create_symlink("a.jsonl", temp_ / "link");
  std::filesystem::create_directory(temp_ / "model");
  write_file(temp_ / "model/config.json", "{}");
  write_file(temp_ / "weights", "w");
  std::filesystem::create_symlink("../weights", temp_ / "model/linked");
  std::filesystem::create_hard_link(temp_ / "s.txt", temp_ / "hard");
  const auto refuses = [&](const std::string& arguments, const std::string& why) {
    const ProgramRun run = sweep(arguments);
    EXPECT_EQ(run.exit_code, 2) << arguments;
    EXPECT_EQ(run.err, "diffie: " + why + "\n") << arguments;
  };
  const std::string replaced = ": is read, and would be replaced";
  const std::string sampling = "--model ./model --gold gold.tsv ";
  refuses(sampling + "--sentences s.txt --keep-pool ./s.txt", "./s.txt" + replaced);
  refuses(sampling + "--sentences - --keep-pool s.txt < s.txt", "s.txt" + replaced);
  refuses(sampling + "--sentences s-steps2.txt --steps 1,2 --keep-pool s.txt",
          "s-steps2.txt" + replaced);
  refuses(sampling + "--sentences s.txt --out gold.tsv", "gold.tsv" + replaced);
  refuses(sampling + "--sentences s.txt --out model/config.json", "model/config.json" + replaced);
  refuses(sampling + "--sentences s.txt --out weights", "weights" + replaced);
  refuses(sampling + "--sentences s.txt --out hard", "hard" + replaced);
  refuses(sampling + "--sentences s.txt --keep-pool t --out ./t", "./t: would be written twice");
  refuses("--pool a.jsonl:x --gold gold.tsv --out link", "link" + replaced);
  EXPECT_EQ(read_file(temp_ / "a.jsonl"), kPool);
  EXPECT_EQ(read_file(temp_ / "s.txt"), "Ann met Bob .\n");
  EXPECT_EQ(sweep("--pool a.jsonl --gold gold.tsv --out /dev/stdout").exit_code, 0);
}

TEST_F(SweepCommand, StatisticsNeedNoGold) {
  const ProgramRun run = sweep("--pool a.jsonl --statistics");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("a.jsonl: 8 samples of 2 sentences"));
}

TEST_F(SweepCommand, SamplesWithAModelAndKeepsThePools) {
  diffie::InitOptions options;
  options.vocab = DIFFIE_SOURCE_DIR "/share/bert-base-uncased/vocab.txt";
  options.encoder_hidden = 32;
  options.denoiser_hidden = 32;
  diffie::init_model(temp_ / "model", options);
  write_file(temp_ / "dev.txt", "Ann met Bob .\nDan left .\n");
  const ProgramRun run = sweep(
      "--model ./model --sentences dev.txt --gold gold.tsv --samples 4,12 --steps 1,2 "
      "--keep-pool kept.jsonl --json --seed 3");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const json rows = json::parse(run.out)["rows"];
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0]["label"], "steps=1");
  EXPECT_EQ(rows[3]["label"], "steps=2");
  EXPECT_EQ(rows[3]["samples"], 12);
  const ProgramRun again =
      sweep("--pool kept-steps2.jsonl --gold gold.tsv --samples 4,12 --json --seed 3");
  EXPECT_EQ(json::parse(again.out)["rows"][0]["scores"], rows[2]["scores"]);
  EXPECT_EQ(json::parse(again.out)["rows"][1]["scores"], rows[3]["scores"]);
}

TEST_F(SweepCommand, NoSentencesAreNothingToSampleFor) {
  const std::string model = "--model '" DIFFIE_SOURCE_DIR "/models/small' --statistics ";
  for (const char* text : {"", "\n", " \n\n"}) {
    write_file(temp_ / "empty.txt", text);
    const ProgramRun run = sweep(model + "--sentences empty.txt --keep-pool kept.jsonl");
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.err, "diffie: empty.txt: no sentences to sample for\n");
    EXPECT_EQ(run.out, "");
    EXPECT_FALSE(std::filesystem::exists(temp_ / "kept.jsonl"));
  }
}

// The scripts that print the paper's tables, on pools too small to mean anything.
TEST_F(SweepCommand, FeedsTheScriptsOfTheReproduction) {
  if (std::system("python3 -c pass 2>/dev/null") != 0) GTEST_SKIP() << "no python3";
  const std::filesystem::path pools = temp_ / "pools";
  std::filesystem::create_directory(pools);
  for (const char* name : {"paper-s0", "paper-s1", "mdlm-linear-8", "mdlm-cosine-8", "tagger"}) {
    write_file(pools / (std::string(name) + ".jsonl"), kPool);
  }
  const std::string command = "cd '" + temp_.path().string() +
                              "' && bash '" DIFFIE_SOURCE_DIR
                              "/scripts/reproduce/all.sh' pools gold.tsv '" DIFFIE_BINARY
                              "' >tables.md 2>errors.txt";
  ASSERT_EQ(std::system(command.c_str()), 0) << read_file(temp_ / "errors.txt");
  const std::string tables = read_file(temp_ / "tables.md");
  EXPECT_THAT(tables, HasSubstr("| `carb` | f1 | 52.4 ± 0.2 | 100.0 ± 0.0 | **+47.6** |"));
  EXPECT_THAT(tables, HasSubstr("| 2,500 | 2 | 4 |"));
  EXPECT_THAT(tables, HasSubstr("(best)"));
  EXPECT_THAT(read_file(temp_ / "errors.txt"), HasSubstr("size-50*.jsonl: not there, left out"));
}

TEST_F(SweepCommand, RefusesWhatCannotBe) {
  const auto refuses = [&](const std::string& arguments, const char* fragment) {
    const ProgramRun run = sweep(arguments);
    EXPECT_EQ(run.exit_code, 2) << arguments;
    EXPECT_THAT(run.err, HasSubstr(fragment)) << arguments;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_EQ(run.out, "");
  };
  refuses("--rule shortest", "rule is 'shortest', must be one of longest");
  refuses("--selector best", "selector is 'best', must be one of lenient");
  refuses("--gold gold.tsv", "either --pool");
  refuses("--pool a.jsonl", "--gold, --statistics");
  refuses("--pool a.jsonl --model m --gold gold.tsv", "either --pool");
  refuses("--model m --gold gold.tsv", "go together");
  refuses("--pool none.jsonl:x --gold gold.tsv", "none.jsonl");
  refuses("--pool a.jsonl --gold none.tsv", "none.tsv");
  refuses("--pool a.jsonl --gold gold.tsv --samples 5", "a.jsonl has 4");
  refuses("--pool a.jsonl --gold gold.tsv --tau 0.9,2", "tau is 2");
  refuses("--pool a.jsonl --gold gold.tsv --tau 0.9,x", "x");
  refuses("--pool a.jsonl --gold gold.tsv --measure carb,nope", "nope");
  refuses("--pool gold.tsv --gold gold.tsv", "line 1");
  for (const std::string unread : {"--judged -1", "--steps 0", "--preset nope", "--keep-pool k"})
    refuses("--pool a.jsonl --gold gold.tsv " + unread, "--pool excludes --");
  refuses("--pool a.jsonl --gold gold.tsv --out no/such/folder.tsv",
          "no/such/folder.tsv: cannot be created");
}

}  // namespace
