// A preset as it stands in config.json: the fields of settings that belong to presets.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "diffie/settings.h"
#include "diffusion/diffusion_config.h"
#include "files/strict_json.h"

namespace diffie::model_dir {

// Checks every field's type and range, that times and shared rows fit the steps, and that nothing
// is said that the kernel does not read. version: of the file.
Settings read_preset(files::JsonObject object, const diffusion::DiffusionConfig& diffusion,
                     std::int64_t version);

nlohmann::ordered_json preset_to_json(const Settings& preset);

// True when it says something that version 1 of the format could not.
bool has_shortcuts(const Settings& preset);

}  // namespace diffie::model_dir
