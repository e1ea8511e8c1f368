#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "diffie/model.h"
#include "extract_request.h"

namespace diffie::server {

// The answer of /v1/trace. Throws what trace() throws.
std::string trace_json(const std::shared_ptr<const Model>& model, const Settings& settings,
                       const TraceRequest& request, const std::stop_token& stop);

}  // namespace diffie::server
