// However little memory there is, a program that starts ends with a code of its own and says why.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>

#include "cli/toy_extract.h"

namespace {

class Memory : public ToyExtract {
 protected:
  static ProgramRun run_within(int kilobytes, const std::string& words) {
    const std::string command = "cd '" + temp_->path().string() + "' && ulimit -c 0 && ulimit -v " +
                                std::to_string(kilobytes) + " && exec '" DIFFIE_BINARY "' " +
                                words + " >out 2>err";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read("out"),
            read("err")};
  }

  static std::vector<std::string> messages(const std::string& err) {
    std::vector<std::string> lines = lines_of(err);
    std::erase_if(lines, [](const std::string& line) {  // allocators have their own to say
      return !line.starts_with("diffie: ") || line.find("untrained") != std::string::npos;
    });
    return lines;
  }

  // From where the libraries, which need most of it, can be loaded and set up.
  static int first_kilobytes() {
    for (int kilobytes = 10'000;; kilobytes += 1'000) {
      const int code = run_within(kilobytes, "--version").exit_code;
      if (code != 127 && code != 128 + SIGABRT) return kilobytes;
    }
  }
};

TEST_F(Memory, TooLittleIsSaidInOneLine) {
  write("text.txt", "A cat sat on the mat.\n");
  if (std::system("(ulimit -v 4000000) 2>/dev/null") != 0) GTEST_SKIP() << "no such limit";
  const int first = first_kilobytes();
  for (const std::string& words : {arguments("-t 1 -f jsonl text.txt"), std::string("--help")}) {
    int succeeded = 0, refused = 0;
    for (int kilobytes = first + 1'000; kilobytes < first + 200'000; kilobytes += 1'000) {
      const ProgramRun run = run_within(kilobytes, words);
      SCOPED_TRACE(words + " within " + std::to_string(kilobytes) + ": " + run.err);
      succeeded = run.exit_code == 0 ? succeeded + 1 : 0;
      if (succeeded == 5) break;
      if (succeeded > 0) continue;
      ++refused;
      EXPECT_TRUE(run.exit_code == 1 || run.exit_code == 2) << run.exit_code;
      EXPECT_EQ(messages(run.err).size(), 1U);
    }
    EXPECT_EQ(succeeded, 5);
    if (words != "--help") {
      EXPECT_GT(refused, 5);
    }
  }
}

}  // namespace
