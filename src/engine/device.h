// Which processors a run has, and their backends.
#pragma once

#include <memory>
#include <string>

#include "diffie/settings.h"
#include "model/backend.h"
#include "model_dir/model_dir.h"

namespace diffie::engine {

class ModelParts;

// Where a run's networks are computed.
struct Placement {
  Settings settings;  // device is kCpu or kCuda; devices are the GPUs, none on the CPU
  const model::Backend* backend = nullptr;  // the model's
  std::string notice = {};                  // why not on the GPU that was hoped for; empty: it is
};

// Loads the weights where they are not there yet. Throws kInvalidArgument for GPUs beyond those
// that are there. For kCuda throws kUnsupported where a GPU cannot be used and kExhausted where it
// is full; kAuto goes to the CPU then.
Placement place(const ModelParts& model, const Settings& settings);

// On the GPU of that number.
std::unique_ptr<const model::Backend> make_gpu_backend(const model_dir::ModelDir& dir,
                                                       Precision precision, std::int32_t gpu);

}  // namespace diffie::engine
