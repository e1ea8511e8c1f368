#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/checked_size.h"
#include "lab/models/safetensors_write.h"
#include "model_dir/model_dir.h"

namespace diffie::model {

// Opens an imported encoder (encoder.safetensors, encoder.json, vocab.txt) as a model: `work`, an
// existing empty directory, receives the weights (a link where that can be), a configuration and a
// denoiser of zeros.
inline model_dir::ModelDir open_imported_encoder(const std::filesystem::path& encoder,
                                                 const std::filesystem::path& work) {
  std::ifstream json_file(encoder / "encoder.json");
  const std::string json(std::istreambuf_iterator<char>(json_file), {});
  model_dir::ModelConfig config;
  config.name = "imported";
  config.encoder = model_dir::parse_encoder_config(json, (encoder / "encoder.json").string());
  config.denoiser = {.layers = 1, .hidden = 4, .heads = 1, .layer_norm_eps = 1e-5};
  config.weights = {"encoder.safetensors", "denoiser.safetensors"};
  config.presets = model_dir::standard_presets(config.diffusion);
  std::ofstream(work / "config.json") << model_dir::to_json(config);

  const char* weights = "encoder.safetensors";
  std::error_code no_link;
  std::filesystem::create_hard_link(encoder / weights, work / weights, no_link);
  if (no_link) std::filesystem::copy_file(encoder / weights, work / weights);
  const std::vector<float> zeros(static_cast<std::size_t>(config.encoder.hidden) * 64);
  std::vector<model_dir::TensorView> tensors;
  for (const model_dir::TensorSpec& spec : model_dir::expected_tensors(config)) {
    if (!spec.name.starts_with("denoiser.")) continue;
    const std::span values = std::span(zeros).first(base::checked_size(spec.shape).value());
    tensors.push_back({spec.name, model_dir::DType::kF32, spec.shape, std::as_bytes(values)});
  }
  lab::write_safetensors(work / "denoiser.safetensors", tensors);
  return model_dir::ModelDir::open(work, false);
}

}  // namespace diffie::model
