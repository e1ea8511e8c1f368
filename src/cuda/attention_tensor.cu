// Attention on tensor cores, for bf16, fp16 and heads of 16, 32 or 64. Rows are short: a warp has
// one row and head and up to 64 of its queries, reads keys and values straight from memory in
// vectors, and shares nothing with others.
#include <cstdint>

#include "cuda/attention.cuh"
#include "cuda/check.h"
#include "cuda/device_math.cuh"
#include "cuda/kernels.h"

namespace diffie::cuda {
namespace {

constexpr int kTile = 16;     // queries at a time
constexpr int kQueries = 64;  // of a warp
constexpr int kKeys = 32;     // at a time
constexpr int kOctets = kKeys / 8;

// Four neighbouring lanes share a token's vector of kDim values: lane t of them has kDim / 4, in
// pieces of up to 8 that lie 4 pieces apart. Products over dimensions may go through them in any
// order, so a lane's pieces serve as the inputs of its place in the tensor cores' fragments.
template <int kDim>
struct Pieces {
  static constexpr int kSize = kDim < 32 ? 4 : 8;        // values of a piece
  static constexpr int kCount = kDim / (4 * kSize);      // of a lane
  static constexpr int kRegisters = kCount * kSize / 2;  // pairs of values
  static constexpr int kSteps = kRegisters / 2;          // products of 16 dimensions

  std::uint32_t pairs[kRegisters];

  __device__ static int column(int t, int piece) { return (piece * 4 + t) * kSize; }

  template <typename T>
  __device__ void load(const T* vector, int t) {
#pragma unroll
    for (int piece = 0; piece < kCount; ++piece) {
      const T* from = vector + column(t, piece);
      if constexpr (kSize == 8) {
        *reinterpret_cast<uint4*>(pairs + 4 * piece) = __ldg(reinterpret_cast<const uint4*>(from));
      } else {
        *reinterpret_cast<uint2*>(pairs + 2 * piece) = __ldg(reinterpret_cast<const uint2*>(from));
      }
    }
  }
  __device__ void clear() {
#pragma unroll
    for (std::uint32_t& pair : pairs) pair = 0;
  }
};

// c [16, 8] += a [16, 16] b [16, 8]. Lane 4 g + t has of c the rows g (0, 1) and g + 8 (2, 3),
// columns 2 t and 2 t + 1; of a the same rows, inputs 2 t and 2 t + 1 (0, 1) and those 8 further
// (2, 3); of b column g, the same inputs.
template <typename T>
__device__ void multiply(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                         std::uint32_t b1);

template <>
__device__ void multiply<Bf16>(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                               std::uint32_t b1) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
  __trap();  // such a GPU computes in fp16
#endif
}

template <>
__device__ void multiply<Half>(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                               std::uint32_t b1) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
  const auto multiply_half = [&](std::uint32_t a0, std::uint32_t a1, std::uint32_t b) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a0), "r"(a1), "r"(b));
  };
  multiply_half(a[0], a[1], b0);
  multiply_half(a[2], a[3], b1);
#endif
}

// Of an 8 x 8 matrix whose row g lane 4 g + t has at columns 2 t and 2 t + 1: its column g, at rows
// 2 t and 2 t + 1.
__device__ std::uint32_t transpose(std::uint32_t pair) {
  std::uint32_t result;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(result) : "r"(pair));
  return result;
}

