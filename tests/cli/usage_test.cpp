// What is said to who calls the program wrongly, or without knowing it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "cli/toy_extract.h"

namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Usage : public ToyExtract {};

TEST_F(Usage, WithoutACommandAllAreListed) {
  const ProgramRun none = run_program("");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_EQ(none.out, "");
  EXPECT_THAT(none.err, AllOf(HasSubstr("Print the triples of a text"), HasSubstr("\n  score ")));
  const ProgramRun help = run_program("help");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_EQ(help.out, run_program("--help").out);
  EXPECT_THAT(help.out, HasSubstr("Print the triples of a text"));
  EXPECT_EQ(run_program("help extract").out, run_program("extract --help").out);
  EXPECT_EQ(run_program("help model verify").out, run_program("model verify --help").out);
}

TEST_F(Usage, AnUnknownWordIsNamedWithTheNearest) {
  const auto told = [](const std::string& arguments) {
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 2) << arguments;
    EXPECT_EQ(run.out, "") << arguments;
    EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
    return run.err;
  };
  EXPECT_THAT(told("frobnicate"),
              StartsWith("diffie: no command 'frobnicate'; there are extract, tokenize, model, "));
  EXPECT_THAT(told("exract file.txt"),
              StartsWith("diffie: no command 'exract'; did you mean extract? There are extract, "));
  EXPECT_THAT(told("help frobnicate"), HasSubstr("no command 'frobnicate'"));
  EXPECT_THAT(told("model verfy small"),
              StartsWith("diffie: no command 'model verfy'; did you mean verify?"));
  EXPECT_THAT(told("model"), StartsWith("diffie: model needs a command: inspect, verify, "));
  EXPECT_EQ(told("extract --smaples 3"),
            "diffie: extract has no option --smaples; did you mean --samples?\n");
  EXPECT_EQ(told("extract --fromat=tsv"),
            "diffie: extract has no option --fromat; did you mean --format?\n");
  EXPECT_EQ(told("extract --zzzzzzzzzz"),
            "diffie: extract has no option --zzzzzzzzzz; diffie extract --help lists them\n");
  EXPECT_THAT(told("$(printf 'a\\033[31mb')"), HasSubstr("'a\\x1b[31mb'"));
}

TEST_F(Usage, ValuesThatMeanTwoThingsOrNoneAreRefused) {
  for (const auto& [arguments, option] : std::vector<std::pair<std::string, std::string>>{
           {"--samples 010", "samples"},
           {"--samples ''", "samples"},
           {"--samples 0x10", "samples"},
           {"--seed -1", "seed"},
           {"--seed 18446744073709551616", "seed"},
           {"--seed 007", "seed"},
           {"--min-confidence nan", "min_confidence"},
           {"''", "files: is empty"},
           {"--model ''", "--model: is empty"},
           {"--device ''", "--device: is empty"},
           {"--times ''", "--times: is empty"},
           {"--base-iri ''", "--base-iri: is empty"},
           {"--input-format ''", "--input-format"},
           {"--shard ''", "--shard"},
           {"--preset ''", "--preset"},
           {"--output ''", "--output"},
           {"--output '' --resume", "--output"},
           {"--id-field ''", "--id-field"},
           {"--text-field ''", "--text-field"},
           {"--output=", "--output= has no value"},
           {"--samples= 3", "--samples= has no value"},
           {"--text-field= body", "--text-field= has no value"},
           {"--base-iri= urn:x:", "--base-iri= has no value"},
           {"--asserted-only=2", "--asserted-only: takes no value"},
           {"--resume=no --output x", "--resume: takes no value"},
           {"--tidy=false", "--tidy: takes no value"},
           {"--tidy --no-tidy", "--tidy excludes --no-tidy"},
           {"--no-refine --refine", "--refine excludes --no-refine"},
           {"--document-offsets -f tsv", "--document-offsets is for the format jsonl, not tsv"},
           {"--classic-reification -f jsonl", "--classic-reification is for the format ntriples"},
           {"--base-iri x -f text", "--base-iri is for the format ntriples or turtle, not text"},
           {"--output - --resume", "--resume needs a file or folder as --output"},
           {"--lines --pretokenized", "--pretokenized"}}) {
    const ProgramRun run =
        run_program("extract --model '" + path("model") + "' " + arguments, "A cat sat.\n");
    EXPECT_EQ(run.exit_code, 2) << arguments;
    EXPECT_EQ(run.out, "") << arguments;
    EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
    EXPECT_THAT(run.err, HasSubstr(option)) << arguments;
  }
}

TEST_F(Usage, AnOptionWithoutItsValueTakesNoFileForIt) {
  const std::string file = write("kept.txt", "[UNK]\n[CLS]\n[SEP]\n");
  for (const std::string option :
       {"extract --output= ", "extract --model= ", "tokenize --vocab= ", "help extract --output= ",
        "score carb --gold= ", "serve --model= ", "train run --config= "}) {
    const ProgramRun run = run_program(option + "'" + file + "'", "A cat sat.\n");
    EXPECT_EQ(run.exit_code, 2) << option;
    EXPECT_EQ(run.out, "") << option;
    EXPECT_THAT(run.err, EndsWith("= has no value\n")) << option;
  }
  EXPECT_EQ(read("kept.txt"), "[UNK]\n[CLS]\n[SEP]\n");
  write("--odd=", "A cat sat.\n");
  EXPECT_EQ(extract("-f jsonl -- --odd=").exit_code, 0);
}

