#include "files/replace_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <stdexcept>

#include "expect_error.h"
#include "files/atomic_file.h"
#include "temp_dir.h"

namespace diffie::files {
namespace {

namespace fs = std::filesystem;

class Folders : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(temp_ / "old");
    test::write_file(temp_ / "old/a", "a");
    test::write_file(temp_ / "old/b", "b");
  }

  const test::TempDir temp_;
};

TEST_F(Folders, OneTakesTheOthersPlace) {
  fs::create_directory(temp_ / "new");
  test::write_file(temp_ / "new/c", "c");
  replace_folder(temp_ / "new", temp_ / "old");
  EXPECT_EQ(test::read_file(temp_ / "old/c"), "c");
  EXPECT_EQ(test::count_files(temp_ / "old"), 1u);
  EXPECT_EQ(test::count_files(temp_.path()), 1u);
  replace_folder(temp_ / "old", temp_ / "free");
  EXPECT_EQ(test::read_file(temp_ / "free/c"), "c");
  EXPECT_EQ(test::count_files(temp_.path()), 1u);
}

TEST_F(Folders, ChangeAtOnce) {
  fs::create_directory(temp_ / "old/more");
  test::write_file(temp_ / "old/more/d", "d");
  fs::create_symlink("a", temp_ / "old/link");
  fs::permissions(temp_ / "old", fs::perms::owner_all);
  fs::create_directory_symlink("old", temp_ / "name");
  change_folder(temp_ / "name", [&](const fs::path& copy) {
    write_text_file(copy / "b", "new b");
    write_text_file(copy / "c", "c");
    EXPECT_EQ(test::read_file(temp_ / "old/b"), "b");
    EXPECT_FALSE(fs::exists(temp_ / "old/c"));
  });
  EXPECT_TRUE(fs::is_symlink(temp_ / "name"));
  EXPECT_TRUE(fs::is_symlink(temp_ / "old/link"));
  EXPECT_EQ(fs::status(temp_ / "old").permissions(), fs::perms::owner_all);
  EXPECT_EQ(test::read_file(temp_ / "old/link"), "a");
  EXPECT_EQ(test::read_file(temp_ / "old/b"), "new b");
  EXPECT_EQ(test::read_file(temp_ / "old/c"), "c");
  EXPECT_EQ(test::read_file(temp_ / "old/more/d"), "d");
  EXPECT_EQ(test::count_files(temp_.path()), 2u);  // with the link
}

TEST_F(Folders, StayAsTheyWereWhereAChangeFails) {
  const auto fails = [](const fs::path& copy) {
    write_text_file(copy / "b", "new b");
    throw std::runtime_error("no");
  };
  EXPECT_THROW(change_folder(temp_ / "old", fails), std::runtime_error);
  EXPECT_EQ(test::read_file(temp_ / "old/b"), "b");
  EXPECT_EQ(test::count_files(temp_.path()), 1u);
  EXPECT_ERROR(change_folder(temp_ / "none", [](const fs::path&) {}), ErrorCode::kNotFound,
               "none: No such file");
}

// In a container every run may have the same number.
TEST(TemporarySibling, IsNotWhatAKilledProcessLeft) {
  const test::TempDir temp;
  const fs::path next = temporary_sibling(temp / "f");
  const std::string name = next.filename().string();
  const int number = std::stoi(name.substr(name.find('.', 2) + 1));
  for (int i = 1; i <= 3; ++i)
    test::write_file(temp / fmt::format("f.{}.{}.tmp", ::getpid(), number + i), "left");
  write_text_file(temp / "f", "new");
  EXPECT_EQ(test::read_file(temp / "f"), "new");
  EXPECT_EQ(test::read_file(temp / fmt::format("f.{}.{}.tmp", ::getpid(), number + 1)), "left");
}

}  // namespace
}  // namespace diffie::files
