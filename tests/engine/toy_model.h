#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "diffie/lab/model_files.h"
#include "model_dir/model_dir.h"

namespace diffie::test {

// A small random model: its triples mean nothing, but every promise about them can be tested.
inline void init_toy_model(const std::filesystem::path& dir, const std::string& kernel,
                           const std::vector<std::string>& implied_words = {}) {
  InitOptions options;
  options.vocab = DIFFIE_SOURCE_DIR "/share/bert-base-uncased/vocab.txt";
  options.encoder_hidden = 32;
  options.denoiser_hidden = 32;
  options.kernel = kernel;
  init_model(dir, options);
  if (implied_words.empty()) return;
  model_dir::ModelConfig config = model_dir::ModelDir::open(dir).config();
  config.implied_words = implied_words;
  write_model_document(dir, "config.json", model_dir::to_json(config));
}

}  // namespace diffie::test
