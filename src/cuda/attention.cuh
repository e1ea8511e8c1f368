#pragma once

#include "cuda/kernels.h"

namespace diffie::cuda {

// attention() with rounded weights; false: not for heads of this size.
bool attention_on_tensor_cores(const Bf16* qkv, const std::uint32_t* offsets, std::size_t rows,
                               std::size_t heads, std::size_t head_dim, Bf16* out,
                               cudaStream_t stream);
inline bool attention_on_tensor_cores(const float*, const std::uint32_t*, std::size_t, std::size_t,
                                      std::size_t, float*, cudaStream_t) {
  return false;
}

}  // namespace diffie::cuda
