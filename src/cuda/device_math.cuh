// What the kernels share: loads and stores of T as float, alone and eight at a time, and sums over
// a warp.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

namespace diffie::cuda {

inline constexpr int kWarp = 32;
inline constexpr int kWarpsPerBlock = 4;  // one token or row each

__device__ inline float load(const float* x) { return *x; }
__device__ inline float load(const __nv_bfloat16* x) { return __bfloat162float(*x); }
__device__ inline float load(const __half* x) { return __half2float(*x); }
__device__ inline void store(float* x, float value) { *x = value; }
__device__ inline void store(__nv_bfloat16* x, float value) { *x = __float2bfloat16(value); }
__device__ inline void store(__half* x, float value) { *x = __float2half(value); }

// Two neighbours of a narrow type.
template <typename T>
struct Pair;
template <>
struct Pair<__nv_bfloat16> {
  using Type = __nv_bfloat162;
  // __bfloat1622float2 needs compute capability 8.0 before CUDA 12.2.
  __device__ static float2 wide(Type pair) {
    return make_float2(__bfloat162float(pair.x), __bfloat162float(pair.y));
  }
  __device__ static Type of(float low, float high) { return __floats2bfloat162_rn(low, high); }
};
template <>
struct Pair<__half> {
  using Type = __half2;
  __device__ static float2 wide(Type pair) { return __half22float2(pair); }
  __device__ static Type of(float low, float high) { return __floats2half2_rn(low, high); }
};

// Eight neighbours; x is aligned to all of them.
__device__ inline void load8(const float* x, float (&values)[8]) {
  const float4 low = reinterpret_cast<const float4*>(x)[0];
  const float4 high = reinterpret_cast<const float4*>(x)[1];
  values[0] = low.x, values[1] = low.y, values[2] = low.z, values[3] = low.w;
  values[4] = high.x, values[5] = high.y, values[6] = high.z, values[7] = high.w;
}
template <typename T>
__device__ inline void load8(const T* x, float (&values)[8]) {
  const uint4 packed = *reinterpret_cast<const uint4*>(x);
  const auto* pairs = reinterpret_cast<const typename Pair<T>::Type*>(&packed);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float2 pair = Pair<T>::wide(pairs[i]);
    values[2 * i] = pair.x, values[2 * i + 1] = pair.y;
  }
}
__device__ inline void store8(float* x, const float (&values)[8]) {
  reinterpret_cast<float4*>(x)[0] = make_float4(values[0], values[1], values[2], values[3]);
  reinterpret_cast<float4*>(x)[1] = make_float4(values[4], values[5], values[6], values[7]);
}
template <typename T>
__device__ inline void store8(T* x, const float (&values)[8]) {
  uint4 packed;
  auto* pairs = reinterpret_cast<typename Pair<T>::Type*>(&packed);
#pragma unroll
  for (int i = 0; i < 4; ++i) pairs[i] = Pair<T>::of(values[2 * i], values[2 * i + 1]);
  *reinterpret_cast<uint4*>(x) = packed;
}
// What is too large becomes the largest number.
__device__ inline void store8(__nv_fp8_e4m3* x, const float (&values)[8]) {
  uint2 packed;
  auto* pairs = reinterpret_cast<__nv_fp8x2_storage_t*>(&packed);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    pairs[i] = __nv_cvt_float2_to_fp8x2(make_float2(values[2 * i], values[2 * i + 1]),
                                        __NV_SATFINITE, __NV_E4M3);
  }
  *reinterpret_cast<uint2*>(x) = packed;
}

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
