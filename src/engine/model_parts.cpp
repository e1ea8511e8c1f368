#include "engine/model_parts.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "diffie/error.h"
#include "engine/device.h"
#include "model/cpu_backend.h"
#include "model/dealing_backend.h"

namespace diffie::engine {

namespace {

[[noreturn]] void corrupt(const std::string& problem) {
  throw Error(ErrorCode::kCorruptModel, problem);
}

Tokenizer read_vocabulary(const model_dir::ModelDir& dir) {
  const std::string path = dir.vocab_path().string();
  model_dir::check_own_file(path);
  Tokenizer tokenizer = Tokenizer::from_vocab_file(path);
  const model_dir::EncoderConfig& encoder = dir.config().encoder;
  if (tokenizer.vocab_size() != static_cast<std::size_t>(encoder.vocab_size)) {
    corrupt(fmt::format("{}: {} pieces, config.json says {}", path, tokenizer.vocab_size(),
                        encoder.vocab_size));
  }
  std::size_t implied_pieces = 0;
  for (const std::string& word : dir.config().implied_words)
    implied_pieces += tokenizer.encode(word, false).ids.size();
  if (implied_pieces + 3 > static_cast<std::size_t>(encoder.max_positions)) {
    corrupt(fmt::format("implied_words: {} pieces leave no room for a sentence of at most {}",
                        implied_pieces, encoder.max_positions));
  }
  return tokenizer;
}

std::shared_ptr<const extract::Ranker> read_ranker_of(const model_dir::ModelDir& dir) {
  const std::filesystem::path path = dir.ranker_path();
  if (!path.empty()) {
    model_dir::check_own_file(path);
    return std::make_shared<const extract::Ranker>(extract::read_ranker(path));
  }
  for (const auto& [name, preset] : dir.config().presets) {
    if (preset.selector != SelectorKind::kLearned) continue;
    corrupt(fmt::format("{}: ranker.json is missing, the selector of preset '{}' is learned",
                        dir.path().string(), name));
  }
  return nullptr;
}

}  // namespace

ModelParts::ModelParts(model_dir::ModelDir dir, Tokenizer words,
                       std::shared_ptr<const extract::Ranker> trees)
    : config(dir.config()),
      tokenizer(std::move(words)),
      ranker(std::move(trees)),
      dir_(std::move(dir)) {}

std::unique_ptr<const ModelParts> ModelParts::read(const std::filesystem::path& dir,
                                                   const model_dir::DirChecks& checks,
                                                   const model_dir::Report& report) {
  bool whole = true;
  const model_dir::Report note = [&](const Error& problem) {
    whole = false;
    report(problem);
  };
  const auto attempt = [&](auto step) {
    std::optional<Error> problem;
    try {
      step();
    } catch (const Error& error) {
      problem = error;
    }
    if (problem) note(*problem);
  };
  std::optional<model_dir::ModelDir> files = model_dir::ModelDir::read(dir, checks, note);
  if (!files) return nullptr;
  std::optional<Tokenizer> tokenizer;
  std::shared_ptr<const extract::Ranker> ranker;
  attempt([&] { tokenizer = read_vocabulary(*files); });
  attempt([&] { ranker = read_ranker_of(*files); });
  if (!whole) return nullptr;
  return std::unique_ptr<const ModelParts>(
      new ModelParts(std::move(*files), std::move(*tokenizer), std::move(ranker)));
}

const model::Backend& ModelParts::backend(Precision precision,
                                          std::span<const std::int32_t> gpus) const {
  const std::lock_guard lock(mutex_);
  if (gpus.size() <= 1) return on_one(precision, gpus.empty() ? kNoGpu : gpus.front());
  auto& made = several_[{precision, {gpus.begin(), gpus.end()}}];
  if (!made) {
    std::vector<const model::Backend*> each;
    for (const std::int32_t gpu : gpus) each.push_back(&on_one(precision, gpu));
    made = std::make_unique<const model::DealingBackend>(std::move(each));
  }
  return *made;
}

const model::Backend& ModelParts::on_one(Precision precision, std::int32_t gpu) const {
  auto& made = one_[{precision, gpu}];
  if (!made && gpu == kNoGpu) made = std::make_unique<const model::CpuBackend>(dir_, precision);
  if (!made) made = make_gpu_backend(dir_, precision, gpu);
  return *made;
}

const Model& checked(const std::shared_ptr<const Model>& model) {
  if (model == nullptr) throw Error(ErrorCode::kInvalidArgument, "the model is null");
  return *model;
}

}  // namespace diffie::engine
