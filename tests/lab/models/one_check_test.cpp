// What verify_model finds is what loading refuses: one check, of which the one lists everything and
// the other throws the first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <limits>

#include "checksums/sha256sums.h"
#include "diffie/model.h"
#include "expect_error.h"
#include "extract/rankers.h"
#include "lab/models/safetensors_write.h"
#include "model_dir/model_builder.h"
#include "temp_dir.h"

namespace diffie {
namespace {

namespace fs = std::filesystem;
using test::ModelBuilder;
using test::TempDir;
using ::testing::HasSubstr;

class OneCheck : public testing::Test {
 protected:
  // The model as the test has left it, then what it does to the files, then sums that fit.
  void write(const std::function<void()>& change_files = {}) {
    fs::remove_all(dir_);
    fs::create_directory(dir_);
    test::write_file(dir_ / "config.json", model_dir::to_json(builder_.config));
    lab::write_safetensors(dir_ / "model.safetensors", builder_.tensors);
    test::write_file(dir_ / "vocab.txt", builder_.vocab);
    test::write_file(dir_ / "MODEL_CARD.md", builder_.card);
    if (change_files) change_files();
    checksums::write_sha256sums(dir_);
  }

  void expect_refused(const std::string& what) {
    const std::vector<std::string> problems = verify_model(dir_);
    ASSERT_FALSE(problems.empty()) << what;
    EXPECT_THAT(problems.front(), HasSubstr(what));
    try {
      Model::load(dir_);
      ADD_FAILURE() << "loaded: " << what;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), problems.front());
    }
  }
  void expect_accepted() {
    EXPECT_THAT(verify_model(dir_), ::testing::ElementsAre());
    EXPECT_NO_THROW(Model::load(dir_));
  }

  void write_ranker(const std::string& text) {
    write([&] { test::write_file(dir_ / "ranker.json", text); });
  }

  TempDir temp_;
  fs::path dir_ = temp_ / "m";
  ModelBuilder builder_;
};

TEST_F(OneCheck, Rankers) {
  const std::string whole = to_json(extract::plain_ranker());
  write_ranker(whole);
  expect_accepted();
  write_ranker("");
  expect_refused("ranker.json");
  write_ranker(whole.substr(0, whole.size() / 2));
  expect_refused("ranker.json");
  write_ranker(std::string((16 << 20) + 1, ' '));
  expect_refused("ranker.json: 16777217 bytes");
  write_ranker(whole);
  fs::remove(dir_ / "ranker.json");
  expect_refused("ranker.json: missing");
}

TEST_F(OneCheck, APresetThatAsksForARankerNeedsOne) {
  builder_.config.presets.begin()->second.selector = SelectorKind::kLearned;
  write();
  expect_refused("ranker.json is missing, the selector of preset");
}

TEST_F(OneCheck, Vocabularies) {
  builder_.vocab = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\n";
  write();
  expect_refused("vocab.txt: 5 pieces, config.json says 6");
  builder_.vocab = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\n\xFF\n";
  write();
  expect_refused("vocab.txt: line 6 is no valid UTF-8");
  builder_.vocab = "";
  write();
  expect_refused("vocab.txt: 0 pieces");
  builder_.vocab = "[PAD]\r\n[UNK]\r\n[CLS]\r\n[SEP]\r\nthe\r\n##s\r\n";  // the same pieces
  write();
  expect_accepted();
}

TEST_F(OneCheck, Weights) {
  float& value = builder_.values.at("denoiser.head.bias")[1];
  value = 1024;
  write();
  expect_accepted();
  value = std::numeric_limits<float>::max();
  write();
  expect_refused("'denoiser.head.bias' holds values beyond 1024");
  value = -std::numeric_limits<float>::infinity();
  write();
  expect_refused("'denoiser.head.bias' holds values that are not finite");
  value = 0;
  builder_.tensor("denoiser.head.bias").name = "denoiser.haed.bias";
  write();
  expect_refused("'denoiser.head.bias' is missing");
}

TEST_F(OneCheck, HalvesBeyondTheLimit) {
  const std::vector<std::uint16_t> halves = {0x6400, 0xe401, 0, 0}, brains = {0x4480, 0xc481, 0, 0};
  for (const auto& [dtype, values] :
       {std::pair(model_dir::DType::kF16, &halves), std::pair(model_dir::DType::kBF16, &brains)}) {
    builder_.tensor("denoiser.head.bias").dtype = dtype;
    builder_.tensor("denoiser.head.bias").bytes = std::as_bytes(std::span(*values));
    write();
    expect_refused("'denoiser.head.bias' holds values beyond 1024");
  }
}

// Nothing is read through a link, so what it leads to is not told.
TEST_F(OneCheck, Links) {
  for (const char* name : {"config.json", "model.safetensors", "vocab.txt", "SHA256SUMS"}) {
    write();
    fs::rename(dir_ / name, temp_ / "elsewhere");
    fs::create_symlink(temp_ / "elsewhere", dir_ / name);  // what it leads to is as it should be
    EXPECT_ERROR(Model::load(dir_), ErrorCode::kCorruptModel, name);
    EXPECT_THAT(verify_model(dir_), ::testing::Contains(HasSubstr("link"))) << name;
    test::write_file(temp_ / "elsewhere", "secret");
    const std::vector<std::string> problems = verify_model(dir_);
    EXPECT_THAT(problems, ::testing::Not(::testing::IsEmpty())) << name;
    for (const std::string& problem : problems) {
      EXPECT_THAT(problem, ::testing::Not(HasSubstr("secret")));
      EXPECT_THAT(problem, ::testing::Not(HasSubstr("6 bytes"))) << problem;
    }
    fs::remove(temp_ / "elsewhere");
  }
}

TEST_F(OneCheck, ALinkIsSaidOnce) {
  write();
  fs::rename(dir_ / "vocab.txt", temp_ / "elsewhere");
  fs::create_symlink(temp_ / "elsewhere", dir_ / "vocab.txt");
  expect_refused("vocab.txt: a link, wanted a file of the directory itself");
  EXPECT_EQ(verify_model(dir_).size(), 1u);
}

TEST_F(OneCheck, NothingIsWaitedForInAPipe) {
  write();
  fs::remove(dir_ / "vocab.txt");
  ASSERT_EQ(std::system(("mkfifo '" + (dir_ / "vocab.txt").string() + "'").c_str()), 0);
  expect_refused("vocab.txt: not a regular file");
}

}  // namespace
}  // namespace diffie
