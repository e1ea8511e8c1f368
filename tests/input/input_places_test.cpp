#include "input_places.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "temp_dir.h"

namespace diffie::cli {
namespace {

namespace fs = std::filesystem;

class InputPlacesTest : public ::testing::Test {
 protected:
  InputPlacesTest() {
    fs::create_directories(temp_ / "folder/inner");
    for (const char* name : {"a.txt", "folder/b.txt", "folder/inner/c.txt"})
      test::write_file(temp_ / name, "");
  }

  // The name of the first of `inputs` that is `made`; empty: none.
  std::string found(const std::string& made, std::vector<std::string> inputs) const {
    for (std::string& input : inputs) input = temp_ / input;
    const InputPlaces places(inputs);
    const std::string* const input = places.find(temp_ / made);
    return input == nullptr ? "" : fs::path(*input).lexically_relative(temp_.path()).string();
  }

  test::TempDir temp_;
};

TEST_F(InputPlacesTest, AFileHasManyNames) {
  fs::create_hard_link(temp_ / "a.txt", temp_ / "hard");
  fs::create_symlink("hard", temp_ / "link");
  fs::create_directory_symlink("folder/inner", temp_ / "in");
  for (const std::string made : {"a.txt", "./folder/../a.txt", "hard", "link"})
    EXPECT_EQ(found(made, {"folder/b.txt", "link", "a.txt"}), "link") << made;
  EXPECT_EQ(found("in/c.txt", {"a.txt", "folder/inner/c.txt"}), "folder/inner/c.txt");
  EXPECT_EQ(found("folder/b.txt", {"a.txt", "folder/inner/c.txt"}), "");
}

TEST_F(InputPlacesTest, WhatLiesInAFolderIsPartOfIt) {
  fs::create_directory_symlink("folder", temp_ / "link");
  test::write_file(temp_ / "folder-2/d.txt", "");
  const std::vector<std::string> inputs = {"a.txt", "folder-2/d.txt", "link/inner/c.txt",
                                           "folder/b.txt"};
  for (const std::string made : {"folder", "link", "folder/inner", "folder/."})
    EXPECT_EQ(found(made, inputs), "link/inner/c.txt") << made;
  EXPECT_EQ(found("folder", {"a.txt", "folder/b.txt", "link/inner/c.txt"}), "folder/b.txt");
  EXPECT_EQ(found("folder/inner", {"folder/b.txt"}), "");
}

TEST_F(InputPlacesTest, WhatIsNotThereYetHasAPlace) {
  fs::create_directory_symlink("folder", temp_ / "link");
  EXPECT_EQ(found("link/new", {"a.txt", "folder/new"}), "folder/new");
  EXPECT_EQ(found("new", {"a.txt", "new/x/y.txt"}), "new/x/y.txt");
  EXPECT_EQ(found("folder", {"folder/new"}), "folder/new");
  EXPECT_EQ(found("new", {"new-2", "a.txt"}), "");
}

TEST_F(InputPlacesTest, WhatHasNoPlaceIsNothingElse) {
  const std::string long_name(300, 'x');
  fs::create_symlink("loop", temp_ / "loop");
  EXPECT_EQ(found(long_name, {"loop", long_name + "y", "a.txt"}), "");
  EXPECT_EQ(found(long_name, {"loop", long_name}), long_name);
}

TEST(InputPlaces, EmptyNamesStandForNothing) {
  const InputPlaces places({"", "-"});
  EXPECT_EQ(*places.find("/dev/stdin"), "-");
  EXPECT_EQ(places.find("."), nullptr);
  EXPECT_EQ(InputPlaces({}).find("."), nullptr);
}

}  // namespace
}  // namespace diffie::cli
