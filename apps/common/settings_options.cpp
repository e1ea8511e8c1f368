#include "settings_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

namespace diffie::cli {
namespace {

std::string short_flag(const std::string& name) {
  if (name == "samples") return "-n,";
  if (name == "top_k") return "-k,";
  if (name == "threads") return "-t,";
  return "";
}

}  // namespace

void SettingsOptions::add_to(CLI::App& app) {
  app.add_option("-p,--preset", preset_, "paper, best, balanced or fast (default: the model's)");
  for (const SettingInfo& info : setting_infos()) {
    std::string flag = info.name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    const auto give = [this, name = info.name](const std::string& value) {
      given_.emplace_back(name, value);
    };
    if (info.is_flag) {
      CLI::Option* on = app.add_flag_callback(
          "--" + flag, [give] { give("true"); }, info.help);
      if (info.in_preset) {
        app.add_flag_callback(
               "--no-" + flag, [give] { give("false"); },
               fmt::format("Not --{}, whatever the preset says", flag))
            ->excludes(on);
      }
      continue;
    }
    app.add_option_function<std::string>(short_flag(info.name) + "--" + flag, give,
                                         fmt::format("{}: {}", info.help, info.allowed));
  }
}

Settings SettingsOptions::resolve(const Model& model, const std::string& preset) const {
  Settings settings = model.settings(preset.empty() ? preset_ : preset);
  for (const auto& [name, value] : given_) set_setting(settings, name, value);
  settings.validate();
  return settings;
}

}  // namespace diffie::cli
