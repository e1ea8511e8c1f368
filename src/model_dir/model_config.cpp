#include "model_dir/model_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "diffie/error.h"
#include "diffusion/anchored_decoder.h"
#include "files/file_names.h"
#include "files/strict_json.h"
#include "model_dir/preset_json.h"

namespace diffie::model_dir {
namespace {

constexpr std::size_t kMaxConfigBytes = 1 << 20;
constexpr std::size_t kMaxText = 4096;
constexpr std::size_t kMaxImpliedWords = 64;
constexpr std::size_t kMaxImpliedWord = 32;  // bytes
const std::vector<std::string> kTags = {"B", "S", "R", "O"};

bool is_anchored(const diffusion::DiffusionConfig& diffusion) {
  return diffusion.kernel == diffusion::KernelKind::kAnchored;
}

void check_heads(const files::JsonObject& object, std::int32_t hidden, std::int32_t heads) {
  if (hidden % heads != 0) {
    object.fail("heads", fmt::format("{} does not divide hidden {}", heads, hidden));
  }
}

DenoiserConfig read_denoiser(files::JsonObject object) {
  DenoiserConfig denoiser;
  denoiser.layers = object.int32("layers", 1, 64);
  denoiser.hidden = object.int32("hidden", 1, 8192);
  denoiser.heads = object.int32("heads", 1, 256);
  denoiser.layer_norm_eps = object.number("layer_norm_eps", 1e-30, 1.0);
  object.finish();
  check_heads(object, denoiser.hidden, denoiser.heads);
  return denoiser;
}

diffusion::DiffusionConfig read_diffusion(files::JsonObject object) {
  diffusion::DiffusionConfig diffusion;
  diffusion.kernel =
      static_cast<diffusion::KernelKind>(object.one_of("kernel", diffusion::kernel_names()));
  diffusion.schedule =
      static_cast<diffusion::ScheduleKind>(object.one_of("schedule", diffusion::schedule_names()));
  diffusion.steps = object.int32("steps", 1, 4096);
  diffusion.cosine_s = object.number("cosine_s", 0.0, 1.0);
  object.finish();
  if (is_anchored(diffusion) && diffusion.steps != diffusion::stage::kLast) {
    object.fail("steps", fmt::format("found {}, an anchored model has {}", diffusion.steps,
                                     diffusion::stage::kLast));
  }
  return diffusion;
}

void read_presets(files::JsonObject& root, std::int64_t version, ModelConfig& config) {
  files::JsonObject object = root.object("presets");
  const std::vector<std::string> names = object.keys();
  if (names.empty() || names.size() > 64) {
    root.fail("presets", fmt::format("found {}, wanted 1..64", names.size()));
  }
  for (const std::string& name : names) {
    if (!files::is_plain_name(name))
      object.fail(name, "wanted a name of letters, digits, '-', '_', '.'");
    const Settings preset = read_preset(object.object(name), config.diffusion, version);
    if (preset.judged > 0 && !config.judge)
      object.fail(name, fmt::format("judged is {}, the model has no judge", preset.judged));
    config.presets.emplace(name, preset);
  }
}

std::vector<std::string> read_weights(files::JsonObject& root) {
  std::vector<std::string> files = root.strings("weights", 1024, 255);
  if (files.empty()) root.fail("weights", "wanted at least one file");
  for (const std::string& file : files) {
    if (!files::is_plain_name(file) || !file.ends_with(".safetensors")) {
      root.fail("weights", fmt::format("'{}' is not the plain name of a .safetensors file",
                                       base::printable(file)));
    }
    if (std::count(files.begin(), files.end(), file) > 1) {
      root.fail("weights", fmt::format("'{}' is listed twice", file));
    }
  }
  return files;
}

std::vector<std::string> read_implied_words(files::JsonObject& root) {
  if (!root.has("implied_words")) return {};
  const std::vector<std::string> words =
      root.strings("implied_words", kMaxImpliedWords, kMaxImpliedWord);
  if (const auto problem = implied_words_problem(words)) root.fail("implied_words", *problem);
  return words;
}

// The file's version.
std::int64_t check_format(files::JsonObject& root, std::string_view where) {
  const std::string format = root.string("format", 256);
  if (format != "diffie-model") {
    root.fail("format", fmt::format("found '{}', wanted 'diffie-model'", base::printable(format)));
  }
  const std::int64_t version = root.integer("version", 1, std::numeric_limits<std::int32_t>::max());
  if (version > kModelFormatVersion) {
    throw Error(ErrorCode::kUnsupported,
                fmt::format("{}: model format version {}, this build reads up to {}", where,
                            version, kModelFormatVersion));
  }
  return version;
}

nlohmann::ordered_json encoder_to_json(const EncoderConfig& encoder) {
  return {{"layers", encoder.layers},         {"hidden", encoder.hidden},
          {"heads", encoder.heads},           {"intermediate", encoder.intermediate},
          {"vocab_size", encoder.vocab_size}, {"max_positions", encoder.max_positions},
          {"type_vocab", encoder.type_vocab}, {"layer_norm_eps", encoder.layer_norm_eps}};
}

EncoderConfig read_encoder(files::JsonObject object) {
  EncoderConfig encoder;
  encoder.layers = object.int32("layers", 1, 64);
  encoder.hidden = object.int32("hidden", 1, 8192);
  encoder.heads = object.int32("heads", 1, 256);
  encoder.intermediate = object.int32("intermediate", 1, 65536);
  encoder.vocab_size = object.int32("vocab_size", 1, 1'000'000);
  encoder.max_positions = object.int32("max_positions", 1, 8192);
  encoder.type_vocab = object.int32("type_vocab", 1, 16);
  encoder.layer_norm_eps = object.number("layer_norm_eps", 1e-30, 1.0);
  object.finish();
  check_heads(object, encoder.hidden, encoder.heads);
  return encoder;
}

nlohmann::ordered_json denoiser_to_json(const DenoiserConfig& denoiser) {
  return {{"layers", denoiser.layers},
          {"hidden", denoiser.hidden},
          {"heads", denoiser.heads},
          {"layer_norm_eps", denoiser.layer_norm_eps}};
}

// The oldest version that can say what the configuration says.
std::int32_t needed_version(const ModelConfig& config) {
  if (config.judge || is_anchored(config.diffusion)) return 4;
  if (!config.implied_words.empty()) return 3;
  const auto& presets = config.presets;
  return std::any_of(presets.begin(), presets.end(),
                     [](const auto& item) { return has_shortcuts(item.second); })
             ? 2
             : 1;
}

std::map<std::string, Settings> anchored_presets() {
  Settings balanced;
  balanced.samples = 1;  // none is drawn
  balanced.steps = diffusion::stage::kLast;
  balanced.top_k = 8;
  balanced.rule = Rule::kAllRuns;
  balanced.selector = SelectorKind::kCoverage;
  balanced.wording = 0.8;
  balanced.theta = 0.03;
  balanced.branch = 2;
  balanced.refine = true;
  Settings best = balanced;
  best.wording = 0;
  best.theta = 0.01;
  best.branch = 4;
  Settings fast = balanced;
  fast.theta = 0.06;
  fast.branch = 1;
  fast.refine = false;
  return {{"best", best}, {"balanced", balanced}, {"fast", fast}};
}

}  // namespace

std::optional<std::string> implied_words_problem(std::span<const std::string> words) {
  if (words.size() > kMaxImpliedWords) return fmt::format("more than {} words", kMaxImpliedWords);
  for (const std::string& word : words) {
    const bool letters = !word.empty() && std::all_of(word.begin(), word.end(),
                                                      [](char c) { return c >= 'a' && c <= 'z'; });
    if (!letters) return fmt::format("'{}' is no word of a to z", base::printable(word));
    if (word.size() > kMaxImpliedWord) return fmt::format("'{}' is too long", word);
    if (std::count(words.begin(), words.end(), word) > 1)
      return fmt::format("'{}' is listed twice", word);
  }
  return std::nullopt;
}

EncoderConfig parse_encoder_config(std::string_view json, std::string_view where) {
  nlohmann::json value = files::parse_strict_json(json, where);
  const files::TakesApart at_the_end(value);
  return read_encoder(files::JsonObject(value, where));
}

std::string to_json(const EncoderConfig& encoder) {
  return encoder_to_json(encoder).dump(2) + "\n";
}

ModelConfig parse_model_config(std::string_view json, std::string_view where) {
  if (json.size() > kMaxConfigBytes) {
    throw Error(ErrorCode::kCorruptModel, fmt::format("{}: {} bytes, at most {} are allowed", where,
                                                      json.size(), kMaxConfigBytes));
  }
  nlohmann::json value = files::parse_strict_json(json, where);
  const files::TakesApart at_the_end(value);
  files::JsonObject root(value, where);
  const std::int64_t version = check_format(root, where);
  ModelConfig config;
  config.name = root.string("name", 256);
  config.trained = root.boolean("trained");
  config.encoder = read_encoder(root.object("encoder"));
  config.denoiser = read_denoiser(root.object("denoiser"));
  if (version >= 4 && root.has("judge")) config.judge = read_denoiser(root.object("judge"));
  config.diffusion = read_diffusion(root.object("diffusion"));
  if (root.strings("tags", 16, 16) != kTags) {
    root.fail("tags", fmt::format("wanted [{}]", fmt::join(kTags, ", ")));
  }
  if (version >= 3) config.implied_words = read_implied_words(root);
  config.weights = read_weights(root);
  read_presets(root, version, config);
  config.default_preset = root.string("default_preset", 256);
  if (!config.presets.contains(config.default_preset)) {
    root.fail("default_preset",
              fmt::format("no preset is named '{}'", base::printable(config.default_preset)));
  }
  files::JsonObject provenance = root.object("provenance");
  for (const std::string& key : provenance.keys()) {
    config.provenance.emplace(key, provenance.string(key, kMaxText));
  }
  root.finish();
  return config;
}

void check_model_config(const ModelConfig& config) {
  try {
    parse_model_config(to_json(config), "model configuration");
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorCode::kInvalidArgument, "model configuration: text is not UTF-8");
  } catch (const Error& error) {
    throw Error(ErrorCode::kInvalidArgument, error.what());
  }
}

