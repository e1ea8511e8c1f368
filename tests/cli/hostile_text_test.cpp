// Texts that are made to hide, to flood or to break what reads our output.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
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

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;  // what was freed is kept for a while
#else
constexpr bool kSanitized = false;
#endif

struct MeasuredRun {
  int exit_code = -1;
  long peak_kb = 0;
};

// In `folder`; of the program itself, with what `feed` prints on its standard input.
MeasuredRun run_measured(const std::string& folder, const std::string& arguments,
                         const std::string& feed = "true") {
  const std::string command =
      "cd '" + folder + "' && exec '" DIFFIE_BINARY "' " + arguments + " >out 2>err";
  int ends[2];
  if (::pipe(ends) != 0) return {};
  const auto start = [&](int end, int standard, const std::string& line) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    ::dup2(ends[end], standard);
    ::close(ends[0]);
    ::close(ends[1]);
    ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    std::_Exit(127);
  };
  const pid_t feeder = start(1, STDOUT_FILENO, feed);
  const pid_t program = start(0, STDIN_FILENO, command);
  ::close(ends[0]);
  ::close(ends[1]);
  int status = 0;
  rusage used{};
  ::wait4(program, &status, 0, &used);
  const MeasuredRun run{WIFEXITED(status) ? WEXITSTATUS(status) : -1, used.ru_maxrss};
  ::waitpid(feeder, &status, 0);
  return run;
}

TEST_F(HostileText, ALongLineIsNotKept) {
  {
    std::ofstream file(path("huge.txt"));
    file << "A cat sat on the mat .\n";
    for (int i = 0; i < 6'000'000; ++i) file << "no end ";
    file << "\nA dog barked .\n";
  }
  const MeasuredRun run = run_measured(temp_->path(), arguments("--lines --format jsonl huge.txt"));
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(lines_of(read("out")).size(), 3U);
  EXPECT_LT(run.peak_kb, 100'000);
}

std::string newlines_between_sentences(std::size_t count) {
  return "printf 'A cat sat on the mat.'; head -c " + std::to_string(count) +
         " /dev/zero | tr '\\0' '\\n'; printf 'A dog barked.'";
}

TEST_F(HostileText, WhiteSpaceWithoutEndIsNotKept) {
  const MeasuredRun run = run_measured(temp_->path(), arguments("--format jsonl"),
                                       newlines_between_sentences(200'000'000));
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(kSanitized || run.peak_kb < 100'000) << run.peak_kb;
  const std::vector<std::string> lines = lines_of(read("out"));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(json::parse(lines[1])["sentence"], "A dog barked.");
  EXPECT_EQ(json::parse(lines[1])["source"]["bytes"], json({200'000'021, 200'000'034}));
}

TEST_F(HostileText, WhiteSpaceWithoutEndIsRepeatedAndNotKept) {
  constexpr std::size_t kCount = 40'000'000;
  const std::map<std::string, std::size_t> least_bytes = {
      {"brat", kCount}, {"hipporag", 2 * kCount}, {"lightrag", 2 * kCount}};
  for (const auto& [format, least] : least_bytes) {
    const MeasuredRun run =
        run_measured(temp_->path(), arguments("--format " + format + " --output white." + format),
                     newlines_between_sentences(kCount));
    EXPECT_EQ(run.exit_code, 0) << read("err");
    EXPECT_TRUE(kSanitized || run.peak_kb < 100'000) << format << ' ' << run.peak_kb;
    const std::string file = format == "brat" ? "white.brat/-.txt" : "white." + format;
    EXPECT_GE(std::filesystem::file_size(path(file)), least + 34) << format;
    std::filesystem::remove_all(path("white." + format));
  }
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
