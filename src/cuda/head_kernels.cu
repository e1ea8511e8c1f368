#include <cstdint>

#include "cuda/check.h"
#include "cuda/device_math.cuh"
#include "cuda/kernels.h"

namespace diffie::cuda {
namespace {

constexpr unsigned kThreads = 256;

template <typename T>
__global__ void gelu_kernel(T* x, std::size_t count) {
  const std::size_t at = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (at >= count) return;
  const float value = load(x + at);
  store(x + at, value * normcdff(value));
}

// A warp per row of x; every lane ends up with all sums.
template <int kOutputs, typename T>
__device__ void dots(const T* x, const float* weight, const float* bias, int columns,
                     float (&sums)[kOutputs]) {
  for (float& sum : sums) sum = 0;
  for (int column = lane(); column < columns; column += kWarp) {
    const float value = load(x + column);
#pragma unroll
    for (int i = 0; i < kOutputs; ++i) sums[i] += value * weight[i * columns + column];
  }
#pragma unroll
  for (int i = 0; i < kOutputs; ++i) sums[i] = warp_sum(sums[i]) + bias[i];
}

template <typename T>
__global__ void tag_head_kernel(const T* x, const float* weight, const float* bias, int columns,
                                std::size_t tokens, float* logits) {
  const std::size_t token = warp_index();
  if (token >= tokens) return;
  float sums[kNumTags];
  dots(x + token * columns, weight, bias, columns, sums);
  if (lane() == 0) {
    reinterpret_cast<float4*>(logits)[token] = make_float4(sums[0], sums[1], sums[2], sums[3]);
  }
}

template <typename T>
__global__ void judge_head_kernel(const T* x, const float* weight, const float* bias, int columns,
                                  std::size_t rows, float* out) {
  const std::size_t row = warp_index();
  if (row >= rows) return;
  float sums[2];
  dots(x + row * columns, weight, bias, columns, sums);
  if (lane() >= 2) return;
  const float sum = sums[lane()];
  float& answer = out[2 * row + lane()];
  answer = 1.0f / (1.0f + expf(-sum));
  // Beyond fp16, which is for check_finite to see.
  if constexpr (std::is_same_v<T, __half>) answer = isfinite(sum) ? answer : NAN;
}

// A block per row, a thread per column.
template <typename T>
__global__ void tag_means_kernel(const T* x, const std::uint8_t* tags, const std::uint32_t* offsets,
                                 int columns, T* means) {
  const std::size_t row = blockIdx.x;
  const std::size_t begin = offsets[row] - offsets[0];
  const int length = static_cast<int>(offsets[row + 1] - offsets[row]);
  const int column = static_cast<int>(threadIdx.x);
  float sums[kNumTags] = {};
  int counts[kNumTags] = {};
  for (int i = 0; i < length; ++i) {
    const float value = load(x + (begin + i) * columns + column);
    const int tag = tags[begin + i];
#pragma unroll
    for (int t = 0; t < static_cast<int>(kNumTags); ++t) {
      sums[t] += tag == t ? value : 0.0f;
      counts[t] += tag == t;
    }
  }
#pragma unroll
  for (int t = 0; t < static_cast<int>(kNumTags); ++t) {
    const float scale = counts[t] == 0 ? 0.0f : 1.0f / static_cast<float>(counts[t]);
    store(means + (row * kNumTags + t) * columns + column, sums[t] * scale);
  }
}

}  // namespace

template <typename T>
void gelu(T* x, std::size_t count, cudaStream_t stream) {
  if (count == 0) return;
  const auto blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
  gelu_kernel<<<blocks, kThreads, 0, stream>>>(x, count);
  DIFFIE_CUDA_CHECK(cudaGetLastError());
}

template <typename T>
void tag_head(const T* x, const float* weight, const float* bias, std::size_t columns,
              std::size_t tokens, float* logits, cudaStream_t stream) {
  if (tokens == 0) return;
  tag_head_kernel<<<warp_blocks(tokens), kWarpsPerBlock * kWarp, 0, stream>>>(
      x, weight, bias, static_cast<int>(columns), tokens, logits);
  DIFFIE_CUDA_CHECK(cudaGetLastError());
}

template <typename T>
void judge_head(const T* x, const float* weight, const float* bias, std::size_t columns,
                std::size_t rows, float* out, cudaStream_t stream) {
  if (rows == 0) return;
  judge_head_kernel<<<warp_blocks(rows), kWarpsPerBlock * kWarp, 0, stream>>>(
      x, weight, bias, static_cast<int>(columns), rows, out);
  DIFFIE_CUDA_CHECK(cudaGetLastError());
}

template <typename T>
void tag_means(const T* x, const std::uint8_t* tags, const std::uint32_t* offsets, std::size_t rows,
               std::size_t columns, T* means, cudaStream_t stream) {
  if (rows == 0) return;
  tag_means_kernel<<<static_cast<unsigned>(rows), static_cast<unsigned>(columns), 0, stream>>>(
      x, tags, offsets, static_cast<int>(columns), means);
  DIFFIE_CUDA_CHECK(cudaGetLastError());
}

#define DIFFIE_INSTANTIATE(T)                                                                  \
  template void gelu<T>(T*, std::size_t, cudaStream_t);                                        \
  template void tag_head<T>(const T*, const float*, const float*, std::size_t, std::size_t,    \
                            float*, cudaStream_t);                                             \
  template void judge_head<T>(const T*, const float*, const float*, std::size_t, std::size_t,  \
                              float*, cudaStream_t);                                           \
  template void tag_means<T>(const T*, const std::uint8_t*, const std::uint32_t*, std::size_t, \
                             std::size_t, T*, cudaStream_t);
DIFFIE_INSTANTIATE(float)
DIFFIE_INSTANTIATE(Bf16)
DIFFIE_INSTANTIATE(Half)

}  // namespace diffie::cuda
