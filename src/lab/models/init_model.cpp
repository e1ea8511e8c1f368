#include <fmt/format.h>

#include "base/checked_size.h"
#include "diffie/error.h"
#include "diffie/lab/model_files.h"
#include "files/read_file.h"
#include "lab/models/model_dir_write.h"
#include "lab/models/quantize.h"
#include "lab/models/random_weights.h"
#include "model_dir/model_dir.h"
#include "text/vocabulary.h"

namespace diffie {
namespace {

namespace fs = std::filesystem;
using namespace lab;

constexpr std::size_t kMaxConfigBytes = 1 << 20;
constexpr std::uint64_t kMaxParameters = 1'000'000'000;

struct ImportedEncoder {
  model_dir::EncoderConfig config;
  model_dir::SafetensorsFile weights;
};

// The directory that holds encoder.json and vocab.txt.
fs::path encoder_dir(const InitOptions& options) {
  std::error_code ignored;
  return fs::is_directory(options.encoder, ignored) ? options.encoder
                                                    : options.encoder.parent_path();
}

// The encoder to start from; absent when its weights are to be random.
std::optional<ImportedEncoder> open_encoder(const InitOptions& options) {
  if (options.encoder.empty()) return std::nullopt;
  const fs::path dir = encoder_dir(options);
  const fs::path weights = dir == options.encoder ? dir / "encoder.safetensors" : options.encoder;
  const fs::path config = dir / "encoder.json";
  return ImportedEncoder{model_dir::parse_encoder_config(
                             files::read_small_file(config, kMaxConfigBytes), config.string()),
                         model_dir::SafetensorsFile::open(weights)};
}

fs::path vocab_path(const InitOptions& options) {
  fs::path path = options.vocab;
  if (path.empty() && !options.encoder.empty()) path = encoder_dir(options) / "vocab.txt";
  if (path.empty()) throw Error(ErrorCode::kInvalidArgument, "no vocabulary and no encoder given");
  return path;
}

model_dir::EncoderConfig random_encoder(const InitOptions& options, std::int32_t vocab_size) {
  model_dir::EncoderConfig encoder;
  encoder.layers = options.encoder_layers;
  encoder.hidden = options.encoder_hidden;
  encoder.heads = options.encoder_heads;
  encoder.intermediate = std::clamp(options.encoder_hidden, 1, 8192) * 4;
  encoder.vocab_size = vocab_size;
  return encoder;
}

model_dir::ModelConfig make_config(const InitOptions& options,
                                   const std::optional<ImportedEncoder>& encoder,
                                   std::int32_t vocab_size) {
  model_dir::ModelConfig config;
  config.name = options.name;
  config.encoder = encoder ? encoder->config : random_encoder(options, vocab_size);
  config.denoiser.layers = options.denoiser_layers;
  config.denoiser.hidden = options.denoiser_hidden;
  config.denoiser.heads = options.denoiser_heads;
  if (options.judge_layers != 0) {
    config.judge = {options.judge_layers, options.judge_hidden, options.judge_heads};
  }
  config.diffusion.kernel = diffusion::kernel_from_name(options.kernel);
  config.diffusion.schedule = diffusion::schedule_from_name(options.schedule);
  config.diffusion.steps = options.steps;
  config.presets = model_dir::standard_presets(config.diffusion);
  config.provenance = {{"denoiser", "random weights"}, {"seed", std::to_string(options.seed)}};
  if (encoder) {
    for (const auto& [key, value] : encoder->weights.metadata()) {
      config.provenance.emplace("encoder " + key, value);
    }
  } else {
    config.provenance.emplace("encoder", "random weights");
  }
  model_dir::check_model_config(config);
  if (config.encoder.vocab_size != vocab_size) {
    throw Error(ErrorCode::kInvalidArgument, fmt::format("vocabulary has {} pieces, the encoder {}",
                                                         vocab_size, config.encoder.vocab_size));
  }
  return config;
}

void check_parameters(const model_dir::ModelConfig& config) {
  std::uint64_t parameters = 0;
  for (const model_dir::TensorSpec& spec : model_dir::expected_tensors(config)) {
    parameters += base::checked_size(spec.shape).value();
  }
  if (parameters > kMaxParameters) {
    throw Error(ErrorCode::kExhausted,
                fmt::format("{} parameters, at most {} are made", parameters, kMaxParameters));
  }
}

std::vector<float> encoder_floats(const model_dir::SafetensorsFile& weights,
                                  const model_dir::TensorSpec& spec) {
  const model_dir::FindTensor find = [&](std::string_view name) { return weights.find(name); };
  const std::string problem = model_dir::tensor_problem(spec, find);
  if (!problem.empty()) throw Error(ErrorCode::kCorruptModel, "encoder: " + problem);
  std::vector<float> values(base::checked_size(spec.shape).value());
  model_dir::to_f32(*weights.find(spec.name), weights.find(spec.name + ".scale"), values);
  return values;
}

std::string model_card(const model_dir::ModelConfig& config) {
  std::string card = fmt::format(
      "# {}\n\nUntrained: the denoiser's weights are random, so its triples mean nothing.\n\n"
      "- encoder: {} layers x {}\n- denoiser: {} layers x {}\n- diffusion: {} kernel, {} schedule, "
      "{} steps\n",
      config.name, config.encoder.layers, config.encoder.hidden, config.denoiser.layers,
      config.denoiser.hidden, name_of(config.diffusion.kernel), name_of(config.diffusion.schedule),
      config.diffusion.steps);
  if (config.judge) {
    card += fmt::format("- judge: {} layers x {}\n", config.judge->layers, config.judge->hidden);
  }
  for (const auto& [key, value] : config.provenance) card += fmt::format("- {}: {}\n", key, value);
  return card;
}

}  // namespace

void init_model(const fs::path& dir, const InitOptions& options) {
  const fs::path vocab_file = vocab_path(options);
  const std::string vocab = files::read_small_file(vocab_file, text::kMaxVocabularyBytes);
  const text::Vocabulary pieces(vocab, vocab_file.string());  // refused as loading refuses it
  const std::optional<ImportedEncoder> encoder = open_encoder(options);
  const model_dir::ModelConfig config =
      make_config(options, encoder, static_cast<std::int32_t>(pieces.size()));
  check_parameters(config);
  TensorStore store;
  for (const model_dir::TensorSpec& spec : model_dir::expected_tensors(config)) {
    const bool imported = encoder && spec.name.starts_with("bert.");
    store.add(
        spec,
        imported ? encoder_floats(encoder->weights, spec) : random_weights(spec, options.seed),
        options.weights);
  }
  write_model_dir(dir, {config, store.views(), vocab, model_card(config)});
}

}  // namespace diffie
