#include "model_dir/preset_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "diffie/error.h"
#include "settings/fields.h"

namespace diffie::model_dir {
namespace {

using namespace settings;

std::vector<std::int32_t> read_numbers(files::JsonObject& object, const Field& field,
                                       const ListField& list) {
  std::vector<std::int32_t> numbers;
  for (const std::uint64_t number : object.unsigneds(field.name, 4096)) {
    if (number < static_cast<std::uint64_t>(list.low) ||
        number > static_cast<std::uint64_t>(list.high)) {
      object.fail(field.name,
                  fmt::format("found {}, wanted numbers in {}..{}", number, list.low, list.high));
    }
    numbers.push_back(static_cast<std::int32_t>(number));
  }
  return numbers;
}

void read_field(files::JsonObject& object, const Field& field, Settings& preset) {
  if (const auto* integer = std::get_if<IntegerField>(&field.kind)) {
    preset.*integer->member = object.int32(field.name, integer->low, integer->high);
  } else if (const auto* real = std::get_if<RealField>(&field.kind)) {
    preset.*real->member = object.number(field.name, real->low, real->high);
    if (real->above_low && preset.*real->member == real->low) {
      object.fail(field.name, fmt::format("found {}, wanted more", real->low));
    }
  } else if (const auto* names = std::get_if<NameField>(&field.kind)) {
    names->set(preset, object.one_of(field.name, names->names));
  } else if (const auto* flag = std::get_if<FlagField>(&field.kind)) {
    preset.*flag->member = object.boolean(field.name);
  } else if (const auto* list = std::get_if<ListField>(&field.kind)) {
    preset.*list->member = read_numbers(object, field, *list);
  }
}

nlohmann::ordered_json field_to_json(const Field& field, const Settings& preset) {
  if (const auto* integer = std::get_if<IntegerField>(&field.kind)) return preset.*integer->member;
  if (const auto* real = std::get_if<RealField>(&field.kind)) return preset.*real->member;
  if (const auto* flag = std::get_if<FlagField>(&field.kind)) return preset.*flag->member;
  if (const auto* list = std::get_if<ListField>(&field.kind)) return preset.*list->member;
  return get_setting(preset, field.name);
}

bool is_default(const Field& field, const Settings& preset) {
  return get_setting(preset, field.name) == get_setting({}, field.name);
}

// Settings that one way of sampling reads and the other does not must stay at their defaults.
void check_kernel(const files::JsonObject& object, const Settings& preset,
                  diffusion::KernelKind kernel) {
  static const std::vector<std::string_view> kOfChains = {"times", "shared", "stratified",
                                                          "remask"};
  static const std::vector<std::string_view> kOfAnchored = {"theta", "branch", "refine"};
  const bool anchored = kernel == diffusion::KernelKind::kAnchored;
  for (const std::string_view name : anchored ? kOfChains : kOfAnchored) {
    if (is_default(field(name), preset)) continue;
    object.fail(name, fmt::format("found {}, a model with kernel {} has none",
                                  get_setting(preset, name), diffusion::name_of(kernel)));
  }
  if (kernel == diffusion::KernelKind::kUniform && preset.remask != 0)
    object.fail("remask", fmt::format("found {}, kernel uniform has no mask", preset.remask));
}

}  // namespace

Settings read_preset(files::JsonObject object, const diffusion::DiffusionConfig& diffusion,
                     std::int64_t version) {
  const std::int32_t trained_steps = diffusion.steps;
  Settings preset;
  for (const Field& field : fields()) {
    const bool may_stand =
        field.place == Place::kShortcut && version >= 2 && object.has(field.name);
    if (field.place == Place::kPreset || may_stand) read_field(object, field, preset);
  }
  object.finish();
  check_kernel(object, preset, diffusion.kernel);
  if (preset.steps > trained_steps) {
    object.fail("steps", fmt::format("found {}, the model has {}", preset.steps, trained_steps));
  }
  if (!preset.times.empty() && preset.times.front() > trained_steps) {
    object.fail("times", fmt::format("found {}, the model has {} steps", preset.times.front(),
                                     trained_steps));
  }
  try {
    preset.validate();
  } catch (const Error& error) {
    object.fail("times", error.what());
  }
  return preset;
}

nlohmann::ordered_json preset_to_json(const Settings& preset) {
  nlohmann::ordered_json object;
  for (const Field& field : fields()) {
    const bool stands = field.place == Place::kPreset ||
                        (field.place == Place::kShortcut && !is_default(field, preset));
    if (stands) object[std::string(field.name)] = field_to_json(field, preset);
  }
  return object;
}

bool has_shortcuts(const Settings& preset) {
  for (const Field& field : fields()) {
    if (field.place == Place::kShortcut && !is_default(field, preset)) return true;
  }
  return false;
}

}  // namespace diffie::model_dir
