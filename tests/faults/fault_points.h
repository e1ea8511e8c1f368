// A program's calls on files, each of which fails in every way, or ends it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "faults/faulty_run.h"

namespace diffie::test {

inline std::string number(int error) { return std::to_string(error); }

// Faults that change nothing: there are file systems without locks.
inline const std::vector<Fault> kHarmless = {
    {"open", number(EINTR)},   {"read", number(EINTR)},      {"read", "short"},
    {"write", number(EINTR)},  {"write", "short"},           {"fsync", number(EINTR)},
    {"close", number(EINTR)},  {"truncate", number(EINTR)},  {"flock", number(EINTR)},
    {"flock", number(ENOLCK)}, {"flock", number(EOPNOTSUPP)}};

inline const std::vector<Fault> kErrors = {
    {"open", number(EMFILE)},  {"open", number(EACCES)},  {"read", number(EIO)},
    {"write", number(ENOSPC)}, {"write", number(EIO)},    {"fsync", number(EIO)},
    {"fsync", number(ENOSPC)}, {"close", number(EIO)},    {"rename", number(EIO)},
    {"rename", number(EROFS)}, {"truncate", number(EIO)}, {"unlink", number(EIO)},
    {"mkdir", number(ENOSPC)}};

inline const std::vector<Fault> kDeaths = {
    {"open", "kill"},     {"read", "kill"},  {"write", "kill"},  {"write", "tear"},
    {"fsync", "kill"},    {"close", "kill"}, {"rename", "kill"}, {"unlink", "kill"},
    {"truncate", "kill"}, {"mkdir", "kill"}, {"flock", "kill"}};

// What it said, less what every untrained model says.
inline std::vector<std::string> messages(const std::string& err) {
  std::vector<std::string> lines;
  std::istringstream stream(err);
  for (std::string line; std::getline(stream, line);) {
    if (line.find("is untrained") == std::string::npos) lines.push_back(line);
  }
  return lines;
}

class FaultPoints : public testing::Test {
 protected:
  // All files of a file or folder, with their names; "" where there is none.
  std::string content(const std::string& name) const {
    const std::filesystem::path path = folder_ / name;
    if (!std::filesystem::exists(path)) return "";
    if (!std::filesystem::is_directory(path)) return test::read_file(path);
    std::vector<std::filesystem::path> files(std::filesystem::directory_iterator(path),
                                             std::filesystem::directory_iterator{});
    std::sort(files.begin(), files.end());
    std::string all;
    for (const std::filesystem::path& file : files)
      all += file.filename().string() + "\n" + test::read_file(file);
    return all;
  }

  // Each call of the run in turn; `check` gets what came of it.
  template <typename Check>
  void at_every_call(const std::vector<Fault>& faults, const std::string& arguments, Check check) {
    for (const Fault& fault : faults) {
      std::size_t points = 0;
      for (std::size_t k = 0;; k += stride_of(fault)) {
        const FaultyRun run = run_with_fault(folder_.path(), arguments, &fault, k);
        SCOPED_TRACE(
            fmt::format("{} {} {}: exit {}, {}", fault.call, k, fault.how, run.exit_code, run.err));
        check(run, fault);
        if (testing::Test::HasFailure()) return;
        if (!run.happened) break;
        ASSERT_LT(++points, 10'000u);
      }
      points_[fault.call + " " + fault.how] += points;
    }
  }

  // One message: what it is about, and why.
  static void expect_said(const FaultyRun& run, const Fault& fault) {
    EXPECT_TRUE(run.exit_code == 1 || run.exit_code == 2);
    const std::vector<std::string> lines = messages(run.err);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_NE(lines[0].find(std::strerror(std::atoi(fault.how.c_str()))), std::string::npos);
    EXPECT_TRUE(lines[0].starts_with("diffie: "));
  }

  void TearDown() override {
    std::size_t all = 0;
    for (const auto& [fault, count] : points_) all += count;
    RecordProperty("fault_points", static_cast<int>(all));
    fmt::print("{} fault points\n", all);
  }

  const test::TempDir folder_;
  std::map<std::string, std::size_t> points_;
};

}  // namespace diffie::test