template <typename T>
__device__ std::uint32_t pack(float low, float high) {
  const typename Pair<T>::Type both = Pair<T>::of(low, high);
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

template <typename T, int kSize>
__device__ void store_piece(T* to, const float (&values)[kSize]) {
  if constexpr (kSize == 8) {
    store8(to, values);
  } else {
    *reinterpret_cast<uint2*>(to) =
        make_uint2(pack<T>(values[0], values[1]), pack<T>(values[2], values[3]));
  }
}
template <int kSize>
__device__ void store_piece(Fp8* to, const float (&values)[kSize]) {
  if constexpr (kSize == 8) {
    store8(to, values);
  } else {
    const float padded[8] = {values[0], values[1], values[2], values[3], 0, 0, 0, 0};
    Fp8 both[8];
    store8(both, padded);
    *reinterpret_cast<std::uint32_t*>(to) = *reinterpret_cast<const std::uint32_t*>(both);
  }
}

// What 16 queries have collected of the keys so far, relative to the largest score of each.
template <typename T, int kDim>
struct Collected {
  using P = Pieces<kDim>;
  float sums[P::kRegisters][4] = {};  // of the values' dimensions that a pair of registers has
  float largest[2] = {-INFINITY, -INFINITY};
  float total[2] = {0, 0};

  // scores: those of the lane's two queries with 32 keys, of which num_keys are there.
  __device__ void add(float (&scores)[kOctets][4], const P (&values)[kOctets], int num_keys,
                      float scale, int t) {
    float top[2] = {largest[0], largest[1]};
#pragma unroll
    for (int octet = 0; octet < kOctets; ++octet) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const bool inside = octet * 8 + 2 * t + i % 2 < num_keys;
        scores[octet][i] = inside ? scores[octet][i] * scale : -INFINITY;
        top[i / 2] = fmaxf(top[i / 2], scores[octet][i]);
      }
    }
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      top[half] = row_max(top[half]);
      const float shrink = exp2f(largest[half] - top[half]);
      largest[half] = top[half];
      total[half] *= shrink;
#pragma unroll
      for (int part = 0; part < P::kRegisters; ++part) {
        sums[part][2 * half] *= shrink;
        sums[part][2 * half + 1] *= shrink;
      }
    }
#pragma unroll
    for (int pair = 0; pair < kOctets / 2; ++pair) {
      if (pair * 16 >= num_keys) break;
      std::uint32_t weights[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float* score = scores[2 * pair + i / 2] + i % 2 * 2;
        const float low = exp2f(score[0] - top[i % 2]), high = exp2f(score[1] - top[i % 2]);
        total[i % 2] += low + high;
        weights[i] = pack<T>(low, high);
      }
#pragma unroll
      for (int part = 0; part < P::kRegisters; ++part) {
        multiply<T>(sums[part], weights, transpose(values[2 * pair].pairs[part]),
                    transpose(values[2 * pair + 1].pairs[part]));
      }
    }
  }

  template <typename Out>
  __device__ void store(Out* out, int query, int length, std::size_t width, int g, int t) const {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const float share = 1.0f / row_sum(total[half]);
      const int at = query + g + half * 8;
      if (at >= length) continue;
#pragma unroll
      for (int piece = 0; piece < P::kCount; ++piece) {
        float values[P::kSize];
#pragma unroll
        for (int i = 0; i < P::kSize; ++i) {
          values[i] = sums[piece * P::kSize / 2 + i / 2][2 * half + i % 2] * share;
        }
        store_piece(out + at * width + P::column(t, piece), values);
      }
    }
  }
};

// Where a token's queries, keys and values are.
struct InPlace {
  std::size_t begin;
  __device__ std::size_t operator()(int at) const { return begin + at; }
};
struct ByState {
  QkvOfStates from;
  std::size_t begin;
  __device__ std::size_t operator()(int at) const {
    return static_cast<std::size_t>(from.context_token[begin + at]) * from.num_states +
           from.states[begin + at];
  }
};

// One warp: 64 queries of one row and head. scale: in powers of two.
template <int kDim, typename T, typename Out, typename Where>
__device__ void attend(const T* qkv, const Where& where, int length, std::size_t width, float scale,
                       int first_query, Out* out) {
  using P = Pieces<kDim>;
  const int g = lane() / 4, t = lane() % 4;
  const int end = min(length, first_query + kQueries);
  for (int query = first_query; query < end; query += kTile) {
    P queries[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int at = query + g + half * 8;
      queries[half].clear();
      if (at < length) queries[half].load(qkv + where(at) * 3 * width, t);
    }
    Collected<T, kDim> collected;
    for (int first_key = 0; first_key < length; first_key += kKeys) {
      const int num_keys = min(kKeys, length - first_key);
      P keys[kOctets], values[kOctets];
#pragma unroll
      for (int octet = 0; octet < kOctets; ++octet) {
        const int key = octet * 8 + g;
        keys[octet].clear();
        values[octet].clear();
        if (key >= num_keys) continue;
        const T* from = qkv + where(first_key + key) * 3 * width + width;
        keys[octet].load(from, t);
        values[octet].load(from + width, t);
      }
      float scores[kOctets][4] = {};
#pragma unroll
      for (int octet = 0; octet < kOctets; ++octet) {
#pragma unroll
        for (int step = 0; step < P::kSteps; ++step) {
          const std::uint32_t a[4] = {queries[0].pairs[2 * step], queries[1].pairs[2 * step],
                                      queries[0].pairs[2 * step + 1],
                                      queries[1].pairs[2 * step + 1]};
          multiply<T>(scores[octet], a, keys[octet].pairs[2 * step],
                      keys[octet].pairs[2 * step + 1]);
        }
      }
      collected.add(scores, values, num_keys, scale, t);
    }
    collected.store(out, query, length, width, g, t);
  }
}

