#pragma once

#include "diffie/extractor.h"
#include "model_dir/model_config.h"

namespace diffie::engine {

// What was not set is taken from the preset. Throws kInvalidArgument for an unknown preset or a
// value that this model cannot serve (more steps than it was trained with).
ExtractorOptions resolve_options(ExtractorOptions options, const model_dir::ModelConfig& config);

}  // namespace diffie::engine
