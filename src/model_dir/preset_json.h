// A preset as it stands in config.json: the fields of settings that belong to presets.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "diffie/settings.h"
#include "files/strict_json.h"

namespace diffie::model_dir {

// Checks every field's type and range, and that times and shared rows fit the steps. version: of
// the file.
Settings read_preset(files::JsonObject object, std::int32_t trained_steps, std::int64_t version);

nlohmann::ordered_json preset_to_json(const Settings& preset);

// True when it says something that version 1 of the format could not.
bool has_shortcuts(const Settings& preset);

}  // namespace diffie::model_dir