// Warps are numbered by row and head; blockIdx.y counts blocks of 64 queries.
template <int kDim, typename T, typename Out, bool kByState>
__global__ void __launch_bounds__(kWarpsPerBlock* kWarp)
    attention_tensor_kernel(const T* qkv, QkvOfStates states, const std::uint32_t* offsets,
                            std::size_t rows, int heads, float scale, Out* out) {
  const std::size_t index = warp_index();
  const std::size_t row = index / heads;
  if (row >= rows) return;
  const int head = static_cast<int>(index % heads);
  const std::size_t begin = offsets[row] - offsets[0];
  const int length = static_cast<int>(offsets[row + 1] - offsets[row]);
  const int first_query = static_cast<int>(blockIdx.y) * kQueries;
  if (first_query >= length) return;
  const std::size_t width = static_cast<std::size_t>(heads) * kDim;
  Out* const to = out + begin * width + head * kDim;
  if constexpr (kByState) {
    attend<kDim>(qkv + head * kDim, ByState{states, begin}, length, width, scale, first_query, to);
  } else {
    attend<kDim>(qkv + head * kDim, InPlace{begin}, length, width, scale, first_query, to);
  }
}

template <int kDim, typename T, typename Out>
void launch(const T* qkv, const QkvOfStates* states, const AttentionRows& rows, std::size_t heads,
            Out* out, cudaStream_t stream) {
  constexpr float kLog2e = 1.44269504f;
  const float scale = kLog2e / sqrtf(static_cast<float>(kDim));
  const dim3 grid(warp_blocks(rows.count * heads),
                  static_cast<unsigned>((rows.longest + kQueries - 1) / kQueries));
  const auto run = [&](auto kernel, const QkvOfStates& from) {
    kernel<<<grid, kWarpsPerBlock * kWarp, 0, stream>>>(qkv, from, rows.offsets, rows.count,
                                                        static_cast<int>(heads), scale, out);
  };
  if (states == nullptr) {
    run(attention_tensor_kernel<kDim, T, Out, false>, {});
  } else {
    run(attention_tensor_kernel<kDim, T, Out, true>, *states);
  }
  DIFFIE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace

template <typename T, typename Out>
bool attention_on_tensor_cores(const T* qkv, const QkvOfStates* states, const AttentionRows& rows,
                               std::size_t heads, std::size_t head_dim, Out* out,
                               cudaStream_t stream) {
  if (head_dim == 16) {
    launch<16>(qkv, states, rows, heads, out, stream);
  } else if (head_dim == 32) {
    launch<32>(qkv, states, rows, heads, out, stream);
  } else if (head_dim == 64) {
    launch<64>(qkv, states, rows, heads, out, stream);
  } else {
    return false;
  }
  return true;
}

template bool attention_on_tensor_cores<Bf16, Bf16>(const Bf16*, const QkvOfStates*,
                                                    const AttentionRows&, std::size_t, std::size_t,
                                                    Bf16*, cudaStream_t);
template bool attention_on_tensor_cores<Half, Half>(const Half*, const QkvOfStates*,
                                                    const AttentionRows&, std::size_t, std::size_t,
                                                    Half*, cudaStream_t);
template bool attention_on_tensor_cores<Bf16, Fp8>(const Bf16*, const QkvOfStates*,
                                                   const AttentionRows&, std::size_t, std::size_t,
                                                   Fp8*, cudaStream_t);

}  // namespace diffie::cuda
