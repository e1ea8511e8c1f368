// The operations between the matrix products, over tokens laid end to end. T: float, or a narrow
// type that is stored only: all arithmetic is fp32. Out: T, or what the next product reads, which
// may be 8-bit floats. A token's result does not depend on its place.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace diffie::cuda {

using Bf16 = __nv_bfloat16;
using Half = __half;        // at most 65,504
using Fp8 = __nv_fp8_e4m3;  // four bits of exponent, three of mantissa, at most 448

inline constexpr std::size_t kMaxColumns = 1024;  // of a layer norm
inline constexpr std::size_t kMaxHeadDim = 64;
inline constexpr std::size_t kNumTags = 4;

// On the GPU.
struct NormWeights {
  const float* gamma = nullptr;
  const float* beta = nullptr;
  std::size_t columns = 0;
  float eps = 0;
};

// y = layer_norm(x + residual); residual may be null, y may be x. Columns of this and the next ones
// are a multiple of 8.
template <typename T, typename Out>
void layer_norm(const T* x, const T* residual, const NormWeights& norm, std::size_t tokens, Out* y,
                cudaStream_t stream);

// y = layer_norm(word[ids] + position[positions] + type); word, position [.., columns].
template <typename T>
void embed(const std::int32_t* ids, const std::uint32_t* positions, const T* word,
           const float* position, const float* type, const NormWeights& norm, std::size_t tokens,
           T* y, cudaStream_t stream);

// y = layer_norm(context[context_token] + table[states]).
template <typename T>
void row_input(const T* context, const std::uint32_t* context_token, const float* table,
               const std::uint8_t* states, const NormWeights& norm, std::size_t tokens, T* y,
               cudaStream_t stream);

// The same for every state of every token of the context: y [tokens, states, columns].
template <typename T>
void row_input_of_all_states(const T* context, const float* table, std::size_t states,
                             const NormWeights& norm, std::size_t tokens, T* y,
                             cudaStream_t stream);

// Row r has tokens offsets[r] .. offsets[r + 1], counted so that the data starts with token
// offsets[0].
struct AttentionRows {
  const std::uint32_t* offsets = nullptr;
  std::size_t count = 0;
  std::size_t longest = 0;  // tokens
};

// Where queries, keys and values are the same for all tokens of one context token and state: that
// of token i is context_token[i] * num_states + states[i].
struct QkvOfStates {
  const std::uint32_t* context_token = nullptr;
  const std::uint8_t* states = nullptr;
  std::size_t num_states = 0;
};

// As ops::attention: qkv [tokens, 3 * heads * head_dim], out [tokens, heads * head_dim]. states:
// null, or qkv has theirs (not in fp32, and heads of 16, 32 or 64 only).
template <typename T, typename Out>
void attention(const T* qkv, const QkvOfStates* states, const AttentionRows& rows,
               std::size_t heads, std::size_t head_dim, Out* out, cudaStream_t stream);

// Whether attention() takes states, and 8-bit floats out.
constexpr bool is_tensor_head(std::size_t head_dim) {
  return head_dim == 16 || head_dim == 32 || head_dim == 64;
}

// x = x / 2 * (1 + erf(x / sqrt(2)))
template <typename T>
void gelu(T* x, std::size_t count, cudaStream_t stream);

// logits [tokens, 4] = weight [4, columns] x + bias
template <typename T>
void tag_head(const T* x, const float* weight, const float* bias, std::size_t columns,
              std::size_t tokens, float* logits, cudaStream_t stream);

// means [rows, 4, columns]: of x over the tokens of each tag; zeros for a tag that is absent.
template <typename T>
void tag_means(const T* x, const std::uint8_t* tags, const std::uint32_t* offsets, std::size_t rows,
               std::size_t columns, T* means, cudaStream_t stream);

// out [rows, 2] = sigmoid(weight [2, columns] x + bias)
template <typename T>
void judge_head(const T* x, const float* weight, const float* bias, std::size_t columns,
                std::size_t rows, float* out, cudaStream_t stream);

}  // namespace diffie::cuda
