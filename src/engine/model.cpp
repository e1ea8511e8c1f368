#include "diffie/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/printable.h"
#include "diffie/error.h"
#include "engine/model_parts.h"

namespace diffie {

Model::Model(std::unique_ptr<const engine::ModelParts> parts) : parts_(std::move(parts)) {}
Model::~Model() = default;

std::shared_ptr<const Model> Model::load(const std::filesystem::path& dir) {
  const model_dir::Report refuse = [](const Error& problem) { throw problem; };
  return std::shared_ptr<const Model>(new Model(engine::ModelParts::read(dir, {}, refuse)));
}

const std::string& Model::name() const { return parts_->config.name; }
bool Model::trained() const { return parts_->config.trained; }
std::string Model::kernel() const {
  return std::string(diffusion::name_of(parts_->config.diffusion.kernel));
}
const std::string& Model::default_preset() const { return parts_->config.default_preset; }

std::vector<std::string> Model::preset_names() const {
  std::vector<std::string> names;
  for (const auto& [name, preset] : parts_->config.presets) names.push_back(name);
  return names;
}

Settings Model::settings(std::string_view preset) const {
  const std::string name(preset.empty() ? default_preset() : preset);
  const auto found = parts_->config.presets.find(name);
  if (found == parts_->config.presets.end()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("preset is '{}', must be one of {} (model '{}')", base::printable(name),
                            fmt::join(preset_names(), ", "), this->name()));
  }
  Settings settings = found->second;
  // The preset that reproduces the paper rounds nothing.
  settings.precision = name == "paper" ? Precision::kFp32 : Precision::kInt8;
  return settings;
}

}  // namespace diffie
