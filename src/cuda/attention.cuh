#pragma once

#include "cuda/kernels.h"

namespace diffie::cuda {

// attention() with rounded weights; false: not for heads of this size.
template <typename T, typename Out>
bool attention_on_tensor_cores(const T* qkv, const QkvOfStates* states, const AttentionRows& rows,
                               std::size_t heads, std::size_t head_dim, Out* out,
                               cudaStream_t stream);

}  // namespace diffie::cuda
