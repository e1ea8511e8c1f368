#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "cli/run_program.h"
#include "diffie/lab/model_files.h"
#include "lab/rank/invented.h"
#include "temp_dir.h"

namespace {

using diffie::test::read_file;
using diffie::test::write_file;
using ::testing::HasSubstr;

class RankCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    const diffie::test::Invented input(80);
    std::string pool;
    std::string carb;
    std::string rows;
    for (std::size_t i = 0; i < input.gold.size(); ++i) {
      diffie::append_tag_pool(pool, input.pool.sentences[i]);
      const std::string& sentence = input.gold[i].sentence;
      rows += sentence + "\t";
      for (const auto& triple : input.gold[i].triples) {
        carb +=
            sentence + "\t" + triple.relation + "\t" + triple.subject + "\t" + triple.object + "\n";
        if (&triple != &input.gold[i].triples.front()) rows += " <then> ";
        rows += "subject <is> " + triple.subject + " <and> relation <is> " + triple.relation +
                " <and> object <is> " + triple.object;
      }
      rows += "\n";
    }
    write_file(temp_ / "pool.jsonl", pool);
    write_file(temp_ / "carb.tsv", carb);
    write_file(temp_ / "gold.tsv", rows);
  }

  ProgramRun run(const std::string& arguments) const {
    return run_program(arguments, "", temp_.path());
  }

  diffie::test::TempDir temp_;
};

// Before anything is read.
TEST_F(RankCommand, RefusesAFolderAsOutputBeforeTheWork) {
  const ProgramRun refused = run("rank train --pools none --gold none --out .");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("diffie: .: cannot be created: is a folder"));
}

TEST_F(RankCommand, RefusesAnInputAsOutput) {
  for (const std::string out : {"pool.jsonl", "./gold.tsv"}) {
    const ProgramRun refused = run("rank train --pools pool.jsonl --gold gold.tsv --out " + out);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_EQ(refused.err, "diffie: " + out + ": is read, and would be replaced\n");
  }
}

TEST_F(RankCommand, JsonHasTheRowsAndTheReliability) {
  const ProgramRun trained =
      run("rank train --pools pool.jsonl --gold gold.tsv --trees 5 --depth 2 --out r.json --json");
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const auto report = nlohmann::json::parse(trained.out);
  EXPECT_EQ(report.at("sentences"), 80);
  ASSERT_FALSE(report.at("rows").empty());
  EXPECT_GT(report["rows"][0].at("carb_f1").get<double>(), 0);
  EXPECT_GT(report["rows"][0].at("strict_threshold").get<double>(), 0);
  EXPECT_EQ(report.at("schema"), 1);
  ASSERT_EQ(report.at("reliability").at("bins").size(), 10u);
  std::size_t triples = 0;
  double error = 0;
  for (const auto& bin : report["reliability"]["bins"]) {
    const auto count = bin.at("triples").get<std::size_t>();
    triples += count;
    error += static_cast<double>(count) *
             std::abs(bin.at("confidence").get<double>() - bin.at("right").get<double>());
  }
  ASSERT_GT(triples, 0u);
  EXPECT_NEAR(report["reliability"].at("calibration_error").get<double>(),
              error / static_cast<double>(triples), 1e-9);
}

TEST_F(RankCommand, TrainsSweepsAndExtracts) {
  const ProgramRun trained =
      run("rank train --pools pool.jsonl --gold gold.tsv --trees 20 --depth 3 --out r.json");
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.out, HasSubstr("80 sentences"));
  EXPECT_THAT(trained.out, HasSubstr("learned"));

  const ProgramRun swept =
      run("sweep --pool pool.jsonl --gold carb.tsv --selector learned,coverage --ranker r.json "
          "--rule all-runs --top-k 2,4 --min-confidence 0,0.5");
  EXPECT_EQ(swept.exit_code, 0) << swept.err;
  EXPECT_THAT(swept.out, HasSubstr("learned"));

  const std::string vocab = DIFFIE_SOURCE_DIR "/share/bert-base-uncased/vocab.txt";
  ASSERT_EQ(run("model init toy --vocab " + vocab).exit_code, 0);
  const ProgramRun without = run("extract --model ./toy --selector learned pool.jsonl");
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_THAT(without.err, HasSubstr("needs a ranker"));
  const ProgramRun added = run("rank add toy r.json --presets balanced -k 3");
  ASSERT_EQ(added.exit_code, 0) << added.err;
  EXPECT_EQ(run("model verify toy").exit_code, 0);
  EXPECT_EQ(run("extract --model ./toy -n 8 gold.tsv").exit_code, 0);
}

TEST_F(RankCommand, SaysWhatItNeeds) {
  EXPECT_THAT(run("sweep --pool pool.jsonl --gold carb.tsv --selector learned").err,
              HasSubstr("needs a ranker"));
  const ProgramRun none =
      run("sweep --pool pool.jsonl --gold carb.tsv --selector learned --ranker none.json");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("none.json"));
  EXPECT_THAT(run("rank train --pools none.jsonl --gold gold.tsv --out r.json").err,
              HasSubstr("none.jsonl"));
  EXPECT_THAT(run("rank train --pools pool.jsonl --gold gold.tsv --out r.json --depth 20").err,
              HasSubstr("depth is 20"));
  const ProgramRun rule =
      run("rank train --pools pool.jsonl --gold gold.tsv --out r.json --rule x");
  EXPECT_EQ(rule.exit_code, 2);
  EXPECT_THAT(rule.err, HasSubstr("rule is 'x', must be one of longest"));
  EXPECT_EQ(run("rank").exit_code, 2);
}

}  // namespace
