// The table of settings as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "diffie/settings.h"

namespace diffie::server {

const char* kind_name(SettingKind kind);  // "integer", "number", "name", "flag", "list", "seed"

// The value of a setting, with its JSON type.
nlohmann::ordered_json setting_value(const SettingInfo& info, const Settings& settings);

// The JSON schema of a setting.
nlohmann::ordered_json setting_schema(const SettingInfo& info);

}  // namespace diffie::server
