// What fp16 cannot hold is infinite, and soon no number at all: answers show it.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>

#include "cuda/kernels.h"
#include "diffie/error.h"

namespace diffie::cuda {

// Answers of networks whose values are T. Throws kUnsupported; other types end where fp32 does.
template <typename T>
void check_finite(std::span<const float> answers) {
  if constexpr (std::is_same_v<T, Half>) {
    if (std::ranges::all_of(answers, [](float value) { return std::isfinite(value); })) return;
    throw Error(ErrorCode::kUnsupported,
                "CUDA: a value of the networks is beyond fp16, which ends at 65504; "
                "precision fp32 holds it");
  }
}

}  // namespace diffie::cuda
