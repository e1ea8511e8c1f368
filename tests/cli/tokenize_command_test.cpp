#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "cli/run_program.h"
#include "temp_dir.h"

namespace diffie::cli {
namespace {

class TokenizeCommand : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(temp_.path() / name, std::ios::binary) << content;
    return (temp_.path() / name).string();
  }

  static ProgramRun run(const std::string& arguments, const std::string& input = "") {
    return run_program("tokenize " + arguments, input);
  }

  test::TempDir temp_;
};

TEST_F(TokenizeCommand, PrintsIdsPiecesAndByteOffsets) {
  const ProgramRun result = run("-", "Caf\u00E9 \"x\"\n");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "{\"ids\": [101, 7668, 1000, 1060, 1000, 102], "
            "\"pieces\": [\"[CLS]\", \"cafe\", \"\\\"\", \"x\", \"\\\"\", \"[SEP]\"], "
            "\"offsets\": [[0, 0], [0, 5], [6, 7], [7, 8], [8, 9], [0, 0]]}\n");
}

TEST_F(TokenizeCommand, OneLinePerLineAlsoForEmptyOnesAndWithoutFinalLineEnd) {
  const ProgramRun result = run("", "a\r\n\n\u2028\nb");
  EXPECT_EQ(result.exit_code, 0);
  std::istringstream lines(result.out);
  std::vector<std::size_t> sizes;
  for (std::string line; std::getline(lines, line);) {
    sizes.push_back(nlohmann::json::parse(line).at("ids").size());
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{3, 2, 2, 3}));
  EXPECT_EQ(run("", "").out, "");
}

TEST_F(TokenizeCommand, MissingFileIsNamedAndTheOthersAreRead) {
  const std::string good = write("good.txt", "the\n");
  const ProgramRun result = run("no/such.txt " + good + " /");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.out.find("1996"), std::string::npos);
  EXPECT_NE(result.err.find("no/such.txt: "), std::string::npos);
  EXPECT_NE(result.err.find("diffie: /: "), std::string::npos);
}

TEST_F(TokenizeCommand, BadUtf8IsNamedAndTokenisedAllTheSame) {
  const std::string file = write("bad.txt", "the\nthe t\xFFhe\nthe\n");
  const ProgramRun result = run(file);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err, "diffie: " + file +
                            ": invalid UTF-8 in 1 line, first at line 2, byte 5; read as U+FFFD\n");
  EXPECT_NE(result.out.find("[[0, 0], [0, 3], [4, 8], [0, 0]]"), std::string::npos) << result.out;
}

TEST_F(TokenizeCommand, ALineThatIsTooLongIsNamedWithItsFile) {
  const std::string good = write("good.txt", "the\n");
  const std::string file = write("long.txt", "the\n" + std::string((1 << 20) + 1, 'x') + "\n");
  const ProgramRun result = run(good + " " + file);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err, "diffie: " + file + ": line 2: a line of more than 1048576 bytes\n");
}

TEST_F(TokenizeCommand, FullDiskIsNoSuccess) {
  EXPECT_EQ(run("> /dev/full", "the\n").exit_code, 2);
}

TEST_F(TokenizeCommand, TakesAnotherVocabulary) {
  const std::string vocab = write("vocab.txt", "[UNK]\n[CLS]\n[SEP]\nab\n");
  EXPECT_NE(run("--vocab " + vocab, "ab x\n").out.find("[1, 3, 0, 2]"), std::string::npos);
  const std::string pipe = (temp_.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << test::read_file(vocab); });
  EXPECT_NE(run("--vocab " + pipe, "ab x\n").out.find("[1, 3, 0, 2]"), std::string::npos);
  writer.join();
  const ProgramRun endless = run("--vocab /dev/zero", "ab\n");
  EXPECT_EQ(endless.exit_code, 2);
  EXPECT_EQ(endless.err, "diffie: /dev/zero: over 2097152 bytes, the most that is read\n");
  const ProgramRun broken = run("--vocab no-vocab.txt", "ab\n");
  EXPECT_EQ(broken.exit_code, 2);
  EXPECT_NE(broken.err.find("no-vocab.txt"), std::string::npos);
}

}  // namespace
}  // namespace diffie::cli
