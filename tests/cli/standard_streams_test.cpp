// Nothing that happens to stderr costs a result, and nothing is lost without a word.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "cli/toy_extract.h"

namespace {

using ::testing::HasSubstr;

class StandardStreams : public ToyExtract {
 protected:
  // One file is missing and one has a bad byte: two messages, and one about the model.
  static std::string two_messages() {
    write("bad.txt", "A cat sat on the mat.\n\nbad \xFF byte here\n");
    return "--format jsonl missing.txt bad.txt ";
  }
};

TEST_F(StandardStreams, NoStateOfStderrCostsAResult) {
  const ProgramRun well = extract(two_messages());
  EXPECT_EQ(lines_of(well.err).size(), 3U) << well.err;
  EXPECT_EQ(lines_of(well.out).size(), 2U);
  for (const char* stderr_is : {"2>&-", "2>/dev/full", "2>/dev/null </dev/null"}) {
    const ProgramRun run = extract(two_messages() + stderr_is);
    EXPECT_EQ(run.exit_code, 1) << stderr_is;
    EXPECT_EQ(run.out, well.out) << stderr_is;
  }
}

TEST_F(StandardStreams, APipeThatNobodyReadsCostsNoResult) {
  // The reader has left before the program writes: it opens the pipe and closes it again.
  const ProgramRun well = extract(two_messages());
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::thread reader([&] { ::close(::open(path("pipe").c_str(), O_RDONLY)); });
  const int writer = ::open(path("pipe").c_str(), O_WRONLY);
  reader.join();
  const ProgramRun run = extract(two_messages() + "2>&" + std::to_string(writer));
  ::close(writer);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.out, well.out);
}

// As with `| head`: the signal ends the run without a word; where it is ignored, an error does.
TEST_F(StandardStreams, AReaderThatHasEnoughEndsTheRun) {
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "A cat sat on the mat .\n";
  write("many.txt", many);
  for (const auto& [trap, code] :
       {std::pair<std::string, std::string>{"", "141\n"}, {"trap '' PIPE; ", "2\n"}}) {
    const std::string command =
        "cd '" + temp_->path().string() + "' && { " + trap + "'" DIFFIE_BINARY "' " +
        arguments("--lines --format jsonl many.txt") + " 2>err; echo $? >code; } | head -n 1 >out";
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(read("code"), code);
    EXPECT_EQ(lines_of(read("out")).size(), 1U);
    EXPECT_EQ(lines_of(read("err")).size(), trap.empty() ? 1U : 2U) << read("err");
    if (!trap.empty()) {
      EXPECT_THAT(read("err"), HasSubstr("standard output: writing failed: Broken pipe"));
    }
  }
}

TEST_F(StandardStreams, MessagesGoToNoFileOfOurs) {
  const ProgramRun run = extract(two_messages() + "--output out.jsonl --resume 2>&- >&- <&-");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(read("out.jsonl"), extract(two_messages()).out);
}

TEST_F(StandardStreams, ClosedStdoutIsAnError) {
  const ProgramRun run = extract(">&-", "A cat sat on the mat.\n");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("standard output: writing failed"));
}

TEST_F(StandardStreams, ClosedStdinIsAnInputThatCannotBeRead) {
  const ProgramRun run = extract("- <&-");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err, HasSubstr("-: reading failed: Bad file descriptor"));
  write("good.txt", "A cat sat on the mat.\n");
  EXPECT_EQ(extract("good.txt <&-").exit_code, 0);
}

TEST_F(StandardStreams, EveryCommandNoticesAFullDisk) {
  for (const std::string& command :
       {"model verify '" + path("model") + "'", "model inspect '" + path("model") + "'",
        std::string("--help"), std::string("extract --help"), std::string("--version")}) {
    const ProgramRun run = run_program(command + " >/dev/full");
    EXPECT_EQ(run.exit_code, 2) << command;
    EXPECT_THAT(run.err, HasSubstr("standard output: writing failed")) << command;
  }
}

// As a full disk is, by each program; no signal (SIGXFSZ) that ends it without a word.
TEST_F(StandardStreams, AFileThatMayGrowNoFurtherIsSaid) {
  const std::filesystem::path programs = std::filesystem::path(DIFFIE_BINARY).parent_path();
  for (const char* program : {"diffie", "diffie-lab", "diffie-server", "diffie-train"}) {
    if (!std::filesystem::exists(programs / program)) continue;
    const std::string command = "cd '" + temp_->path().string() + "' && { (ulimit -f 0; exec '" +
                                (programs / program).string() +
                                "' --help >help); echo code $?; } 2>&1 | cat >said";
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(read("said"), "diffie: standard output: writing failed: File too large\ncode 2\n")
        << program;
  }
  write("text.txt", "A cat sat on the mat.\n");
  const std::string command =
      "cd '" + temp_->path().string() + "' && { (ulimit -f 0; exec '" DIFFIE_BINARY "' " +
      arguments("-f jsonl -o large text.txt") + "); echo code $?; } 2>&1 | cat >said";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_THAT(read("said"), HasSubstr("cannot be written: File too large\ncode 2\n"));
  EXPECT_FALSE(exists("large"));
}

TEST_F(StandardStreams, NamesInMessagesDoNotMoveTheCursor) {
  const ProgramRun run = extract("'no\x1b[31m\u009B\u202Esuch.txt'");
  EXPECT_THAT(run.err, HasSubstr("diffie: no\\x1b[31m\\x9b\\u202esuch.txt: "));
}

// The model is loaded before the input is opened; its word embeddings are read then.
TEST_F(StandardStreams, AModelThatIsCutShortIsSaid) {
  std::filesystem::copy(path("model"), path("short"));
  ASSERT_EQ(::mkfifo(path("text").c_str(), 0600), 0);
  std::thread writer([&] {
    const int text = ::open(path("text").c_str(), O_WRONLY);
    std::filesystem::resize_file(path("short") + "/model.safetensors", 0);
    EXPECT_GT(::write(text, "A cat sat.\n", 11), 0);
    ::close(text);
  });
  const ProgramRun run = run_program(
      "extract --model short --preset paper --samples 12 --steps 2 text", "", temp_->path());
  writer.join();
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err,
              HasSubstr("diffie: short/model.safetensors: was cut short while it is used"));
}

}  // namespace
