// Attention on tensor cores, for bf16 and heads of 16, 32 or 64.
#include <cstdint>

#include "cuda/attention.cuh"
#include "cuda/check.h"
#include "cuda/device_math.cuh"
#include "cuda/kernels.h"

namespace diffie::cuda {
namespace {

constexpr int kWarps = 4;  // of 16 queries each
constexpr int kTile = 16;  // queries of a warp
constexpr int kKeys = 64;  // in shared memory at a time
constexpr int kPadding =
    8;  // values between rows of shared memory, so that lanes meet no bank twice

// c [16, 8] += a [16, 16] b [16, 8]. Lane 4 g + t has of c the rows g (0, 1) and g + 8 (2, 3),
// columns 2 t and 2 t + 1; of a the same rows, inputs 2 t and 2 t + 1 (0, 1) and those 8 further
// (2, 3); of b column g, the same inputs.
__device__ void multiply(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                         std::uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ std::uint32_t pair_at(const Bf16* values) {
  return *reinterpret_cast<const std::uint32_t*>(values);
}

__device__ std::uint32_t pack(float low, float high) {
  const __nv_bfloat162 both = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<const std::uint32_t*>(&both);
}

// Over the four lanes that share a row of c.
__device__ float row_max(float value) {
  value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, 1));
  return fmaxf(value, __shfl_xor_sync(0xffffffffu, value, 2));
}
__device__ float row_sum(float value) {
  value += __shfl_xor_sync(0xffffffffu, value, 1);
  return value + __shfl_xor_sync(0xffffffffu, value, 2);
}

// One block has one row and one head, a warp 16 of its queries; what the keys so far have given is
// kept relative to the largest score. scale: in powers of two.
template <int kDim>
__global__ void __launch_bounds__(kWarps* kWarp)
    attention_tensor_kernel(const Bf16* qkv, const std::uint32_t* offsets, int heads, float scale,
                            Bf16* out) {
  constexpr int kKeyStride = kDim + kPadding, kValueStride = kKeys + kPadding;
  __shared__ __align__(16) Bf16 keys[kKeys * kKeyStride];     // [key, dim]
  __shared__ __align__(16) Bf16 values[kDim * kValueStride];  // [dim, key]
  const std::size_t row = blockIdx.x / heads;
  const int head = static_cast<int>(blockIdx.x % heads);
  const std::size_t begin = offsets[row] - offsets[0];
  const int length = static_cast<int>(offsets[row + 1] - offsets[row]);
  const std::size_t width = static_cast<std::size_t>(heads) * kDim;
  const Bf16* first = qkv + begin * 3 * width + head * kDim;
  const int g = lane() / 4, t = lane() % 4;

  for (int block = 0; block < length; block += kWarps * kTile) {
    const int query = block + static_cast<int>(threadIdx.x) / kWarp * kTile;
    std::uint32_t q[kDim / 16][4];
#pragma unroll
    for (int step = 0; step < kDim / 16; ++step) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int at = query + g + i % 2 * 8;
        q[step][i] =
            at < length ? pair_at(first + at * 3 * width + step * 16 + i / 2 * 8 + 2 * t) : 0u;
      }
    }
    float sums[kDim / 8][4] = {};
    float largest[2] = {-INFINITY, -INFINITY}, total[2] = {0, 0};
    for (int first_key = 0; first_key < length; first_key += kKeys) {
      const int num_keys = min(kKeys, length - first_key);
      const int padded = (num_keys + 15) / 16 * 16;
      __syncthreads();  // the keys before have been read
      for (int at = static_cast<int>(threadIdx.x); at < padded * (kDim / 8); at += kWarps * kWarp) {
        const int key = at / (kDim / 8), part = at % (kDim / 8) * 8;
        uint4 k = {0, 0, 0, 0}, v = {0, 0, 0, 0};
        if (key < num_keys) {
          const Bf16* from = first + (first_key + key) * 3 * width + width + part;
          k = *reinterpret_cast<const uint4*>(from);
          v = *reinterpret_cast<const uint4*>(from + width);
        }
        *reinterpret_cast<uint4*>(keys + key * kKeyStride + part) = k;
#pragma unroll
        for (int i = 0; i < 8; ++i) {
          values[(part + i) * kValueStride + key] = reinterpret_cast<const Bf16*>(&v)[i];
        }
      }
      __syncthreads();
      if (query >= length) continue;

      float scores[kKeys / 8][4];
      float top[2] = {largest[0], largest[1]};
#pragma unroll
      for (int tile = 0; tile < kKeys / 8; ++tile) {
        if (tile * 8 >= padded) break;
#pragma unroll
        for (int i = 0; i < 4; ++i) scores[tile][i] = 0;
        const Bf16* key = keys + (tile * 8 + g) * kKeyStride + 2 * t;
#pragma unroll
        for (int step = 0; step < kDim / 16; ++step) {
          multiply(scores[tile], q[step], pair_at(key + step * 16), pair_at(key + step * 16 + 8));
        }
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const bool inside = tile * 8 + 2 * t + i % 2 < num_keys;
          scores[tile][i] = inside ? scores[tile][i] * scale : -INFINITY;
          top[i / 2] = fmaxf(top[i / 2], scores[tile][i]);
        }
      }
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        top[half] = row_max(top[half]);
        const float shrink = exp2f(largest[half] - top[half]);
        largest[half] = top[half];
        total[half] *= shrink;
#pragma unroll
        for (int part = 0; part < kDim / 8; ++part) {
          sums[part][2 * half] *= shrink;
          sums[part][2 * half + 1] *= shrink;
        }
      }
