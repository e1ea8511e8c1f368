// Texts that are made to hide, to flood or to break what reads our output.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/toy_extract.h"

namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class HostileText : public ToyExtract {};

TEST_F(HostileText, ALineIsALineHoweverLong) {
  std::string huge;
  while (huge.size() < 5'000'000) huge += "no end ";
  for (const char* mode : {"--lines", "--pretokenized"}) {
    const ProgramRun run = extract(std::string("--format jsonl ") + mode,
                                   "A cat sat on the mat .\n" + huge + "\nA dog barked .\n");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, HasSubstr("diffie: -: sentence at byte 23: a line of more than 1048576"));
    const std::vector<std::string> lines = lines_of(run.out);
    ASSERT_EQ(lines.size(), 3U);
    const json failed = json::parse(lines[1]);
    EXPECT_EQ(failed["error"], "a line of more than 1048576 bytes");
    EXPECT_EQ(failed["sentence"], huge.substr(0, 1024));
    EXPECT_TRUE(failed["extractions"].empty());
    EXPECT_EQ(json::parse(lines[2])["sentence"], "A dog barked .");
  }
  EXPECT_THAT(extract("--lines", huge).out, HasSubstr("\n  (failed: a line of more than 1048576"));
}

TEST_F(HostileText, ALongLineIsNotKept) {
  {
    std::ofstream file(path("huge.txt"));
    file << "A cat sat on the mat .\n";
    for (int i = 0; i < 6'000'000; ++i) file << "no end ";
    file << "\nA dog barked .\n";
  }
  const std::string command = "cd '" + temp_->path().string() + "' && exec '" DIFFIE_BINARY "' " +
                              arguments("--lines --format jsonl huge.txt") + " >out 2>err";
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    std::_Exit(127);
  }
  int status = 0;
  rusage used{};
  ASSERT_EQ(::wait4(child, &status, 0, &used), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_EQ(lines_of(read("out")).size(), 3U);
  EXPECT_LT(used.ru_maxrss, 100'000);  // kB
}

TEST_F(HostileText, ARunThatMetALongLineCanBeTakenUp) {
  write("long.txt",
        "A cat sat on the mat .\n" + std::string(2'000'000, 'x') + "\nA dog barked .\n");
  const std::string flags = "--lines --format jsonl --output out.jsonl --resume long.txt";
  EXPECT_EQ(extract(flags).exit_code, 1);
  EXPECT_EQ(read("out.jsonl"), extract("--lines --format jsonl long.txt").out);
  EXPECT_EQ(lines_of(read("out.jsonl")).size(), 3U);
}

TEST_F(HostileText, PlacesBehindALongLineStay) {
  const std::string text =
      "A cat sat on the mat .\n" + std::string(2'000'000, 'x') + "\nA dog barked at it .\n";
  write("doc.txt", text);
  EXPECT_EQ(extract("--lines --all --format brat --output marked doc.txt").exit_code, 1);
  const std::string marked = read("marked/doc.txt");
  ASSERT_EQ(marked.size(), text.size());
  EXPECT_EQ(marked.substr(marked.size() - 21), "A dog barked at it .\n");
}

TEST_F(HostileText, TokenizeKeepsLineNumbersToo) {
  const ProgramRun run =
      run_program("tokenize", "one\n" + std::string(2'000'000, 'x') + "\nthree\n");
  EXPECT_EQ(run.exit_code, 1);
  const std::vector<std::string> lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[1], R"({"error": "a line of more than 1048576 bytes"})");
  EXPECT_THAT(lines[2], HasSubstr("three"));
}

// ESC, CSI as C1, next line, line and paragraph separators, a right-to-left override and isolate,
// vertical tab, form feed, file and record separators.
const std::string kControls =
    "The\x1b[31m cat\u009B2J sat\u0085on\u2028 the\u202E mat\x0B and\x0C the\x01 dog\x7F \u2067 "
    "ran\u2069 "
    "to\u2029 a\x1C big\x1E house .";

TEST_F(HostileText, ATerminalIsNotMoved) {
  const ProgramRun run = extract("--lines --all", kControls + "\n");
  for (const char* raw : {"\x1b", "\u009B", "\u0085", "\u2028", "\u2029", "\u202E", "\u2067",
                          "\u2069", "\x0B", "\x0C", "\x1C", "\x1E", "\x01", "\x7F"}) {
    EXPECT_THAT(run.out, Not(HasSubstr(raw)));
  }
  EXPECT_THAT(run.out, ::testing::StartsWith("The [31m cat 2J sat on the\\u202e mat and the dog "
                                             "\\u2067 ran\\u2069 to a big house .\n"));
}

TEST_F(HostileText, ARowOfATableIsOneLineToEveryReader) {
  for (const char* format : {"tsv", "carb"}) {
    const ProgramRun run =
        extract(std::string("--lines --all --format ") + format, kControls + "\n");
    ASSERT_FALSE(run.out.empty());
    for (const char* raw : {"\x1b", "\u009B", "\u0085", "\u2028", "\u2029", "\x0B", "\x0C", "\x1C",
                            "\x1E", "\x01", "\x7F", "\r"}) {
      EXPECT_THAT(run.out, Not(HasSubstr(raw))) << format;
    }
    for (const std::string& line : lines_of(run.out))
      EXPECT_EQ(std::count(line.begin(), line.end(), '\t'), 4) << line;
    EXPECT_THAT(run.out, HasSubstr("The [31m cat 2J sat on  the\u202E mat  and  the  dog  "
                                   "\u2067 ran\u2069 to  a  big  house ."));
  }
}

}  // namespace
