#include <cstdint>
#include <type_traits>

#include "base/assert.h"
#include "cuda/attention.cuh"
#include "cuda/check.h"
#include "cuda/device_math.cuh"
#include "cuda/kernels.h"

namespace diffie::cuda {
namespace {

constexpr int kQueries = 64;  // threads of a block, one query each
constexpr int kKeys = 64;     // in shared memory at a time
constexpr int kChunk = 8;     // keys between two looks at the maximum

// One block has one row and one head. A thread walks over the keys with its query in registers and
// keeps the softmax's sum and the weighted values relative to the largest score so far. kDim: the
// head's size, filled up with zeros. Rows are short, so there is no padding to anything but kDim.
template <typename T, int kDim>
__global__ void attention_kernel(const T* qkv, const std::uint32_t* offsets, int heads,
                                 int head_dim, float scale, T* out) {
  __shared__ float4 keys[kKeys][kDim / 4];
  __shared__ float4 values[kKeys][kDim / 4];
  const std::size_t row = blockIdx.x / heads;
  const int head = static_cast<int>(blockIdx.x % heads);
  const std::size_t begin = offsets[row] - offsets[0];
  const int length = static_cast<int>(offsets[row + 1] - offsets[row]);
  const int width = heads * head_dim;
  const T* first = qkv + begin * 3 * width + head * head_dim;

  for (int first_query = 0; first_query < length; first_query += kQueries) {
    const int query = first_query + static_cast<int>(threadIdx.x);
    float q[kDim], sums[kDim];
#pragma unroll
    for (int i = 0; i < kDim; ++i) {
      const bool inside = query < length && i < head_dim;
      q[i] = inside ? load(first + static_cast<std::size_t>(query) * 3 * width + i) * scale : 0.0f;
      sums[i] = 0;
    }
    float largest = -INFINITY, total = 0;
    for (int first_key = 0; first_key < length; first_key += kKeys) {
      const int num_keys = min(kKeys, length - first_key);
      __syncthreads();  // the keys before have been read
      for (int at = static_cast<int>(threadIdx.x); at < num_keys * kDim; at += kQueries) {
        const int key = at / kDim, i = at % kDim;
        const T* from = first + static_cast<std::size_t>(first_key + key) * 3 * width + width + i;
        reinterpret_cast<float*>(keys[key])[i] = i < head_dim ? load(from) : 0.0f;
        reinterpret_cast<float*>(values[key])[i] = i < head_dim ? load(from + width) : 0.0f;
      }
      __syncthreads();
      if (query >= length) continue;
      for (int chunk = 0; chunk < num_keys; chunk += kChunk) {
        float scores[kChunk];
        float top = largest;
#pragma unroll
        for (int k = 0; k < kChunk; ++k) {
          scores[k] = -INFINITY;
          if (chunk + k >= num_keys) continue;
          float dot = 0;
#pragma unroll
          for (int i = 0; i < kDim / 4; ++i) {
            const float4 key = keys[chunk + k][i];
            dot += q[4 * i] * key.x + q[4 * i + 1] * key.y + q[4 * i + 2] * key.z +
                   q[4 * i + 3] * key.w;
          }
          scores[k] = dot;
          top = fmaxf(top, dot);
        }
        const float shrink = expf(largest - top);
        largest = top;
        total *= shrink;
#pragma unroll
        for (int i = 0; i < kDim; ++i) sums[i] *= shrink;
#pragma unroll
        for (int k = 0; k < kChunk; ++k) {
          if (chunk + k >= num_keys) continue;
          const float weight = expf(scores[k] - top);
          total += weight;
#pragma unroll
          for (int i = 0; i < kDim / 4; ++i) {
            const float4 value = values[chunk + k][i];
            sums[4 * i] += weight * value.x;
            sums[4 * i + 1] += weight * value.y;
            sums[4 * i + 2] += weight * value.z;
            sums[4 * i + 3] += weight * value.w;
          }
        }
      }
    }
    if (query >= length) continue;
    T* result = out + (begin + query) * width + head * head_dim;
#pragma unroll
    for (int i = 0; i < kDim; ++i) {
      if (i < head_dim) store(result + i, sums[i] / total);
    }
  }
}

template <typename T>
void attention_in_fp32(const T* qkv, const AttentionRows& rows, std::size_t heads,
                       std::size_t head_dim, T* out, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>(rows.count * heads);
  const float scale = 1.0f / sqrtf(static_cast<float>(head_dim));
  const auto launch = [&](auto kernel) {
    kernel<<<blocks, kQueries, 0, stream>>>(qkv, rows.offsets, static_cast<int>(heads),
                                            static_cast<int>(head_dim), scale, out);
  };
  if (head_dim <= 16) {
    launch(attention_kernel<T, 16>);
  } else if (head_dim <= 32) {
    launch(attention_kernel<T, 32>);
  } else {
    launch(attention_kernel<T, 64>);
  }
  DIFFIE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace

template <typename T, typename Out>
void attention(const T* qkv, const QkvOfStates* states, const AttentionRows& rows,
               std::size_t heads, std::size_t head_dim, Out* out, cudaStream_t stream) {
  if (rows.count == 0) return;
  if constexpr (!std::is_same_v<T, float>) {
    if (attention_on_tensor_cores(qkv, states, rows, heads, head_dim, out, stream)) return;
  }
  DIFFIE_ASSERT(states == nullptr);
  if constexpr (std::is_same_v<T, Out>) {
    attention_in_fp32(qkv, rows, heads, head_dim, out, stream);
  } else {
    DIFFIE_ASSERT(is_tensor_head(head_dim));
  }
}

template void attention<float, float>(const float*, const QkvOfStates*, const AttentionRows&,
                                      std::size_t, std::size_t, float*, cudaStream_t);
template void attention<Bf16, Bf16>(const Bf16*, const QkvOfStates*, const AttentionRows&,
                                    std::size_t, std::size_t, Bf16*, cudaStream_t);
template void attention<Half, Half>(const Half*, const QkvOfStates*, const AttentionRows&,
                                    std::size_t, std::size_t, Half*, cudaStream_t);
template void attention<Bf16, Fp8>(const Bf16*, const QkvOfStates*, const AttentionRows&,
                                   std::size_t, std::size_t, Fp8*, cudaStream_t);

}  // namespace diffie::cuda
