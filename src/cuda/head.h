// What follows the last norm of a network, small enough for fp32.
#pragma once

#include <string>

#include "cuda/convert.h"
#include "model_dir/model_dir.h"

namespace diffie::cuda {

struct Head {
  DeviceArray<float> weight;
  DeviceArray<float> bias;

  Head(const model_dir::ModelDir& dir, const std::string& name, std::size_t outputs,
       std::size_t hidden)
      : weight(to_device<float>(dir.floats(name + ".weight", {static_cast<std::int64_t>(outputs),
                                                              static_cast<std::int64_t>(hidden)}))),
        bias(to_device<float>(dir.floats(name + ".bias", {static_cast<std::int64_t>(outputs)}))) {}
};

}  // namespace diffie::cuda