#pragma unroll
      for (int pair = 0; pair < kKeys / 16; ++pair) {
        if (pair * 16 >= padded) break;
        std::uint32_t weights[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const float* score = scores[2 * pair + i / 2] + i % 2 * 2;
          const float low = exp2f(score[0] - top[i % 2]), high = exp2f(score[1] - top[i % 2]);
          total[i % 2] += low + high;
          weights[i] = pack(low, high);
        }
#pragma unroll
        for (int part = 0; part < kDim / 8; ++part) {
          const Bf16* value = values + (part * 8 + g) * kValueStride + pair * 16 + 2 * t;
          multiply(sums[part], weights, pair_at(value), pair_at(value + 8));
        }
      }
    }
    if (query >= length) continue;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const float share = 1.0f / row_sum(total[half]);
      const int at = query + g + half * 8;
      if (at >= length) continue;
      Bf16* result = out + (begin + at) * width + head * kDim + 2 * t;
#pragma unroll
      for (int part = 0; part < kDim / 8; ++part) {
        *reinterpret_cast<std::uint32_t*>(result + part * 8) =
            pack(sums[part][2 * half] * share, sums[part][2 * half + 1] * share);
      }
    }
  }
}

}  // namespace

bool attention_on_tensor_cores(const Bf16* qkv, const std::uint32_t* offsets, std::size_t rows,
                               std::size_t heads, std::size_t head_dim, Bf16* out,
                               cudaStream_t stream) {
  constexpr float kLog2e = 1.44269504f;
  const float scale = kLog2e / sqrtf(static_cast<float>(head_dim));
  const auto launch = [&](auto kernel) {
    kernel<<<static_cast<unsigned>(rows * heads), kWarps * kWarp, 0, stream>>>(
        qkv, offsets, static_cast<int>(heads), scale, out);
    DIFFIE_CUDA_CHECK(cudaGetLastError());
    return true;
  };
  if (head_dim == 16) return launch(attention_tensor_kernel<16>);
  if (head_dim == 32) return launch(attention_tensor_kernel<32>);
  if (head_dim == 64) return launch(attention_tensor_kernel<64>);
  return false;
}

}  // namespace diffie::cuda
