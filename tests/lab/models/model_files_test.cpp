#include "diffie/lab/model_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "checksums/sha256.h"
#include "checksums/sha256sums.h"
#include "diffie/model.h"
#include "expect_error.h"
#include "lab/models/safetensors_write.h"
#include "model_dir/model_builder.h"
#include "temp_dir.h"

namespace diffie {
namespace {

namespace fs = std::filesystem;
using model_dir::ModelDir;
using test::ModelBuilder;
using test::TempDir;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(InspectModel, ListsConfigTensorsAndSizes) {
  const TempDir temp;
  const ModelBuilder builder;
  builder.write(temp / "m", 300);
  const ModelInfo info = inspect_model(temp / "m");
  EXPECT_EQ(info.config_json, test::read_file(temp / "m/config.json"));
  EXPECT_EQ(info.tensors.size(), builder.tensors.size());
  std::uint64_t parameters = 0, bytes = 0;
  for (const auto& [name, values] : builder.values) parameters += values.size();
  for (const auto& entry : fs::directory_iterator(temp / "m")) bytes += entry.file_size();
  EXPECT_EQ(info.parameters, parameters);
  EXPECT_EQ(info.bytes_on_disk, bytes);
  EXPECT_EQ(info.tensors[0].name, "bert.embeddings.word_embeddings.weight");
  EXPECT_EQ(info.tensors[0].dtype, "F32");
  EXPECT_EQ(info.tensors[0].bytes, 96u);
  EXPECT_TRUE(info.tensors[0].file.starts_with("model-00001-of-"));
  EXPECT_ERROR(inspect_model(temp / "absent"), ErrorCode::kNotFound, "absent");
}

class VerifyModel : public testing::Test {
 protected:
  // Writes the model as the test has left it, with sums that fit.
  std::vector<std::string> problems() {
    fs::create_directory(dir_);
    model_dir::ModelConfig config = builder_.config;
    test::write_file(dir_ / "config.json", model_dir::to_json(config));
    lab::write_safetensors(dir_ / "model.safetensors", builder_.tensors);
    test::write_file(dir_ / "vocab.txt", builder_.vocab);
    test::write_file(dir_ / "MODEL_CARD.md", builder_.card);
    checksums::write_sha256sums(dir_);
    return verify_model(dir_);
  }
  std::vector<float>& values(const std::string& name) { return builder_.values.at(name); }

  TempDir temp_;
  fs::path dir_ = temp_ / "m";
  ModelBuilder builder_;
};

TEST_F(VerifyModel, FindsNothingWrongWithAValidModel) { EXPECT_THAT(problems(), ElementsAre()); }

TEST_F(VerifyModel, FindsValuesThatAreNotFinite) {
  values("denoiser.fuse.bias")[1] = std::numeric_limits<float>::quiet_NaN();
  values("denoiser.head.bias")[3] = -std::numeric_limits<float>::infinity();
  EXPECT_THAT(problems(),
              ElementsAre(HasSubstr("'denoiser.fuse.bias' holds values that are not finite"),
                          HasSubstr("'denoiser.head.bias' holds values that are not finite")));
}

TEST_F(VerifyModel, FindsHalvesThatAreNotFinite) {
  const std::vector<std::uint16_t> halves = {0x7bff, 0x7c00, 0, 0}, brains = {0x7f7f, 0xff80, 0, 0};
  builder_.tensor("denoiser.head.bias").dtype = model_dir::DType::kF16;
  builder_.tensor("denoiser.head.bias").bytes = std::as_bytes(std::span(halves));
  builder_.tensor("denoiser.fuse.bias").dtype = model_dir::DType::kBF16;
  builder_.tensor("denoiser.fuse.bias").bytes = std::as_bytes(std::span(brains));
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("'denoiser.fuse.bias' holds"),
                                      HasSubstr("'denoiser.head.bias' holds")));
}

TEST_F(VerifyModel, FindsMissingMisshapenAndForeignTensors) {
  builder_.tensor("denoiser.head.weight").shape = {2, 8};
  builder_.tensor("denoiser.head.bias").name = "denoiser.haed.bias";
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("'denoiser.head.weight' is [2, 8], wanted [4, 4]"),
                                      HasSubstr("'denoiser.head.bias' is missing"),
                                      HasSubstr("'denoiser.haed.bias' belongs to nothing")));
}

