#include "input_files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "temp_dir.h"

namespace diffie::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class InputFiles : public ::testing::Test {
 protected:
  InputFiles() {
    for (const char* name :
         {"b.txt", "a/2.txt.gz", "a/10.jsonl", "a/deep/x.NDJSON.zst", "a/y.parquet", "a/no.md",
          "a/.hidden.txt", "a/.git/z.txt", "[odd].txt"}) {
      const std::filesystem::path path = temp_ / name;
      std::filesystem::create_directories(path.parent_path());
      test::write_file(path, "x");
    }
    std::filesystem::create_directory_symlink(temp_ / "a", temp_ / "a/deep/loop");
  }

  std::vector<std::string> expand(const std::string& name, std::optional<InputKind> only = {}) {
    std::vector<std::string> files = expand_inputs({temp_ / name}, only, diagnostics_);
    for (std::string& file : files) file.erase(0, temp_.path().string().size() + 1);
    return files;
  }

  test::TempDir temp_;
  Diagnostics diagnostics_;
};

TEST_F(InputFiles, AFolderIsWhatWeReadInItSorted) {
  EXPECT_THAT(expand("a"),
              ElementsAre("a/10.jsonl", "a/2.txt.gz", "a/deep/x.NDJSON.zst", "a/y.parquet"));
  EXPECT_THAT(expand("a", InputKind::kText), ElementsAre("a/2.txt.gz"));
  EXPECT_EQ(diagnostics_.exit_code(), 0);
}

TEST_F(InputFiles, PatternsMatchAsInAShell) {
  EXPECT_THAT(expand("*.txt"), ElementsAre("[odd].txt", "b.txt"));
  EXPECT_THAT(expand("a/?.t*"), ElementsAre("a/2.txt.gz"));
  EXPECT_THAT(expand("**/*.txt*"), ElementsAre("[odd].txt", "a/2.txt.gz", "b.txt"));
  EXPECT_THAT(expand("a/**/x.*"), ElementsAre("a/deep/x.NDJSON.zst"));
  EXPECT_THAT(expand("a/no.m[d]"), ElementsAre("a/no.md"));
  // Folders in folders, of which each file comes once.
  EXPECT_THAT(expand("a/**"),
              ElementsAre("a/10.jsonl", "a/2.txt.gz", "a/deep/x.NDJSON.zst", "a/y.parquet"));
  EXPECT_THAT(expand("[odd].txt"), ElementsAre("[odd].txt"));  // is there under this very name
  EXPECT_EQ(diagnostics_.exit_code(), 0);
}

TEST_F(InputFiles, WhatGivesNothingIsReported) {
  EXPECT_THAT(expand("*.csv"), IsEmpty());
  EXPECT_EQ(diagnostics_.exit_code(), 1);
}

// Opening it says why it cannot be read.
TEST_F(InputFiles, ALinkThatLeadsNowhereIsAFile) {
  std::filesystem::create_symlink("gone", temp_ / "a/deep/link.txt");
  std::filesystem::create_symlink("gone", temp_ / "a/deep/link.md");
  std::filesystem::create_symlink("itself.txt", temp_ / "a/deep/itself.txt");
  EXPECT_THAT(expand("a/deep"),
              ElementsAre("a/deep/itself.txt", "a/deep/link.txt", "a/deep/x.NDJSON.zst"));
  EXPECT_THAT(expand("a/*/link.txt"), ElementsAre("a/deep/link.txt"));
  EXPECT_EQ(diagnostics_.exit_code(), 0);
}

