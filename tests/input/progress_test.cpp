#include "progress.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace diffie::cli {
namespace {

using ::testing::MatchesRegex;

// A terminal in place of stderr, and /dev/null or the same one in place of stdout.
class Terminal {
 public:
  explicit Terminal(bool is_stdout = false)
      : keyboard_(::posix_openpt(O_RDWR | O_NOCTTY)),
        stdout_(::dup(STDOUT_FILENO)),
        stderr_(::dup(STDERR_FILENO)) {
    EXPECT_EQ(::grantpt(keyboard_) | ::unlockpt(keyboard_), 0);
    const int screen = ::open(::ptsname(keyboard_), O_RDWR | O_NOCTTY);
    const int null = ::open("/dev/null", O_WRONLY);
    ::dup2(screen, STDERR_FILENO);
    ::dup2(is_stdout ? screen : null, STDOUT_FILENO);
    ::close(screen);
    ::close(null);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  ~Terminal() {
    give_back();
    ::close(keyboard_);
  }

  // Everything; nothing can be written any more.
  std::string shown() {
    give_back();
    std::string all;
    char part[256];
    for (ssize_t size; (size = ::read(keyboard_, part, sizeof part)) > 0;)
      all.append(part, static_cast<std::size_t>(size));
    return all;
  }

 private:
  void give_back() {
    if (stderr_ < 0) return;
    ::dup2(stdout_, STDOUT_FILENO);
    ::dup2(stderr_, STDERR_FILENO);
    ::close(stdout_);
    ::close(std::exchange(stderr_, -1));
  }

  const int keyboard_;
  const int stdout_;
  int stderr_;
};

class ProgressLine : public ::testing::Test {
 protected:
  void SetUp() override {
    const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0) GTEST_SKIP() << "no terminals to be had";
    ::close(terminal);
  }
};

constexpr std::string_view kWipe = "\r\x1b[K";

// What is shown of one report, gone at the end.
std::string status_of(std::uint64_t bytes_done, std::optional<std::uint64_t> bytes_total) {
  Terminal terminal;
  {
    Progress progress;
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    progress.update(30, bytes_done, bytes_total);
  }
  const std::string shown = terminal.shown();
  EXPECT_TRUE(shown.starts_with(kWipe) && shown.ends_with(kWipe)) << shown;
  return shown.substr(kWipe.size(), shown.size() - 2 * kWipe.size());
}

TEST_F(ProgressLine, SaysHowMuchIsDoneAndWhatIsLeft) {
  EXPECT_THAT(
      status_of(1, 2),
      MatchesRegex("\\[============            \\]  50 %  30 sentences, [0-9.]+/s, 0:0[0-9] left"));
  EXPECT_THAT(status_of(1, 1000), MatchesRegex("\\[ {24}\\]   0 %  30 .*, [0-9]+:[0-5][0-9] left"));
  EXPECT_THAT(status_of(1, 100000),
              MatchesRegex("\\[ {24}\\]   0 %  30 .*, [0-9]+:[0-5][0-9]:[0-5][0-9] left"));
}

TEST_F(ProgressLine, IsNeverMoreThanAll) {  // a file that has grown
  EXPECT_THAT(status_of(3, 2),
              MatchesRegex("\\[={24}\\] 100 %  30 sentences, [0-9.]+/s, 0:00 left"));
}

TEST_F(ProgressLine, DoesWithoutAnEnd) {
  EXPECT_THAT(status_of(1, {}), MatchesRegex("30 sentences, [0-9.]+/s"));
  EXPECT_THAT(status_of(0, 0), MatchesRegex("30 sentences, [0-9.]+/s"));
}

TEST_F(ProgressLine, IsDrawnOverItselfTenTimesASecondAtMost) {
  Terminal terminal;
  const auto begin = std::chrono::steady_clock::now();
  std::chrono::duration<double> passed{};
  {
    Progress progress;
    while (passed.count() < 0.25) {
      progress.update(30, 1, 2);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      passed = std::chrono::steady_clock::now() - begin;
    }
  }
  const std::string shown = terminal.shown();
  std::size_t num_drawn = 0;
  for (std::size_t at = 0; (at = shown.find(kWipe, at)) != std::string::npos; ++at) ++num_drawn;
  EXPECT_GE(num_drawn, 2U);  // and wiped at the end
  EXPECT_LE(static_cast<double>(num_drawn), 1 + passed.count() / 0.1);
  EXPECT_EQ(shown.find('\n'), std::string::npos);
}

TEST_F(ProgressLine, LeavesATerminalToTheResults) {
  Terminal terminal(/*is_stdout=*/true);
  {
    Progress progress;
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    progress.update(30, 1, 2);
  }
  EXPECT_EQ(terminal.shown(), "");
}

}  // namespace
}  // namespace diffie::cli
