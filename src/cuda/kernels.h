// The operations between the matrix products, over tokens laid end to end. T: float, or
// __nv_bfloat16, which is stored only: all arithmetic is fp32. A token's result does not depend on
// its place.
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace diffie::cuda {

using Bf16 = __nv_bfloat16;

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

// y = layer_norm(x + residual); residual may be null, y may be x.
template <typename T>
void layer_norm(const T* x, const T* residual, const NormWeights& norm, std::size_t tokens, T* y,
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

// As ops::attention: qkv [tokens, 3 * heads * head_dim], out [tokens, heads * head_dim]; row r has
// tokens offsets[r] .. offsets[r + 1], counted so that the data starts with token offsets[0].
template <typename T>
void attention(const T* qkv, const std::uint32_t* offsets, std::size_t rows, std::size_t heads,
               std::size_t head_dim, T* out, cudaStream_t stream);

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