// As one who may not do everything.
TEST_F(InputFiles, WhatCannotBeLookedAtIsReportedOnce) {
  const auto may = [](const std::filesystem::path& path, unsigned permissions) {
    std::filesystem::permissions(path, static_cast<std::filesystem::perms>(permissions));
  };
  may(temp_.path(), 0755);
  may(temp_ / "a/deep", 0);
  may(temp_ / "a/.git", 0);
  const uid_t user = ::geteuid();
  ASSERT_TRUE(user != 0 || ::seteuid(12345) == 0);
  testing::internal::CaptureStderr();
  const auto folder = expand("a");
  const std::string of_folder = testing::internal::GetCapturedStderr();
  testing::internal::CaptureStderr();
  const auto pattern = expand("a/**/*.txt.gz");
  const std::string of_pattern = testing::internal::GetCapturedStderr();
  testing::internal::CaptureStderr();
  const auto inside = expand("a/*/x.txt");
  const std::string of_inside = testing::internal::GetCapturedStderr();
  ASSERT_EQ(::seteuid(user), 0);
  const std::string deep = "diffie: " + (temp_ / "a/deep").string();
  EXPECT_THAT(folder, ElementsAre("a/10.jsonl", "a/2.txt.gz", "a/y.parquet"));
  EXPECT_EQ(of_folder, deep + ": cannot be read: Permission denied\n");
  EXPECT_THAT(pattern, ElementsAre("a/2.txt.gz"));
  EXPECT_EQ(of_pattern, of_folder);
  EXPECT_THAT(inside, IsEmpty());
  EXPECT_EQ(of_inside, deep + "/x.txt: cannot be read: Permission denied\n");
  EXPECT_EQ(diagnostics_.exit_code(), 1);
  may(temp_ / "a/deep", 0755);
}

// Its names can be read, and nothing else of what is in it.
TEST_F(InputFiles, AFolderThatCannotBeEnteredIsNotEmpty) {
  std::filesystem::create_directory(temp_ / "a/deep/inner");
  std::filesystem::permissions(temp_.path(), std::filesystem::perms{0755});
  std::filesystem::permissions(temp_ / "a/deep", std::filesystem::perms{0744});
  const uid_t user = ::geteuid();
  ASSERT_TRUE(user != 0 || ::seteuid(12345) == 0);
  testing::internal::CaptureStderr();
  const auto folder = expand("a/deep");
  const std::string said = testing::internal::GetCapturedStderr();
  ASSERT_EQ(::seteuid(user), 0);
  std::filesystem::permissions(temp_ / "a/deep", std::filesystem::perms{0755});
  EXPECT_THAT(said, HasSubstr("a/deep/inner: cannot be read: Permission denied\n"));
  // File systems that do not tell what a name is of have it reported.
  if (said.find("x.NDJSON.zst: cannot be read") == said.npos) {
    EXPECT_THAT(folder, ElementsAre("a/deep/x.NDJSON.zst"));
  }
  EXPECT_EQ(diagnostics_.exit_code(), 1);
}

TEST_F(InputFiles, WhatHasTooLongAPathIsReported) {
  const std::string name(200, 'n');
  const std::filesystem::path folder = temp_ / "a/deep";
  int place = ::open(folder.c_str(), O_DIRECTORY | O_CLOEXEC);
  for (int level = 0; level < 25; ++level) {
    ASSERT_EQ(::mkdirat(place, name.c_str(), 0777), 0);
    const int inner = ::openat(place, name.c_str(), O_DIRECTORY | O_CLOEXEC);
    ::close(place);
    place = inner;
  }
  ::close(place);
  testing::internal::CaptureStderr();
  EXPECT_THAT(expand("a/deep"), ElementsAre("a/deep/x.NDJSON.zst"));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr("n: cannot be read: File name too long\n"));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1);
  EXPECT_EQ(diagnostics_.exit_code(), 1);
}

TEST_F(InputFiles, AFileIsTakenAsItIsNamed) {
  EXPECT_THAT(expand("no/such"), ElementsAre("no/such"));
  EXPECT_THAT(expand("a/no.md"), ElementsAre("a/no.md"));
}

TEST_F(InputFiles, KindsGoByTheName) {
  EXPECT_EQ(kind_of_name("x/y.TXT.gz"), InputKind::kText);
  EXPECT_EQ(kind_of_name("y.jsonl.zst"), InputKind::kJsonl);
  EXPECT_EQ(kind_of_name("y.feather"), InputKind::kArrow);
  EXPECT_EQ(kind_of_name("y.parquet"), InputKind::kParquet);
  EXPECT_EQ(kind_of_name("y.parquet.gz"), std::nullopt);
  EXPECT_EQ(kind_of_name("txt"), std::nullopt);
  EXPECT_TRUE(is_packed_table("x/y.Parquet.gz"));
  EXPECT_TRUE(is_packed_table("y.arrow.zst"));
  EXPECT_FALSE(is_packed_table("y.parquet"));
  EXPECT_FALSE(is_packed_table("y.txt.gz"));
}

}  // namespace
}  // namespace diffie::cli
