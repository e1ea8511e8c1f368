#pragma once

#include <memory>
#include <string>

#include "diffie/model.h"
#include "extract_request.h"

namespace diffie::server {

// The answer of /v1/trace. Throws what trace() throws.
std::string trace_json(const std::shared_ptr<const Model>& model, const Settings& settings,
                       const TraceRequest& request);

}  // namespace diffie::server
