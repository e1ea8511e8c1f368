#include "files/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "expect_error.h"
#include "temp_dir.h"

namespace diffie::files {
namespace {

namespace fs = std::filesystem;

class Atomic : public testing::Test {
 protected:
  mode_t mode(std::string_view name) const {
    struct stat file {};
    EXPECT_EQ(::stat((temp_ / name).c_str(), &file), 0);
    return file.st_mode & 07777;
  }

  const test::TempDir temp_;
};

TEST_F(Atomic, KeepsThePermissionsOfWhatItReplaces) {
  test::write_file(temp_ / "f", "old");
  for (const mode_t permissions : {0600, 0640, 0444, 04755}) {
    ASSERT_EQ(::chmod((temp_ / "f").c_str(), permissions), 0);
    write_text_file(temp_ / "f", "new");
    EXPECT_EQ(mode("f"), permissions & 0777);
  }
}

TEST_F(Atomic, IsNotReadByOthersWhileItIsWritten) {
  test::write_file(temp_ / "f", "old");
  ASSERT_EQ(::chmod((temp_ / "f").c_str(), 0600), 0);
  const AtomicFile file(temp_ / "f");
  for (const fs::directory_entry& entry : fs::directory_iterator(temp_.path()))
    EXPECT_EQ(mode(entry.path().filename().string()), 0600u) << entry.path();
}

TEST_F(Atomic, RefusesAFolderBeforeItIsWritten) {
  fs::create_directory(temp_ / "folder");
  EXPECT_ERROR(AtomicFile file(temp_ / "folder"), ErrorCode::kNotFound,
               "folder: cannot be created: is a folder");
  EXPECT_ERROR(AtomicFile file(temp_ / "new/"), ErrorCode::kNotFound,
               "new/: cannot be created: is the name of a folder");
  EXPECT_EQ(test::count_files(temp_.path()), 1u);
}

TEST_F(Atomic, WhatCannotBeWrittenIsSaidBeforeTheWork) {
  test::write_file(temp_ / "f", "old");
  check_can_be_written(temp_ / "f");
  check_can_be_written(temp_ / "new");
  check_can_be_written("new");
  check_can_be_written("/dev/null");
  EXPECT_ERROR(check_can_be_written(temp_.path()), ErrorCode::kNotFound, "is a folder");
  EXPECT_ERROR(check_can_be_written(temp_ / "no/new"), ErrorCode::kNotFound,
               "no/new: cannot be created: No such file");
  EXPECT_ERROR(check_can_be_written(temp_ / "f/new"), ErrorCode::kNotFound, "Not a directory");
  EXPECT_EQ(test::count_files(temp_.path()), 1u);
}

TEST_F(Atomic, WritesWhatALinkLeadsTo) {
  fs::create_directory(temp_ / "far");
  fs::create_symlink("far/link", temp_ / "link");
  fs::create_symlink("f", temp_ / "far/link");
  for (const char* text : {"new", "newer"}) {  // there is nothing at first
    write_text_file(temp_ / "link", text);
    EXPECT_EQ(test::read_file(temp_ / "far/f"), text);
  }
  EXPECT_TRUE(fs::is_symlink(temp_ / "link"));
  EXPECT_TRUE(fs::is_symlink(temp_ / "far/link"));
  fs::create_symlink("loop", temp_ / "loop");
  EXPECT_ERROR(write_text_file(temp_ / "loop", ""), ErrorCode::kNotFound,
               "loop: cannot be created: Too many levels of symbolic links");
  EXPECT_TRUE(fs::is_symlink(temp_ / "loop"));
}

}  // namespace
}  // namespace diffie::files
