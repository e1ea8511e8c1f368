// config.json of a model directory as plain structs. docs/model-file.md is the description for
// people.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/settings.h"
#include "diffusion/diffusion_config.h"

namespace diffie::model_dir {

inline constexpr std::int32_t kModelFormatVersion = 4;

struct EncoderConfig {  // BERT, post-LN, absolute positions
  std::int32_t layers = 12;
  std::int32_t hidden = 768;
  std::int32_t heads = 12;
  std::int32_t intermediate = 3072;
  std::int32_t vocab_size = 30522;
  std::int32_t max_positions = 512;
  std::int32_t type_vocab = 2;
  double layer_norm_eps = 1e-12;
};

struct DenoiserConfig {  // pre-LN, MLP of 4 x hidden
  std::int32_t layers = 6;
  std::int32_t hidden = 512;
  std::int32_t heads = 8;
  double layer_norm_eps = 1e-5;
};

struct ModelConfig {
  std::string name;
  bool trained = false;
  EncoderConfig encoder;
  DenoiserConfig denoiser;
  // Of the denoiser's shape with an output per row, since version 4; none: the model has no judge.
  std::optional<DenoiserConfig> judge = {};
  diffusion::DiffusionConfig diffusion;
  std::vector<std::string> weights = {"model.safetensors"};  // files in the directory, in order
  // Words that every sentence is followed by, since version 3: a relation may need words that the
  // sentence lacks. Lower-cased, one piece or more each, none twice.
  std::vector<std::string> implied_words = {};
  std::map<std::string, Settings> presets;  // named points on the speed/quality curve
  std::string default_preset = "balanced";
  std::map<std::string, std::string>
      provenance;  // free text: data checksum, revision, seed, licence

  std::int32_t num_tags() const { return 4; }  // outputs: B, S, R, O
  std::int32_t num_states() const {
    return diffusion.kernel == diffusion::KernelKind::kUniform ? 4 : 5;  // with the mask
  }
};

// Reads and checks every field's type and range; unknown keys are refused, so a misspelt one is
// noticed. `where` names the file in messages. Throws kCorruptModel, kUnsupported (newer version).
ModelConfig parse_model_config(std::string_view json, std::string_view where);
std::string to_json(
    const ModelConfig& config);  // pretty-printed, stable key order, ends in a newline

// The same checks for a configuration made in memory: kInvalidArgument.
void check_model_config(const ModelConfig& config);

// Why these cannot be a model's implied words, if so: they are words of a to z, none twice.
std::optional<std::string> implied_words_problem(std::span<const std::string> words);

// The encoder part alone: encoder.json of an imported encoder. The same errors.
EncoderConfig parse_encoder_config(std::string_view json, std::string_view where);
std::string to_json(const EncoderConfig& encoder);

// The presets every new model starts with: best, balanced, fast, and paper unless it is anchored.
std::map<std::string, Settings> standard_presets(const diffusion::DiffusionConfig& diffusion);

}  // namespace diffie::model_dir
