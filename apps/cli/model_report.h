#pragma once

#include <string>

#include "diffie/model.h"

namespace diffie::cli {

// What `diffie model inspect` prints: aligned text, tensors on request, or one JSON object.
std::string model_report(const ModelInfo& info, bool with_tensors);
std::string model_report_json(const ModelInfo& info);

}  // namespace diffie::cli
