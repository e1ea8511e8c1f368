#include "served_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/printable.h"
#include "base/utf8.h"
#include "http_error.h"
#include "memory.h"

namespace diffie::server {
namespace {

constexpr std::size_t kMaxKept = 8;
constexpr int kIdle = 5;

}  // namespace

std::string ServedModel::preset(const Asked& asked) const {
  return asked.preset.empty() ? options_.preset_of(*model_) : asked.preset;
}

Settings ServedModel::settings(const Asked& asked) const {
  const std::vector<std::string> presets = model_->preset_names();
  const std::string preset = this->preset(asked);
  if (std::find(presets.begin(), presets.end(), preset) == presets.end()) {
    throw bad_field("options.preset",
                    fmt::format("model '{}' has no preset '{}'", name_, base::printable(preset)));
  }
  try {
    Settings settings = options_.resolve(*model_, preset);
    for (const auto& [name, value] : asked.settings) set_setting(settings, name, value);
    settings.validate();
    return settings;
  } catch (const Error& error) {
    throw to_http_error(error, "options");
  }
}

std::shared_ptr<const Extractor> ServedModel::extractor(const Settings& settings) {
  try {
    return prepare(settings);
  } catch (const Error& error) {
    throw to_http_error(error, "options");
  }
}

std::shared_ptr<const Extractor> ServedModel::prepare(const Settings& settings) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const Kept& kept) { return kept.settings == settings; });
  if (found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
    found->idle = 0;
    return found->extractor;
  }
  kept_.push_front({settings, std::make_shared<const Extractor>(model_, settings)});
  for (const std::string& notice : kept_.front().extractor->take_notices())
    tell_(fmt::format("model '{}': {}", name_, notice));
  if (kept_.size() > kMaxKept) kept_.pop_back();
  return kept_.front().extractor;
}

void ServedModel::tidy() {
  const std::lock_guard lock(mutex_);
  for (Kept& kept : kept_) {
    if (kept.extractor.use_count() > 1) {  // a request's, too
      kept.idle = 0;
    } else if (kept.idle < kIdle && ++kept.idle == kIdle) {
      kept.extractor->release_memory();
    }
  }
}

ServedModels::ServedModels(const std::vector<std::string>& models,
                           const cli::SettingsOptions& options, Tell tell)
    : options_(options), tell_(std::move(tell)) {
  for (const std::string& each : models) {
    const std::size_t equals = each.find('=');
    Source source{each.substr(0, equals),
                  equals == std::string::npos ? each : each.substr(equals + 1)};
    if (equals == std::string::npos) {
      const std::filesystem::path place = source.place;
      source.name = (place.has_filename() ? place : place.parent_path()).filename().string();
    }
    if (source.name.empty() || base::find_invalid_utf8(source.name)) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("model '{}' has no name in UTF-8: give it one, NAME=PATH",
                              base::printable(each)));
    }
    for (const Source& other : sources_) {
      if (other.name != source.name) continue;
      throw Error(
          ErrorCode::kInvalidArgument,
          fmt::format("two models are named '{}': give one another name, NAME=PATH", source.name));
    }
    sources_.push_back(source);
    models_.push_back(load(source));
    models_.back()->prepare(options_.resolve(*models_.back()->model()));  // ready, and possible
  }
}

std::shared_ptr<ServedModel> ServedModels::load(const Source& source) const {
  return {new ServedModel(source.name, Model::load(find_model(source.place)), options_, tell_),
          [](ServedModel* model) {
            delete model;
            give_memory_back();  // what it had stands between what others have
          }};
}

std::shared_ptr<ServedModel> ServedModels::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  for (const auto& model : models_) {
    if (name.empty() || model->name() == name) return model;
  }
  throw HttpError(404, "not_found", fmt::format("no model is named '{}'", base::printable(name)),
                  "model");
}

std::vector<std::shared_ptr<ServedModel>> ServedModels::all() const {
  const std::lock_guard lock(mutex_);
  return models_;
}

void ServedModels::tidy() const {
  try {
    for (const auto& model : all()) model->tidy();
  } catch (const std::exception&) {  // not even for that is there memory
  }
  give_memory_back();
}

void ServedModels::reload() {
  for (std::size_t index = 0; index < sources_.size(); ++index) {
    try {
      std::shared_ptr<ServedModel> fresh = load(sources_[index]);
      fresh->prepare(options_.resolve(*fresh->model()));
      const std::lock_guard lock(mutex_);
      models_[index] = std::move(fresh);
      tell_(fmt::format("model '{}' loaded again", sources_[index].name));
    } catch (const std::exception& error) {
      tell_(fmt::format("model '{}' stays as it was: {}", sources_[index].name, error.what()));
    }
  }
}

}  // namespace diffie::server