TEST_F(VerifyModel, FindsVocabulariesThatDoNotFit) {
  builder_.vocab = "[PAD]\n[UNK]\n[CLS]\nthe\n##s\n";
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("vocab.txt: 5 pieces and none is [SEP]")));
  builder_.vocab = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\nthe\n";
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("vocab.txt: piece 'the' stands there twice")));
  builder_.vocab = "[PAD]\n[UNK]\n[CLS]\n\n[SEP]\nthe\n";
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("vocab.txt: line 4 is empty")));
}

TEST_F(VerifyModel, FindsChangedMissingAndExtraFiles) {
  problems();
  test::write_file(dir_ / "MODEL_CARD.md", "changed");
  test::write_file(dir_ / "extra.txt", "");
  EXPECT_THAT(verify_model(dir_), ElementsAre(HasSubstr("MODEL_CARD.md: SHA-256 is"),
                                              HasSubstr("extra.txt: not listed")));
  fs::remove(dir_ / "SHA256SUMS");
  EXPECT_THAT(verify_model(dir_), ElementsAre(HasSubstr("SHA256SUMS")));
}

TEST_F(VerifyModel, ReportsWhatCannotBeOpened) {
  EXPECT_THAT(verify_model(temp_ / "absent"), ElementsAre(HasSubstr("not a directory")));
  problems();
  test::write_file(dir_ / "model.safetensors", "junk");
  const auto found = verify_model(dir_);
  EXPECT_THAT(found, testing::Contains(HasSubstr("4 bytes, too short")));
  EXPECT_THAT(found, testing::Contains(HasSubstr("'denoiser.head.bias' is missing")));
  test::write_file(dir_ / "config.json", "{}");
  EXPECT_THAT(verify_model(dir_), ElementsAre(HasSubstr("format: missing")));
}

class InitModel : public testing::Test {
 protected:
  InitModel() {
    test::write_file(temp_ / "vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\na\nb\n");
    options_.vocab = temp_ / "vocab.txt";
    options_.encoder_hidden = options_.denoiser_hidden = 8;
  }
  TempDir temp_;
  InitOptions options_;
};

TEST_F(InitModel, MakesAModelThatVerifies) {
  for (const WeightType type :
       {WeightType::kF32, WeightType::kF16, WeightType::kBF16, WeightType::kI8}) {
    options_.weights = type;
    options_.kernel = type == WeightType::kF16 ? "absorbing" : "uniform";
    const fs::path dir = temp_ / std::to_string(static_cast<int>(type));
    init_model(dir, options_);
    EXPECT_THAT(verify_model(dir), ElementsAre());
    EXPECT_FALSE(model_dir::ModelDir::open(dir).config().trained);
  }
}

TEST_F(InitModel, AJudgeIsPartOfTheModelWhereItIsAskedFor) {
  options_.judge_layers = 1;
  options_.judge_hidden = 12;
  options_.judge_heads = 2;
  options_.weights = WeightType::kI8;
  init_model(temp_ / "m", options_);
  EXPECT_THAT(verify_model(temp_ / "m"), ElementsAre());
  const model_dir::ModelDir dir = model_dir::ModelDir::open(temp_ / "m");
  EXPECT_EQ(dir.config().judge->heads, 2);
  EXPECT_EQ(dir.tensor("judge.pool.weight").shape, (std::vector<std::uint64_t>{12, 48}));
  EXPECT_EQ(dir.tensor("judge.pool.weight").dtype, model_dir::DType::kI8);
  EXPECT_EQ(dir.tensor("judge.tag.weight").dtype, model_dir::DType::kF32);
  EXPECT_EQ(dir.tensor("judge.head.weight").dtype, model_dir::DType::kF32);
  convert_model(temp_ / "m", temp_ / "fp32", WeightType::kF32);
  EXPECT_THAT(verify_model(temp_ / "fp32"), ElementsAre());
  options_.judge_layers = -1;
  EXPECT_ERROR(init_model(temp_ / "n", options_), ErrorCode::kInvalidArgument,
               "judge.layers: found -1");
}