TEST_F(Usage, WhatFollowsTwoMinusesIsFiles) {
  write("a.txt", "The cat sat on a mat.\n");
  write("-f", "A dog barked.\n");
  write("--lines", "It rained.\n");
  const std::string options = "-f jsonl --lines ";
  const std::string all = extract(options + "a.txt ./-f ./--lines").out;
  EXPECT_EQ(lines_of(all).size(), 3U);
  for (const char* words :
       {"a.txt -- -f --lines", "-- a.txt -f --lines", "a.txt ./-f -- --lines"}) {
    const ProgramRun run = extract(options + words);
    EXPECT_EQ(run.exit_code, 0) << words << ": " << run.err;
    EXPECT_EQ(run.out, all) << words;
  }
  EXPECT_EQ(extract(options + "a.txt --").out, extract(options + "a.txt").out);
  const auto tokenize = [](const std::string& words) {
    return run_program("tokenize " + words, "", temp_->path()).output();
  };
  EXPECT_EQ(tokenize("a.txt -- -f a.txt"), tokenize("a.txt ./-f a.txt"));
}

TEST_F(Usage, AMinusIsStandardOutput) {
  write("a.txt", "The cat sat on a mat.\n");
  for (const char* format : {"jsonl", "text"}) {
    const std::string to = std::string("a.txt -f ") + format;
    EXPECT_EQ(extract(to + " -o -").out, extract(to).out);
  }
  EXPECT_FALSE(exists("-"));
  EXPECT_THAT(extract("a.txt -f neo4j -o -").err, HasSubstr("name a folder with --output"));
}

TEST_F(Usage, AProgramThatIsNotBuiltSaysHowToBuildIt) {
  if (std::filesystem::exists(std::filesystem::path(DIFFIE_BINARY).parent_path() / "diffie-train"))
    GTEST_SKIP() << "it is built";
  for (const char* arguments : {"train --help", "train", "train run x.toml"}) {
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 2) << arguments;
    EXPECT_THAT(run.err, EndsWith("diffie-train is not built; cmake --preset train && cmake "
                                  "--build --preset train builds it (docs/install.md)\n"));
  }
}

TEST_F(Usage, ModelsAreNamedAlikeEverywhere) {
  ASSERT_EQ(::setenv("DIFFIE_MODELS", DIFFIE_SOURCE_DIR "/models", 1), 0);
  // A folder of that name here is not meant, with a model in it or without.
  std::filesystem::create_directories(path("here/small"));
  for (int time = 0; time < 2; ++time) {
    const auto here = [&](const std::string& arguments) {
      return run_program(arguments, "Paris lies on the Seine.\n", path("here"));
    };
    EXPECT_EQ(here("model verify small").output(), "OK\n");
    EXPECT_THAT(here("model inspect small").out, HasSubstr("trained     yes\n"));
    EXPECT_EQ(here("extract --model small").err, "");
    EXPECT_EQ(here("model verify ./small").exit_code, 1 - time);
    if (time > 0) break;
    std::filesystem::copy(path("model"), path("here/small"),
                          std::filesystem::copy_options::recursive);
  }
  ::unsetenv("DIFFIE_MODELS");
  EXPECT_THAT(run_program("model verify nowhere").err, HasSubstr("model 'nowhere': no such"));
}

TEST_F(Usage, TextOfSeveralFilesNamesThem) {
  write("a.txt", "The cat sat on a mat.\n");
  write("b\x1b.txt", "A dog barked at it.\n");
  EXPECT_THAT(extract("a.txt").out, StartsWith("The cat sat"));
  const std::string both = extract("a.txt b*.txt").out;
  EXPECT_THAT(both, StartsWith("==> a.txt <==\nThe cat sat on a mat.\n"));
  EXPECT_THAT(both, HasSubstr("\n==> b\\x1b.txt <==\nA dog barked at it.\n"));
  EXPECT_THAT(extract("--format tsv a.txt b*.txt").out, ::testing::Not(HasSubstr("==>")));
}

TEST_F(Usage, WaitingForATerminalIsSaidOnce) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) GTEST_SKIP() << "no terminals to be had";
  ASSERT_EQ(::grantpt(terminal) | ::unlockpt(terminal), 0);
  const std::string name = ::ptsname(terminal);
  const int other_side = ::open(name.c_str(), O_RDWR | O_NOCTTY);  // keeps what is typed
  const std::string typed = "A cat sat on the mat.\n\x04";
  ASSERT_EQ(::write(terminal, typed.data(), typed.size()), static_cast<ssize_t>(typed.size()));
  const ProgramRun run = extract("--format jsonl - <" + name);
  ::close(other_side);
  ::close(terminal);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(lines_of(run.out).size(), 1U);
  const std::string said = "diffie: reading what is typed here; Ctrl-D";
  EXPECT_THAT(run.err, HasSubstr(said));
  EXPECT_EQ(run.err.find(said), run.err.rfind(said)) << run.err;
  EXPECT_THAT(run.err, HasSubstr("ends it, a blank line ends a paragraph, which is then read\n"));
  EXPECT_THAT(extract("--format jsonl -", "A cat.\n").err, ::testing::Not(HasSubstr("Ctrl-D")));
}

}  // namespace
