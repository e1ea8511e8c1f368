#include "model_dir/model_dir.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "checksums/sha256.h"
#include "checksums/sha256sums.h"
#include "expect_error.h"
#include "lab/models/safetensors_write.h"
#include "model_dir/model_builder.h"
#include "temp_dir.h"

namespace diffie::model_dir {
namespace {

namespace fs = std::filesystem;
using test::ModelBuilder;
using test::TempDir;
constexpr auto kCorrupt = ErrorCode::kCorruptModel;

void append(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::app) << text;
}

void replace_in(const fs::path& path, std::string_view from, std::string_view to) {
  std::string text = test::read_file(path);
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, from.size(), to);
  test::write_file(path, text);
}

TEST(ModelDir, OpensWhatWasWritten) {
  const TempDir temp;
  const ModelBuilder builder;
  builder.write(temp / "m");
  const ModelDir dir = ModelDir::open(temp / "m");
  EXPECT_EQ(dir.config().name, "tiny");
  EXPECT_EQ(dir.config().weights, std::vector<std::string>{"model.safetensors"});
  for (const auto& [name, numbers] : builder.values) {
    const TensorView& tensor = dir.tensor(name);
    std::vector<float> read(tensor.num_elements());
    to_f32(tensor, nullptr, read);
    EXPECT_EQ(read, numbers) << name;
  }
  EXPECT_EQ(dir.floats("denoiser.head.weight", {4, 4}), builder.values.at("denoiser.head.weight"));
  EXPECT_ERROR(dir.floats("denoiser.head.weight", {16}), kCorrupt, "is [4, 4], wanted [16]");
  EXPECT_ERROR(dir.floats("denoiser.head.weight", {4, -4}), kCorrupt, "wanted [4, -4]");
  EXPECT_ERROR(dir.tensor("absent"), kCorrupt, "'absent' is missing");
  EXPECT_EQ(test::count_files(temp.path()), 1u) << "no temporary is left";
  EXPECT_EQ(test::count_files(temp / "m"), 5u);
}

