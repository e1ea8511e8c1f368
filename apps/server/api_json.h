// What the server says of itself.
#pragma once

#include <string>

#include "served_models.h"
#include "server_config.h"

namespace diffie::server {

// Models, presets with their values, settings with their ranges, formats, limits.
std::string models_json(const ServedModels& models, const ServerConfig& config);

// OpenAPI 3.1 of all routes, from the table of settings.
std::string openapi_json(const ServerConfig& config);

}  // namespace diffie::server
