#include "input_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "temp_dir.h"

namespace diffie::cli {
namespace {

using ::testing::ElementsAre;
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
  EXPECT_THAT(expand("[odd].txt"), ElementsAre("[odd].txt"));  // is there under this very name
  EXPECT_EQ(diagnostics_.exit_code(), 0);
}

TEST_F(InputFiles, WhatGivesNothingIsReported) {
  EXPECT_THAT(expand("*.csv"), IsEmpty());
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