TEST(ModelDir, SumsAreThoseOfSha256sum) {
  const TempDir temp;
  ModelBuilder().write(temp / "m");
  const std::string command = fmt::format(
      "cd '{}' && sha256sum --check --strict --quiet SHA256SUMS", (temp / "m").string());
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(ModelDir, SplitsWeightsOverFiles) {
  const TempDir temp;
  const ModelBuilder builder;
  builder.write(temp / "m", 200);
  const ModelDir dir = ModelDir::open(temp / "m");
  ASSERT_GT(dir.config().weights.size(), 5u);
  EXPECT_TRUE(dir.config().weights[0].starts_with("model-00001-of-000"));
  for (const SafetensorsFile& file : dir.weights()) {
    std::size_t bytes = 0;
    for (const TensorView& tensor : file.tensors()) bytes += tensor.bytes.size();
    EXPECT_TRUE(bytes <= 200 || file.tensors().size() == 1) << bytes;
  }
  for (const auto& [name, numbers] : builder.values) {
    EXPECT_EQ(dir.tensor(name).num_elements(), numbers.size());
  }
}

TEST(ModelDir, WriterRefusesIncompleteModelsAndTakenPlaces) {
  const TempDir temp;
  ModelBuilder builder;
  builder.tensors.pop_back();
  EXPECT_ERROR(builder.write(temp / "m"), ErrorCode::kInvalidArgument,
               "'denoiser.head.bias' is missing");
  builder = ModelBuilder();
  builder.config.presets.clear();
  EXPECT_ERROR(builder.write(temp / "m"), ErrorCode::kInvalidArgument, "presets: found 0");
  EXPECT_EQ(test::count_files(temp.path()), 0u) << "nothing is left of a failed write";
  fs::create_directory(temp / "m");
  ModelBuilder().write(temp / "m");  // an empty directory is taken over
  EXPECT_ERROR(ModelBuilder().write(temp / "m"), ErrorCode::kInvalidArgument,
               "not an empty directory");
  test::write_file(temp / "f", "");
  EXPECT_ERROR(ModelBuilder().write(temp / "f"), ErrorCode::kInvalidArgument,
               "not an empty directory");
  EXPECT_ERROR(ModelBuilder().write(temp / "f/m"), ErrorCode::kNotFound, "f/m");
  ModelBuilder().write(temp / "new/deep/");
  EXPECT_NO_THROW(ModelDir::open(temp / "new/deep/"));
}

TEST(ModelDir, RefusesTensorsThatAreMissingOrMisshapen) {
  const TempDir temp;
  ModelBuilder().write(temp / "m");
  const auto weights_without = [&](auto change) {
    ModelBuilder builder;
    change(builder);
    lab::write_safetensors(temp / "m/model.safetensors", builder.tensors);
    return temp / "m";
  };
  EXPECT_ERROR(
      ModelDir::open(weights_without([](ModelBuilder& b) { b.tensors.pop_back(); }), false),
      kCorrupt, "tensor 'denoiser.head.bias' is missing");
  EXPECT_ERROR(ModelDir::open(weights_without([](ModelBuilder& b) {
                                b.tensor("denoiser.head.weight").shape = {2, 8};
                              }),
                              false),
               kCorrupt, "'denoiser.head.weight' is [2, 8], wanted [4, 4]");
  EXPECT_ERROR(ModelDir::open(weights_without([](ModelBuilder& b) {
                                b.tensor("denoiser.head.weight").dtype = DType::kI32;
                              }),
                              false),
               kCorrupt, "is I32, wanted F32, F16, BF16 or I8");
  const std::vector<std::int8_t> ints(16);
  const auto quantize_head = [&](ModelBuilder& b) {
    b.tensor("denoiser.head.weight").dtype = DType::kI8;
    b.tensor("denoiser.head.weight").bytes = std::as_bytes(std::span(ints));
  };
  EXPECT_ERROR(ModelDir::open(weights_without(quantize_head), false), kCorrupt, "has no .scale");
  const std::vector<float> scales(4);
  EXPECT_ERROR(ModelDir::open(weights_without([&](ModelBuilder& b) {
                                quantize_head(b);
                                b.tensors.push_back({"denoiser.head.weight.scale",
                                                     DType::kF32,
                                                     {1, 4},
                                                     std::as_bytes(std::span(scales))});
                              }),
                              false),
               kCorrupt, "wanted F32 [4]");
}

TEST(ModelDir, RefusesATensorInTwoFiles) {
  const TempDir temp;
  ModelBuilder().write(temp / "m");
  fs::copy(temp / "m/model.safetensors", temp / "m/again.safetensors");
  replace_in(temp / "m/config.json", "\"model.safetensors\"",
             "\"model.safetensors\", \"again.safetensors\"");
  EXPECT_ERROR(ModelDir::open(temp / "m", false), kCorrupt, "is in another weights file too");
}

TEST(ModelDir, ChecksSumsOnlyWhenAsked) {
  const TempDir temp;
  ModelBuilder().write(temp / "m");
  append(temp / "m/vocab.txt", "x\n");
  EXPECT_ERROR(ModelDir::open(temp / "m"), kCorrupt, "vocab.txt: SHA-256 is");
  EXPECT_NO_THROW(ModelDir::open(temp / "m", false));
}

TEST(ModelDir, NamesWhatIsAbsent) {
  const TempDir temp;
  EXPECT_ERROR(ModelDir::open(temp / "m"), ErrorCode::kNotFound, "not a directory");
  fs::create_directory(temp / "m");
  EXPECT_ERROR(ModelDir::open(temp / "m"), ErrorCode::kNotFound, "config.json");
  ModelBuilder().write(temp / "n");
  fs::remove(temp / "n/model.safetensors");
  EXPECT_ERROR(ModelDir::open(temp / "n"), kCorrupt, "model.safetensors: missing");
  EXPECT_ERROR(ModelDir::open(temp / "n", false), ErrorCode::kNotFound, "model.safetensors");
  fs::remove(temp / "n/SHA256SUMS");
  EXPECT_ERROR(ModelDir::open(temp / "n"), ErrorCode::kNotFound, "SHA256SUMS");
}

TEST(ModelDir, RefusesLinksOutOfTheDirectory) {
  const TempDir temp;
  ModelBuilder().write(temp / "m");
  fs::rename(temp / "m/model.safetensors", temp / "elsewhere");
  fs::create_symlink(temp / "elsewhere", temp / "m/model.safetensors");
  EXPECT_ERROR(ModelDir::open(temp / "m"), kCorrupt, "model.safetensors: a link, wanted a file");
  EXPECT_ERROR(ModelDir::open(temp / "m", false), kCorrupt, "a link");
}

TEST(ModelDir, DoesNotWaitForAPipe) {
  const TempDir temp;
  ModelBuilder().write(temp / "m");
  fs::remove(temp / "m/config.json");
  ASSERT_EQ(::mkfifo((temp / "m/config.json").c_str(), 0600), 0);
  EXPECT_ERROR(ModelDir::open(temp / "m"), ErrorCode::kNotFound, "not a regular file");
}

class SumsTest : public testing::Test {
 protected:
  SumsTest() { ModelBuilder().write(dir_); }
  std::vector<std::string> problems(bool all = true) {
    return checksums::check_sha256sums(dir_, {"config.json", "vocab.txt"}, all);
  }
  TempDir temp_;
  fs::path dir_ = temp_ / "m";
};

TEST_F(SumsTest, FindsEveryKindOfProblem) {
  EXPECT_TRUE(problems().empty());
  append(dir_ / "config.json", " ");
  fs::remove(dir_ / "MODEL_CARD.md");
  test::write_file(dir_ / "extra", "");
  using testing::EndsWith, testing::HasSubstr;
  EXPECT_THAT(problems(), testing::ElementsAre(EndsWith("MODEL_CARD.md: missing"),
                                               HasSubstr("config.json: SHA-256"),
                                               EndsWith("extra: not listed in SHA256SUMS")));
  EXPECT_EQ(problems(false).size(), 2u);
}

TEST_F(SumsTest, RefusesListsThatOmitWhatIsNeeded) {
  test::write_file(dir_ / "SHA256SUMS", "");
  EXPECT_THAT(problems(false),
              testing::ElementsAre(testing::EndsWith("config.json: not listed in SHA256SUMS"),
                                   testing::EndsWith("vocab.txt: not listed in SHA256SUMS")));
  EXPECT_EQ(problems(true).size(), 4u);
}

TEST_F(SumsTest, RefusesLinesThatAreNoSums) {
  const std::string digest(64, 'a');
  for (const std::string& line :
       {std::string("x"), digest, digest + "  ", digest + " vocab.txt", digest + "  ../vocab.txt",
        digest + "  /etc/passwd", digest + "  a/b", digest + "  .hidden", digest + "  -x",
        digest + "  SHA256SUMS", "\\" + digest + "  a", std::string(64, 'A') + "  a",
        std::string(63, 'a') + "  a", digest + "  a\r", std::string("\n")}) {
    test::write_file(dir_ / "SHA256SUMS", line + "\n");
    EXPECT_ERROR(problems(), kCorrupt, "line 1");
  }
  test::write_file(dir_ / "SHA256SUMS", digest + "  a\n" + digest + " *a\n");
  EXPECT_ERROR(problems(), kCorrupt, "'a' is listed twice");
  test::write_file(dir_ / "SHA256SUMS", std::string((1 << 20) + 1, 'a'));
  EXPECT_ERROR(problems(), kCorrupt, "at most");
}

TEST_F(SumsTest, WriterRefusesWhatItCannotList) {
  fs::create_directory(dir_ / "sub");
  EXPECT_ERROR(checksums::write_sha256sums(dir_), ErrorCode::kInvalidArgument, "'sub'");
  fs::remove(dir_ / "sub");
  test::write_file(dir_ / "two words", "");
  EXPECT_ERROR(checksums::write_sha256sums(dir_), ErrorCode::kInvalidArgument, "'two words'");
}

}  // namespace
}  // namespace diffie::model_dir
