// What the server says of itself.
#pragma once

#include <span>
#include <string>

#include "served_models.h"
#include "server_config.h"
#include "service.h"

namespace diffie::server {

// Models, presets with their values, settings with their ranges, formats, limits.
std::string models_json(const ServedModels& models, const ServerConfig& config);

// OpenAPI 3.1 of the routes, from the table of settings.
std::string openapi_json(const ServerConfig& config, std::span<const Route> routes);

}  // namespace diffie::server
