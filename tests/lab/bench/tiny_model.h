#pragma once

#include <filesystem>

#include "diffie/lab/model_files.h"

namespace diffie::test {

// Random weights, quick to run; its triples mean nothing.
inline void write_tiny_model(const std::filesystem::path& dir,
                             const std::string& kernel = "uniform") {
  InitOptions options;
  options.name = "tiny";
  options.vocab = DIFFIE_SOURCE_DIR "/share/bert-base-uncased/vocab.txt";
  options.encoder_layers = 1;
  options.encoder_hidden = 16;
  options.denoiser_layers = 1;
  options.denoiser_hidden = 16;
  options.kernel = kernel;
  options.steps = kernel == "anchored" ? 16 : 4;
  init_model(dir, options);
}

}  // namespace diffie::test
