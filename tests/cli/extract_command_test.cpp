#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/toy_extract.h"

namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class ExtractCommand : public ToyExtract {};

const std::string kText =
    "Marie Curie discovered polonium. She won two Nobel Prizes.\n\nParis lies on the Seine.\n";

TEST_F(ExtractCommand, JsonlHasOneLinePerSentenceOfADocument) {
  const std::string file = write("doc.txt", kText);
  const ProgramRun run = extract("--format jsonl '" + file + "'");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::vector<std::string> lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 3U);
  for (const std::string& line : lines) {
    const json parsed = json::parse(line);
    const std::string sentence = parsed["sentence"];
    const std::size_t begin = parsed["source"]["bytes"][0];
    const std::size_t end = parsed["source"]["bytes"][1];
    EXPECT_EQ(parsed["source"]["document"], file);
    EXPECT_EQ(kText.substr(begin, end - begin), sentence);
    for (const json& extraction : parsed["extractions"]) {
      for (const char* slot : {"subject", "relation", "object"}) {
        std::string quoted;
        for (const json& span : extraction["spans"][slot]) {
          if (!quoted.empty()) quoted += ' ';
          const std::size_t first = span[0];
          quoted += sentence.substr(first, span[1].get<std::size_t>() - first);
        }
        EXPECT_EQ(extraction[slot], quoted);
      }
      EXPECT_GT(extraction["confidence"], 0.0);
      EXPECT_EQ(extraction["factuality"]["polarity"], "positive");
      EXPECT_EQ(extraction["factuality"]["modality"], "certain");
      EXPECT_TRUE(extraction["factuality"]["attributed_to"].is_null());
    }
  }
}

TEST_F(ExtractCommand, LineModesKeepLineNumbers) {
  const std::string input =
      "The cat sat .\n\nA dog -LRB- brown -RRB- barked at it .\r\nno newline at the end";
  for (const char* mode : {"--pretokenized", "--lines"}) {
    const ProgramRun run = extract(std::string("--format jsonl ") + mode, input);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::vector<std::string> lines = lines_of(run.out);
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(json::parse(lines[0])["sentence"], "The cat sat .");
    EXPECT_EQ(json::parse(lines[1])["sentence"], "");
    EXPECT_EQ(json::parse(lines[2])["sentence"], "A dog -LRB- brown -RRB- barked at it .");
    EXPECT_EQ(json::parse(lines[3])["sentence"], "no newline at the end");
  }
}

TEST_F(ExtractCommand, SameInputSameOutputForAnyThreadsAndFiles) {
  const std::string file = write("doc.txt", kText);
  const ProgramRun one = extract("--format tsv --threads 1 '" + file + "'");
  const ProgramRun many = extract("--format tsv --threads 3 - ", kText);
  EXPECT_FALSE(one.out.empty());
  EXPECT_EQ(one.out, many.out);
}

TEST_F(ExtractCommand, TableFormatsHaveFiveCells) {
  for (const char* format : {"tsv", "carb"}) {
    const ProgramRun run =
        extract(std::string("--lines --format ") + format, "A\tcat sat on the mat .\n");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::vector<std::string> lines = lines_of(run.out);
    ASSERT_FALSE(lines.empty());
    for (const std::string& line : lines)
      EXPECT_EQ(std::count(line.begin(), line.end(), '\t'), 4) << line;
  }
}

TEST_F(ExtractCommand, TextIsPlainWhenPiped) {
  const ProgramRun run = extract("", kText);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out.find('\x1b'), std::string::npos);
  EXPECT_THAT(run.out, HasSubstr("Marie Curie discovered polonium.\n  0."));
  EXPECT_THAT(extract("--colour always", kText).out, HasSubstr("\x1b["));
}

TEST_F(ExtractCommand, WhatIsNotAssertedIsMarkedOrLeftOut) {
  const std::string text = "According to Anna, Marie Curie discovered polonium.\n";
  EXPECT_THAT(extract("--lines", text).out, HasSubstr("  [according to Anna]\n"));
  const std::string jsonl = extract("--lines --format jsonl", text).out;
  EXPECT_THAT(jsonl, HasSubstr("\"attributed_to\": {\"text\": \"Anna\", \"spans\": [[13, 17]]}}"));
  EXPECT_THAT(extract("--lines", "Did the cat never see a dog?\n").out,
              HasSubstr("  [not]  [question]\n"));
  const std::string asserted = extract("--lines --asserted-only --format jsonl", text).out;
  EXPECT_EQ(asserted.find("Anna\", \"spans\""), std::string::npos);
}

