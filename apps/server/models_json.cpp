#include <nlohmann/json.hpp>

#include "answer_body.h"
#include "api_json.h"
#include "diffie/version.h"
#include "setting_schema.h"

namespace diffie::server {
namespace {

using json = nlohmann::ordered_json;

json preset_json(const Model& model, const std::string& preset) {
  const Settings settings = model.settings(preset);
  json values = json::object();
  for (const SettingInfo& info : setting_infos()) {
    if (info.in_preset) values[info.name] = setting_value(info, settings);
  }
  return {{"name", preset}, {"settings", values}};
}

json model_json(const ServedModel& served) {
  const Model& model = *served.model();
  json presets = json::array();
  for (const std::string& preset : model.preset_names())
    presets.push_back(preset_json(model, preset));
  return {{"name", served.name()},
          {"kernel", model.kernel()},
          {"trained", model.trained()},
          {"default_preset", served.preset({})},
          {"presets", presets}};
}

json settings_json() {
  json settings = json::array();
  for (const SettingInfo& info : setting_infos()) {
    if (is_servers_own(info.name)) continue;
    json each = {{"name", info.name},
                 {"kind", kind_name(info.kind)},
                 {"help", info.help},
                 {"in_preset", info.in_preset}};
    if (info.maximum > 0) {
      each["minimum"] = info.minimum;
      each["maximum"] = info.maximum;
    }
    if (!info.names.empty()) each["names"] = info.names;
    settings.push_back(std::move(each));
  }
  return settings;
}

}  // namespace

std::string models_json(const ServedModels& models, const ServerConfig& config) {
  json answer;
  answer["models"] = json::array();
  for (const auto& model : models.all()) answer["models"].push_back(model_json(*model));
  answer["settings"] = settings_json();
  answer["formats"] = json::array();
  for (const AnswerFormat& format : answer_formats()) {
    answer["formats"].push_back(
        {{"name", format.name}, {"help", format.help}, {"several_files", format.several_files}});
  }
  answer["limits"] = {{"body_bytes", config.max_body_bytes},
                      {"deadline_ms", config.deadline.count()}};
  answer["version"] = version();
  return answer.dump() + "\n";
}

}  // namespace diffie::server