std::string to_json(const ModelConfig& config) {
  nlohmann::ordered_json presets = nlohmann::ordered_json::object();
  for (const auto& [name, preset] : config.presets) presets[name] = preset_to_json(preset);
  nlohmann::ordered_json provenance = nlohmann::ordered_json::object();
  for (const auto& [key, text] : config.provenance) provenance[key] = text;
  nlohmann::ordered_json root = {{"format", "diffie-model"},
                                 {"version", needed_version(config)},
                                 {"name", config.name},
                                 {"trained", config.trained},
                                 {"encoder", encoder_to_json(config.encoder)},
                                 {"denoiser", denoiser_to_json(config.denoiser)},
                                 {"diffusion",
                                  {{"kernel", diffusion::name_of(config.diffusion.kernel)},
                                   {"schedule", diffusion::name_of(config.diffusion.schedule)},
                                   {"steps", config.diffusion.steps},
                                   {"cosine_s", config.diffusion.cosine_s}}},
                                 {"tags", kTags},
                                 {"weights", config.weights},
                                 {"presets", presets},
                                 {"default_preset", config.default_preset},
                                 {"provenance", provenance}};
  if (!config.implied_words.empty()) root["implied_words"] = config.implied_words;
  if (config.judge) root["judge"] = denoiser_to_json(*config.judge);
  return root.dump(2) + "\n";
}

std::map<std::string, Settings> standard_presets(const diffusion::DiffusionConfig& diffusion) {
  if (is_anchored(diffusion)) return anchored_presets();
  const std::int32_t trained_steps = diffusion.steps;
  Settings paper;
  paper.steps = trained_steps;
  Settings best;
  best.samples = 256;
  best.steps = trained_steps;
  best.top_k = 8;
  best.rule = Rule::kAllRuns;
  best.selector = SelectorKind::kCoverage;
  Settings balanced = best;
  balanced.samples = 64;
  balanced.steps = std::min(8, trained_steps);
  balanced.wording = 0.8;
  Settings fast = balanced;
  fast.samples = 16;
  fast.steps = std::min(4, trained_steps);
  return {{"paper", paper}, {"best", best}, {"balanced", balanced}, {"fast", fast}};
}

}  // namespace diffie::model_dir