TEST_F(ExtractCommand, CircumstancesAreMarked) {
  const std::string text = "Marie Curie discovered polonium in Paris in 1898.\n";
  EXPECT_THAT(extract("--lines --mark-circumstances", text).out, HasSubstr("1898]"));
  const std::string flags = "--lines --format jsonl ";
  EXPECT_EQ(extract(flags, text).out.find("circumstances"), std::string::npos);
  const json result = json::parse(extract(flags + "--mark-circumstances", text).out);
  std::set<std::string> found;
  for (const json& each : result["extractions"]) {
    for (const json& circumstance : each.value("circumstances", json::array())) {
      const std::size_t begin = circumstance["spans"][0][0], end = circumstance["spans"][0][1];
      EXPECT_EQ(circumstance["text"], text.substr(begin, end - begin));
      if (circumstance["kind"] == "time") found.insert(circumstance["text"]);
    }
  }
  // The toy model's slots are random: some have the preposition.
  EXPECT_THAT(found, ::testing::Not(::testing::IsEmpty()));
  EXPECT_THAT(found, ::testing::Each(::testing::EndsWith("1898")));
}

TEST_F(ExtractCommand, SaysThatAnUntrainedModelIsUntrained) {
  EXPECT_THAT(extract("", kText).err, HasSubstr("untrained"));
}

TEST_F(ExtractCommand, MissingFileIsNamedAndTheOthersAreRead) {
  const std::string file = write("doc.txt", kText);
  const ProgramRun run = extract("--format jsonl no-such-file.txt '" + file + "'");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err,
              HasSubstr("diffie: no-such-file.txt: cannot be read: No such file or directory\n"));
  EXPECT_EQ(lines_of(run.out).size(), 3U);
}

TEST_F(ExtractCommand, InvalidUtf8IsNamedAndNothingIsLost) {
  const ProgramRun run =
      extract("--lines --format jsonl", "good one here\nbad \xFF byte here\ngood again here\n");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(
      run.err,
      HasSubstr("diffie: -: invalid UTF-8 in 1 line, first at line 2, byte 4; read as U+FFFD\n"));
  const std::vector<std::string> lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(json::parse(lines[1])["sentence"], "bad \xEF\xBF\xBD byte here");
}

TEST_F(ExtractCommand, ImpossibleOptionsGetOneLineAndExitCodeTwo) {
  for (const char* arguments :
       {"--tau 7", "--samples 0", "--steps 99", "--rule shortest", "--preset quick", "--format xml",
        "--threads many", "--no-such-option", "--all --min-confidence 0.5"}) {
    const ProgramRun run = extract(arguments, kText);
    EXPECT_EQ(run.exit_code, 2) << arguments;
    EXPECT_EQ(run.out, "") << arguments;
    EXPECT_EQ(lines_of(run.err).size(), 1U) << arguments << ": " << run.err;
    EXPECT_THAT(run.err, ::testing::StartsWith("diffie: ")) << arguments;
  }
}

TEST_F(ExtractCommand, AllIsWithoutAThreshold) {
  const auto triples = [](const std::string& options) {
    return run_program(
        "extract --format tsv --model '" DIFFIE_SOURCE_DIR "/models/small' " + options, kText);
  };
  const ProgramRun all = triples("--all");
  ASSERT_EQ(all.exit_code, 0) << all.err;
  EXPECT_EQ(all.out, triples("--min-confidence 0").out);
  EXPECT_GT(lines_of(all.out).size(), lines_of(triples("--min-confidence 0.99").out).size());
}

TEST_F(ExtractCommand, UnknownModelSaysWhereItLooked) {
  const ProgramRun run = run_program("extract --model no-such-model", kText);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("model 'no-such-model': no such directory (looked in "));
}

TEST_F(ExtractCommand, FullDiskIsAnError) {
  const ProgramRun run = extract("> /dev/full", kText);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("standard output: writing failed"));
}

TEST_F(ExtractCommand, EmptyInputIsNoError) {
  const ProgramRun run = extract("--format jsonl", "");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, "");
}

TEST_F(ExtractCommand, AParagraphWithoutEndIsReadInParts) {
  std::string text = "\xEF\xBB\xBF";  // byte-order mark
  for (int sentence = 0; sentence < 40000; ++sentence) text += "The cat sat on a mat here. ";
  const std::string file = write("long.txt", text);
  const ProgramRun run =
      run_program("extract --model '" + (temp_->path() / "model").string() +
                  "' --preset paper --samples 1 --steps 1 --format jsonl '" + file + "'");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::vector<std::string> lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 40000U);
  EXPECT_EQ(json::parse(lines.front())["source"]["bytes"][0], 3);
  EXPECT_EQ(json::parse(lines.back())["source"]["bytes"][1], text.size() - 1);
}

}  // namespace