TEST_F(InitModel, GivesTheSameBytesForTheSameOptions) {
  init_model(temp_ / "a", options_);
  init_model(temp_ / "b", options_);
  options_.seed = 1;
  init_model(temp_ / "c", options_);
  EXPECT_EQ(test::read_file(temp_ / "a/SHA256SUMS"), test::read_file(temp_ / "b/SHA256SUMS"));
  EXPECT_NE(checksums::sha256_of_file(temp_ / "a/model.safetensors"),
            checksums::sha256_of_file(temp_ / "c/model.safetensors"));
}

TEST_F(InitModel, TakesAnImportedEncoder) {
  const ModelBuilder builder;
  fs::create_directory(temp_ / "enc");
  std::vector<model_dir::TensorView> tensors;
  for (const model_dir::TensorView& tensor : builder.tensors) {
    if (tensor.name.starts_with("bert.")) tensors.push_back(tensor);
  }
  lab::write_safetensors(temp_ / "enc/encoder.safetensors", tensors, {{"name", "tiny-bert"}});
  test::write_file(temp_ / "enc/encoder.json", model_dir::to_json(builder.config.encoder));
  fs::copy(temp_ / "vocab.txt", temp_ / "enc/vocab.txt");
  options_.vocab.clear();
  for (const fs::path& encoder : {temp_ / "enc", temp_ / "enc/encoder.safetensors"}) {
    options_.encoder = encoder;
    fs::remove_all(temp_ / "m");
    init_model(temp_ / "m", options_);
    const model_dir::ModelDir dir = model_dir::ModelDir::open(temp_ / "m");
    EXPECT_EQ(dir.config().encoder.hidden, 4);
    EXPECT_EQ(dir.config().provenance.at("encoder name"), "tiny-bert");
    EXPECT_EQ(dir.floats("bert.embeddings.LayerNorm.weight", {4}),
              builder.values.at("bert.embeddings.LayerNorm.weight"));
  }
  options_.vocab = temp_ / "short.txt";
  test::write_file(options_.vocab, "[UNK]\n[CLS]\n[SEP]\n");
  EXPECT_ERROR(init_model(temp_ / "n", options_), ErrorCode::kInvalidArgument,
               "vocabulary has 3 pieces, the encoder 6");
}

