// What the kernels share: loads and stores of T as float, sums over a warp.
#pragma once

#include <cuda_bf16.h>

namespace diffie::cuda {

inline constexpr int kWarp = 32;
inline constexpr int kWarpsPerBlock = 4;  // one token or row each

__device__ inline float load(const float* x) { return *x; }
__device__ inline float load(const __nv_bfloat16* x) { return __bfloat162float(*x); }
__device__ inline void store(float* x, float value) { *x = value; }
__device__ inline void store(__nv_bfloat16* x, float value) { *x = __float2bfloat16(value); }

__device__ inline float warp_sum(float value) {
  for (int step = kWarp / 2; step > 0; step /= 2) {
    value += __shfl_xor_sync(0xffffffffu, value, step);
  }
  return value;
}

// Which token or row this warp has.
__device__ inline std::size_t warp_index() {
  return static_cast<std::size_t>(blockIdx.x) * kWarpsPerBlock + threadIdx.x / kWarp;
}
__device__ inline int lane() { return static_cast<int>(threadIdx.x % kWarp); }

inline unsigned warp_blocks(std::size_t count) {
  return static_cast<unsigned>((count + kWarpsPerBlock - 1) / kWarpsPerBlock);
}

}  // namespace diffie::cuda
