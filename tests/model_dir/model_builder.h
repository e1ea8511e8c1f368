#pragma once

#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/checked_size.h"
#include "lab/models/model_dir_write.h"
#include "model_dir/model_dir.h"

namespace diffie::test {

// A tiny model, complete and valid, every part of which a test can break before it is written.
struct ModelBuilder {
  model_dir::ModelConfig config;
  std::vector<model_dir::TensorView> tensors;  // views of `values`
  std::map<std::string, std::vector<float>> values;
  std::string vocab = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\n##s\n";
  std::string card = "# Tiny\n";

  ModelBuilder() {
    config.name = "tiny";
    config.encoder = {1, 4, 2, 8, 6, 16, 2, 1e-12};
    config.denoiser = {1, 4, 2, 1e-5};
    config.presets = model_dir::standard_presets(config.diffusion);
    config.provenance = {{"licence", "Apache-2.0"}};
    float next = 0;
    for (const model_dir::TensorSpec& spec : model_dir::expected_tensors(config)) {
      std::vector<float>& numbers = values[spec.name];
      numbers.resize(*base::checked_size(spec.shape));
      for (float& number : numbers) number = next += 0.25f;
      tensors.push_back(
          {spec.name, model_dir::DType::kF32, spec.shape, std::as_bytes(std::span(numbers))});
    }
  }

  model_dir::TensorView& tensor(std::string_view name) {
    for (model_dir::TensorView& tensor : tensors) {
      if (tensor.name == name) return tensor;
    }
    throw std::out_of_range(std::string(name));
  }

  void write(const std::filesystem::path& dir, std::uint64_t max_file_bytes = 1 << 20) const {
    lab::write_model_dir(dir, {config, tensors, vocab, card}, max_file_bytes);
  }
};

}  // namespace diffie::test
