#include <gtest/gtest.h>
#include <stdlib.h>

#include "diffie/model.h"
#include "expect_error.h"
#include "temp_dir.h"

namespace diffie {
namespace {

namespace fs = std::filesystem;

// A folder of models that $DIFFIE_MODELS names, and another that is the current one.
class FindModel : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("DIFFIE_MODELS", shipped_.path().c_str(), 1);
    before_ = fs::current_path();
    fs::current_path(here_.path());
  }
  void TearDown() override {
    fs::current_path(before_);
    ::unsetenv("DIFFIE_MODELS");
  }
  static void make_model(const fs::path& dir) {
    fs::create_directories(dir);
    test::write_file(dir / "config.json", "{}");
  }

  test::TempDir shipped_;
  test::TempDir here_;
  fs::path before_;
};

TEST_F(FindModel, ByName) {
  make_model(shipped_ / "tiny");
  EXPECT_EQ(find_model("tiny"), shipped_ / "tiny");
}

TEST_F(FindModel, NameIsNotHiddenByADirectoryHere) {
  make_model(shipped_ / "tiny");
  make_model("tiny");
  EXPECT_EQ(find_model("tiny"), shipped_ / "tiny");
  EXPECT_EQ(find_model("./tiny"), "./tiny");
  EXPECT_EQ(find_model("tiny/"), "tiny/");
  EXPECT_EQ(find_model(fs::absolute("tiny")), fs::absolute("tiny"));
}

TEST_F(FindModel, DirectoryHereWhereNoModelIsNamedSo) {
  make_model("mine");
  EXPECT_EQ(find_model("mine"), "mine");
  fs::create_directory(shipped_ / "mine");  // no model in it
  EXPECT_EQ(find_model("mine"), "mine");
  EXPECT_EQ(find_model("."), ".");
}

TEST_F(FindModel, SaysWhereItLooked) {
  EXPECT_ERROR(find_model("nowhere"), ErrorCode::kNotFound,
               "model 'nowhere': no such directory (looked in " + shipped_.path().string() + ", ");
  EXPECT_ERROR(find_model("nowhere"), ErrorCode::kNotFound, "/share/diffie/models)");
  EXPECT_ERROR(find_model("./nowhere"), ErrorCode::kNotFound, "'./nowhere': no such directory");
  EXPECT_ERROR(find_model(""), ErrorCode::kNotFound, "no such directory");
}

TEST_F(FindModel, NothingIsCutOffAtAZeroByte) {
  make_model("mine");
  for (const char* name : {"mine", "./mine"}) {
    EXPECT_ERROR(find_model(std::string(name) + '\0' + "yours"), ErrorCode::kNotFound,
                 "mine\\x00yours': no such directory");
  }
}

}  // namespace
}  // namespace diffie
