// The commands of docs/data.md on a file of three sentences: what they print and how they end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "cli/run_program.h"
#include "temp_dir.h"

namespace {

using testing::HasSubstr;

const std::string kFolder = DIFFIE_SOURCE_DIR "/tests/lab/data/";
const std::string kSample = kFolder + "sample.jsonl";

class DataCommand : public testing::Test {
 protected:
  ProgramRun run(const std::string& arguments) const {
    return run_program("data " + arguments, "", temp_.path());
  }

  void expect_prints(const std::string& arguments, const std::string& out) const {
    const ProgramRun result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << arguments << "\n" << result.err;
    EXPECT_EQ(result.out, out) << arguments;
  }

  void expect_refused(const std::string& arguments, const std::string& why) const {
    const ProgramRun result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_EQ(result.out, "") << arguments;
    EXPECT_THAT(result.err, HasSubstr(why));
  }

  diffie::test::TempDir temp_;
};

TEST_F(DataCommand, AlignCountsWhatEachAlignerKeeps) {
  expect_prints("align '" + kSample + "' --aligner paper --rows 2,3",
                "{\"sentences\":2,\"triplets\":3,\"kept\":1}\n"
                "{\"sentences\":3,\"triplets\":4,\"kept\":2}\n");
  expect_prints("align '" + kSample + "'", "{\"sentences\":3,\"triplets\":4,\"kept\":3}\n");
  expect_prints("align '" + kSample + "' --implied",
                "{\"sentences\":3,\"triplets\":4,\"kept\":4}\n");
}

TEST_F(DataCommand, BuildsAndDistilsTrainingFiles) {
  expect_prints("build '" + kSample + "' --exclude none --weight gaps=0.5 --out built.safetensors",
                "{\"sentences\":3,\"triplets\":4,\"excluded_sentences\":0,"
                "\"other_fold_sentences\":0,\"long_sentences\":0,\"aligned\":3,\"duplicates\":0,"
                "\"unmatched\":0,\"kept_sentences\":3,\"instances\":3}\n");
  expect_prints("distil --pool '" + kFolder +
                    "pools.jsonl' --exclude none --out distilled.safetensors"
                    " --add built.safetensors",
                "{\"sentences\":2,\"excluded_sentences\":0,\"long_sentences\":0,\"unmatched\":0,"
                "\"empty_sentences\":1,\"samples\":18,\"kept_samples\":8,\"kept_sentences\":1,"
                "\"instances\":2,\"added_sentences\":3,\"added_instances\":3}\n");
  EXPECT_GT(std::filesystem::file_size(temp_ / "distilled.safetensors"), 0u);
}

TEST_F(DataCommand, TreebankWritesRowsAndSentences) {
  diffie::test::write_file(temp_ / "trees.conllu",
                           "1\tIt\tit\tPRON\t_\t_\t3\tnsubj:pass\t_\t_\n"
                           "2\twas\tbe\tAUX\t_\t_\t3\taux:pass\t_\t_\n"
                           "3\tsold\tsell\tVERB\t_\t_\t0\troot\t_\t_\n"
                           "4\tto\tto\tADP\t_\t_\t5\tcase\t_\t_\n"
                           "5\tTom\tTom\tPROPN\t_\t_\t3\tobl\t_\t_\n");
  expect_prints(
      "treebank trees.conllu --exclude none --rules plain,relative --out rows.jsonl"
      " --sentences text.txt",
      "{\"sentences\":1,\"excluded_sentences\":0,\"other_lengths\":0,\"repeated\":0,"
      "\"rows\":1,\"appositions\":0,\"possessives\":0,\"coordination\":0,"
      "\"relative\":0,\"nested\":0,\"plain\":1}\n");
  EXPECT_EQ(diffie::test::read_file(temp_ / "text.txt"), "It was sold to Tom\n");
  expect_prints("align rows.jsonl", "{\"sentences\":1,\"triplets\":1,\"kept\":1}\n");
  expect_refused("treebank trees.conllu --rules all --out bad.jsonl", "wanted some of appositions");
  expect_refused("treebank no_such.conllu --out bad.jsonl", "no_such.conllu: cannot be read");
}

TEST_F(DataCommand, WhatIsWrongEndsWithTwoAndLeavesNoFile) {
  expect_refused("align no_such.jsonl", "no_such.jsonl: cannot be read");
  expect_refused("build '" + kSample + "' --weight nothing=1 --out bad.safetensors",
                 "wanted a relaxation and a factor");
  expect_refused("distil --pool '" + kSample + "' --out bad.safetensors",
                 "sample.jsonl: line 1: no 'words'");
  for (const std::string command : {"align", "build --out bad.safetensors"}) {
    expect_refused(command + " '" + kSample + "' --rows 0", "--rows: is 0, must be at least 1");
    expect_refused(command + " '" + kSample + "' --implied-words is",
                   "--implied-words requires --implied");
  }
  expect_refused("align '" + kSample + "' --rows 2,0", "--rows: is 0, must be at least 1");
  EXPECT_FALSE(std::filesystem::exists(temp_ / "bad.safetensors"));
}

TEST_F(DataCommand, NoInputIsReplacedAndWhatCannotBeWrittenIsSaidAtOnce) {
  const std::string replaced = ": is read, and would be replaced\n";
  for (const char* name : {"rows.jsonl", "order", "vocab.txt", "exclude", "pool.jsonl", "t.conllu"})
    diffie::test::write_file(temp_ / name, "nothing that could be read");
  const std::string build = "build rows.jsonl --vocab vocab.txt --exclude exclude --order order ";
  for (const std::string name : {"rows.jsonl", "order", "vocab.txt", "exclude"}) {
    expect_refused(build + "--out " + name, name + replaced);
    expect_refused(build + "--out new --sentences " + name, name + replaced);
  }
  expect_refused(build + "--out new --sentences new", "new: would be written twice\n");
  const std::string distil = "distil --pool pool.jsonl --vocab vocab.txt --exclude exclude ";
  for (const std::string name : {"pool.jsonl", "vocab.txt", "exclude"})
    expect_refused(distil + "--out " + name, name + replaced);
  expect_refused(distil + "--add order --out order", "order" + replaced);
  expect_refused(distil + "--gold order --out order", "order" + replaced);
  for (const std::string command : {"align", "report"})
    expect_refused(command + " rows.jsonl --out rows.jsonl", "rows.jsonl" + replaced);
  expect_refused("treebank t.conllu --exclude none --out t.conllu", "t.conllu" + replaced);
  expect_refused("treebank t.conllu --exclude none --sentences t.conllu", "t.conllu" + replaced);
  for (const std::string& command : {build, distil, std::string("report rows.jsonl ")})
    expect_refused(command + "--out .", ".: cannot be created: is a folder\n");
}

TEST_F(DataCommand, NoSentencesAreNoTrainingData) {
  for (const char* text : {"", "\n"}) {
    diffie::test::write_file(temp_ / "empty", text);
    for (const std::string command : {"align empty", "report empty", "build empty --exclude none",
                                      "distil --pool empty", "treebank empty --exclude none"}) {
      expect_refused(command + " --out new", "diffie: empty: no sentences in it\n");
    }
  }
  EXPECT_FALSE(std::filesystem::exists(temp_ / "new"));
}

TEST_F(DataCommand, WhyAFileCannotBeReadIsSaid) {
  expect_refused("build '" + kSample + "' --exclude nosuch --out new",
                 "diffie: nosuch: cannot be read: No such file or directory\n");
  expect_refused("build '" + kSample + "' --exclude . --out new", "diffie: .: is a directory");
}

}  // namespace