TEST_F(InitModel, RefusesOptionsThatCannotBe) {
  const auto with = [&](auto change) {
    InitOptions options = options_;
    change(options);
    init_model(temp_ / "m", options);
  };
  constexpr auto kInvalid = ErrorCode::kInvalidArgument;
  EXPECT_ERROR(with([](InitOptions& o) { o.encoder_layers = 0; }), kInvalid,
               "encoder.layers: found 0");
  EXPECT_ERROR(with([](InitOptions& o) { o.encoder_hidden = 2'000'000'000; }), kInvalid,
               "encoder.hidden");
  EXPECT_ERROR(with([](InitOptions& o) { o.denoiser_heads = 3; }), kInvalid, "3 does not divide");
  EXPECT_ERROR(with([](InitOptions& o) { o.steps = 0; }), kInvalid, "diffusion.steps");
  EXPECT_ERROR(with([](InitOptions& o) { o.kernel = "gaussian"; }), kInvalid, "kernel 'gaussian'");
  EXPECT_ERROR(with([](InitOptions& o) { o.schedule = "x"; }), kInvalid, "schedule 'x'");
  EXPECT_ERROR(with([](InitOptions& o) { o.name = "\xff"; }), kInvalid, "not UTF-8");
  EXPECT_ERROR(with([](InitOptions& o) { o.vocab.clear(); }), kInvalid, "no vocabulary");
  EXPECT_ERROR(with([](InitOptions& o) {
                 o.denoiser_layers = 64;
                 o.denoiser_hidden = 8192;
               }),
               ErrorCode::kExhausted, "at most 1000000000");
  EXPECT_ERROR(with([](InitOptions& o) { o.vocab = "absent.txt"; }), ErrorCode::kNotFound,
               "absent.txt");
  EXPECT_EQ(test::count_files(temp_.path()), 1u) << "nothing is left of a refused init";
}

class ConvertModel : public InitModel {
 protected:
  ConvertModel() { init_model(temp_ / "in", options_); }
};

TEST_F(ConvertModel, KeepsValuesWithinTheTypesPrecision) {
  const model_dir::ModelDir in = model_dir::ModelDir::open(temp_ / "in");
  const std::map<WeightType, float> relative_error = {{WeightType::kF32, 0.0f},
                                                      {WeightType::kF16, 0x1p-11f},
                                                      {WeightType::kBF16, 0x1p-8f},
                                                      {WeightType::kI8, 0.5f / 127}};
  for (const auto& [type, error] : relative_error) {
    const fs::path path = temp_ / ("out" + std::to_string(static_cast<int>(type)));
    convert_model(temp_ / "in", path, type);
    EXPECT_THAT(verify_model(path), ElementsAre());
    const model_dir::ModelDir out = model_dir::ModelDir::open(path);
    EXPECT_EQ(out.config().name, in.config().name);
    for (const model_dir::TensorSpec& spec : model_dir::expected_tensors(in.config())) {
      const model_dir::TensorView &before = in.tensor(spec.name), &after = out.tensor(spec.name);
      std::vector<float> a(before.num_elements()), b(after.num_elements());
      model_dir::to_f32(before, nullptr, a);
      model_dir::to_f32(after, out.find(spec.name + ".scale"), b);
      float largest = 0;
      for (const float value : a) largest = std::max(largest, std::fabs(value));
      for (std::size_t i = 0; i < a.size(); ++i)
        ASSERT_LE(std::fabs(a[i] - b[i]), largest * error * 1.001f + 1e-8f) << spec.name;
    }
  }
}

TEST_F(ConvertModel, DoesNotRoundWhatHasTheTypeAlready) {
  convert_model(temp_ / "in", temp_ / "once", WeightType::kI8);
  convert_model(temp_ / "once", temp_ / "twice", WeightType::kI8);
  EXPECT_EQ(test::read_file(temp_ / "once/SHA256SUMS"),
            test::read_file(temp_ / "twice/SHA256SUMS"));
}

TEST_F(ConvertModel, TakesTheMeanOfModelsOfOneArchitecture) {
  InitOptions other = options_;
  other.seed = options_.seed + 1;
  init_model(temp_ / "other", other);
  convert_model(temp_ / "in", temp_ / "mean", WeightType::kF32, {temp_ / "other"});
  const model_dir::ModelDir a = model_dir::ModelDir::open(temp_ / "in"),
                            b = model_dir::ModelDir::open(temp_ / "other"),
                            mean = model_dir::ModelDir::open(temp_ / "mean");
  for (const model_dir::TensorSpec& spec : model_dir::expected_tensors(a.config())) {
    std::vector<float> x(a.tensor(spec.name).num_elements()), y(x.size()), z(x.size());
    model_dir::to_f32(a.tensor(spec.name), nullptr, x);
    model_dir::to_f32(b.tensor(spec.name), nullptr, y);
    model_dir::to_f32(mean.tensor(spec.name), nullptr, z);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_FLOAT_EQ(z[i], (x[i] + y[i]) / 2);
  }
  other.denoiser_layers += 1;
  init_model(temp_ / "deeper", other);
  EXPECT_ERROR(convert_model(temp_ / "in", temp_ / "bad", WeightType::kF32, {temp_ / "deeper"}),
               ErrorCode::kInvalidArgument, "another architecture");
}

TEST_F(ConvertModel, RefusesDamagedModelsAndTakenPlaces) {
  EXPECT_ERROR(convert_model(temp_ / "in", temp_ / "in", WeightType::kI8),
               ErrorCode::kInvalidArgument, "not an empty directory");
  test::write_file(temp_ / "in/vocab.txt", "x\n");
  EXPECT_ERROR(convert_model(temp_ / "in", temp_ / "out", WeightType::kI8),
               ErrorCode::kCorruptModel, "vocab.txt: SHA-256");
}

}  // namespace
}  // namespace diffie
