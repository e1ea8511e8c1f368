// Weights of the host as T on the GPU.
#pragma once

#include <fmt/core.h>

#include <cmath>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "cuda/kernels.h"
#include "cuda/memory.h"
#include "diffie/error.h"
#include "model_dir/model_dir.h"

namespace diffie::cuda {

template <typename T>
DeviceArray<T> upload(std::span<const float> values) {
  if constexpr (std::is_same_v<T, float>) {
    return to_device(values);
  } else {
    std::vector<T> rounded(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      rounded[i] = T(values[i]);
      if constexpr (std::is_same_v<T, Half>) {
        if (std::isfinite(static_cast<float>(rounded[i]))) continue;
        throw Error(ErrorCode::kUnsupported,
                    fmt::format("CUDA: a weight of {}, fp16 ends at 65504", values[i]));
      }
    }
    return to_device(std::span<const T>(rounded));
  }
}

// A layer norm's weights.
class Norm {
 public:
  Norm(const model_dir::ModelDir& dir, const std::string& name, std::size_t columns, double eps)
      : gamma_(to_device<float>(dir.floats(name + ".weight", {static_cast<long>(columns)}))),
        beta_(to_device<float>(dir.floats(name + ".bias", {static_cast<long>(columns)}))),
        columns_(columns),
        eps_(static_cast<float>(eps)) {}

  NormWeights weights() const { return {gamma_.data(), beta_.data(), columns_, eps_}; }

 private:
  DeviceArray<float> gamma_;
  DeviceArray<float> beta_;
  std::size_t columns_;
  float eps_;
};

}  // namespace diffie::cuda
