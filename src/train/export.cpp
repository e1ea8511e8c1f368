#include "train/export.h"

#include <fmt/format.h>

#include "checksums/sha256.h"
#include "checksums/sha256sums.h"
#include "diffie/error.h"
#include "files/atomic_file.h"
#include "files/read_file.h"
#include "files/replace_folder.h"
#include "lab/models/model_dir_write.h"
#include "lab/models/safetensors_write.h"
#include "model_dir/model_dir.h"
#include "train/checkpoint.h"

namespace diffie::train {
namespace {

namespace fs = std::filesystem;

model_dir::ModelConfig full_config(const TrainConfig& config, const ExportContent& content) {
  model_dir::ModelConfig model = model_config(config);
  model.trained = true;
  model.implied_words = content.implied_words;
  model.presets = model_dir::standard_presets(config.diffusion);
  model.provenance = content.provenance;
  model.provenance["objective"] = config.objective == Objective::kTagger ? "tagger" : "diffusion";
  return model;
}

void write_tagger(const fs::path& dir, const model_dir::ModelConfig& config,
                  std::span<const model_dir::TensorView> tensors, const ExportContent& content) {
  fs::create_directories(dir);
  lab::write_safetensors(dir / "model.safetensors", tensors);
  files::write_text_file(dir / "config.json", model_dir::to_json(config));
  files::write_text_file(dir / "vocab.txt", content.vocab);
  files::write_text_file(dir / "MODEL_CARD.md", content.card);
}

void write_directory(const fs::path& dir, const TrainConfig& config, const ParamSet& params,
                     const ExportContent& content) {
  const auto type = config.weights == "f16" ? torch::kFloat16 : torch::kFloat32;
  std::vector<StoredTensor> stored;
  std::vector<model_dir::TensorView> views;
  for (std::size_t i = 0; i < params.size(); ++i) {
    stored.push_back(stored_tensor(params.names()[i], params.tensors()[i], type));
    views.push_back(stored.back().view);
  }
  const model_dir::ModelConfig model = full_config(config, content);
  if (config.objective == Objective::kTagger) {
    write_tagger(dir, model, views, content);
  } else {
    const auto megabytes = static_cast<std::uint64_t>(config.max_file_mb);
    lab::write_model_dir(dir, {model, views, content.vocab, content.card},
                         megabytes > 0 ? megabytes * 1'000'000 : std::uint64_t{1} << 62);
  }
  for (const auto& [name, text] : content.files) files::write_text_file(dir / name, text);
  checksums::write_sha256sums(dir);
}

TrainConfig config_of(const model_dir::ModelConfig& model) {
  TrainConfig config;
  config.name = model.name;
  config.encoder = model.encoder;
  config.denoiser = model.denoiser;
  config.diffusion = model.diffusion;
  if (model.judge) config.judge = *model.judge;
  const auto objective = model.provenance.find("objective");
  if (objective != model.provenance.end() && objective->second == "tagger") {
    config.objective = Objective::kTagger;
  }
  return config;
}

model_dir::ModelConfig read_config(const fs::path& dir) {
  return model_dir::parse_model_config(files::read_text_file(dir / "config.json"), "config.json");
}

std::string kind_of(const TrainConfig& config) {
  return config.objective == Objective::kTagger
             ? "tagger"
             : fmt::format("{} diffusion", diffusion::name_of(config.diffusion.kernel));
}

// Compared one by one: shapes show neither heads nor that the model has more layers.
void check_same_architecture(const std::string& name, const TrainConfig& model,
                             const TrainConfig& run) {
  const auto check = [&](const char* what, const auto& found, const auto& wanted) {
    if (found == wanted) return;
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{}: {} is {}, the run's is {}", name, what, found, wanted));
  };
  check("objective", kind_of(model), kind_of(run));
  check("encoder.layers", model.encoder.layers, run.encoder.layers);
  check("encoder.hidden", model.encoder.hidden, run.encoder.hidden);
  check("encoder.heads", model.encoder.heads, run.encoder.heads);
  check("encoder.intermediate", model.encoder.intermediate, run.encoder.intermediate);
  check("encoder.vocab_size", model.encoder.vocab_size, run.encoder.vocab_size);
  check("encoder.max_positions", model.encoder.max_positions, run.encoder.max_positions);
  check("encoder.type_vocab", model.encoder.type_vocab, run.encoder.type_vocab);
  check("encoder.layer_norm_eps", model.encoder.layer_norm_eps, run.encoder.layer_norm_eps);
  if (run.objective == Objective::kTagger) return;
  check("denoiser.layers", model.denoiser.layers, run.denoiser.layers);
  check("denoiser.hidden", model.denoiser.hidden, run.denoiser.hidden);
  check("denoiser.heads", model.denoiser.heads, run.denoiser.heads);
  check("denoiser.layer_norm_eps", model.denoiser.layer_norm_eps, run.denoiser.layer_norm_eps);
  check("diffusion.steps", model.diffusion.steps, run.diffusion.steps);
  check("judge.layers", model.judge.layers, run.judge.layers);
  if (!has_judge(run)) return;
  check("judge.hidden", model.judge.hidden, run.judge.hidden);
  check("judge.heads", model.judge.heads, run.judge.heads);
  check("judge.layer_norm_eps", model.judge.layer_norm_eps, run.judge.layer_norm_eps);
}

}  // namespace

void export_model(const fs::path& dir, const TrainConfig& config, const ParamSet& params,
                  const ExportContent& content) {
  const fs::path temporary = files::temporary_sibling(dir);
  try {
    write_directory(temporary, config, params, content);
    files::replace_folder(temporary, dir);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(temporary, ignored);
    throw;
  }
}

LoadedModel load_model(const fs::path& dir) {
  const model_dir::ModelConfig model = read_config(dir);
  std::vector<model_dir::SafetensorsFile> files;
  for (const std::string& name : model.weights) {
    files.push_back(model_dir::SafetensorsFile::open(dir / name));
  }
  LoadedModel loaded;
  loaded.config = config_of(model);
  loaded.implied_words = model.implied_words;
  loaded.params = load_params(files, loaded.config);
  return loaded;
}

ParamSet load_start(const fs::path& dir, const TrainConfig& config, const fs::path& vocab) {
  const std::string name = dir.string();
  check_same_architecture(name, config_of(read_config(dir)), config);
  if (files::read_text_file(dir / "vocab.txt") != files::read_text_file(vocab)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{}: its vocab.txt is not {}", name, vocab.string()));
  }
  return load_model(dir).params;
}

std::string weights_sha256(const fs::path& dir) {
  std::vector<std::string> hashes;
  for (const std::string& file : read_config(dir).weights) {
    hashes.push_back(checksums::sha256_of_file(dir / file));
  }
  return fmt::format("{}", fmt::join(hashes, " "));
}

}  // namespace diffie::train
