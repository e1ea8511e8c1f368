// Where the system gives no more threads, the work is done with fewer or refused in one line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "cli/toy_extract.h"

namespace {

using ::testing::HasSubstr;

class Threads : public ToyExtract {
 protected:
  // As a user who may have so many threads; root may have all.
  static ProgramRun extract_with(int limit, const std::string& more) {
    const std::string command = "cd '" + temp_->path().string() +
                                "' && prlimit --nproc=" + std::to_string(limit) +
                                " setpriv --reuid=65534 --clear-groups '" DIFFIE_BINARY "' " +
                                arguments(more) + " <text.txt >out 2>err";
    const int status = std::system(command.c_str());
    std::string err;  // without what Arrow's allocator says where it is linked
    for (const std::string& line : lines_of(read("err")))
      if (!line.starts_with("<jemalloc>")) err += line + "\n";
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("out"), err};
  }
};

TEST_F(Threads, TooManyAreRefusedInOneLine) {
  write("text.txt", "A cat sat on the mat.\n");
  ASSERT_EQ(std::system(("chmod -R a+rX '" + temp_->path().string() + "'").c_str()), 0);
  const std::string usable =
      "prlimit --nproc=100 setpriv --reuid=65534 --clear-groups '" DIFFIE_BINARY
      "' --version >/dev/null 2>&1";
  if (::geteuid() != 0 || std::system(usable.c_str()) != 0)
    GTEST_SKIP() << "needs root, setpriv, and a program that others may run";
  const ProgramRun well = extract("--threads 2 --format jsonl text.txt");
  const std::string flags = "--threads 2 --format jsonl text.txt";
  bool refused = false;
  for (int limit = 1; limit <= 5; ++limit) {
    const ProgramRun run = extract_with(limit, flags);
    if (run.exit_code == 0) {
      EXPECT_EQ(run.out, well.out) << limit;
      continue;
    }
    refused = true;
    EXPECT_EQ(run.exit_code, 2) << limit << ": " << run.err;
    EXPECT_EQ(run.out, "") << limit;
    EXPECT_THAT(run.err, HasSubstr("of 2 cannot be started")) << limit;
    EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
  }
  EXPECT_TRUE(refused);
}

TEST_F(Threads, TooLittleAddressSpaceForThemIsSaid) {
  write("text.txt", "A cat sat on the mat.\n");
  if (std::system("prlimit --as=4000000000 true 2>/dev/null") != 0) GTEST_SKIP() << "no prlimit";
  // 600 stacks of 8 MB: more than there may be.
  const int status =
      std::system(("cd '" + temp_->path().string() +
                   "' && ulimit -s 8192 && prlimit --as=3000000000 '" DIFFIE_BINARY "' " +
                   arguments("--threads 600 text.txt") + " >out 2>err")
                      .c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_EQ(read("out"), "");
  EXPECT_THAT(read("err"), HasSubstr("of 600 cannot be started"));
}

}  // namespace
