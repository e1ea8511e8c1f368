// Which device a run has, and its backend.
#pragma once

#include <memory>

#include "diffie/settings.h"
#include "model/backend.h"
#include "model_dir/model_dir.h"

namespace diffie::engine {

// kCpu or kCuda. Throws kUnsupported for kCuda where there is none that can be used.
Device resolve(Device wanted);

// device: resolved.
std::unique_ptr<const model::Backend> make_backend(const model_dir::ModelDir& dir, Device device,
                                                   Precision precision);

}  // namespace diffie::engine
