#include <cstdint>

#include "cuda/check.h"
#include "cuda/device_math.cuh"
#include "cuda/kernels.h"

namespace diffie::cuda {
namespace {

// One warp has one token; a lane the columns lane, lane + 32, ... Two passes: mean, then centred
// squares.
template <int kPerLane, typename Input, typename T>
__global__ void norm_kernel(Input input, NormWeights norm, std::size_t tokens, T* y) {
  const std::size_t token = warp_index();
  if (token >= tokens) return;
  const int columns = static_cast<int>(norm.columns);
  float values[kPerLane];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kPerLane; ++i) {
    const int column = lane() + i * kWarp;
    values[i] = column < columns ? input(token, column, columns) : 0.0f;
    sum += values[i];
  }
  const float mean = warp_sum(sum) / static_cast<float>(columns);
  float squares = 0;
#pragma unroll
  for (int i = 0; i < kPerLane; ++i) {
    const float centred = lane() + i * kWarp < columns ? values[i] - mean : 0.0f;
    squares += centred * centred;
  }
  const float scale = 1.0f / sqrtf(warp_sum(squares) / static_cast<float>(columns) + norm.eps);
#pragma unroll
  for (int i = 0; i < kPerLane; ++i) {
    const int column = lane() + i * kWarp;
    if (column >= columns) break;
    store(y + token * columns + column,
          (values[i] - mean) * scale * norm.gamma[column] + norm.beta[column]);
  }
}

template <int kPerLane, typename Input, typename T>
void launch(const Input& input, const NormWeights& norm, std::size_t tokens, T* y,
            cudaStream_t stream) {
  norm_kernel<kPerLane>
      <<<warp_blocks(tokens), kWarpsPerBlock * kWarp, 0, stream>>>(input, norm, tokens, y);
}

// input(token, column, columns) is what is to be normalised.
template <typename Input, typename T>
void normalise(const Input& input, const NormWeights& norm, std::size_t tokens, T* y,
               cudaStream_t stream) {
  if (tokens == 0) return;
  const std::size_t per_lane = (norm.columns + kWarp - 1) / kWarp;
  if (per_lane <= 2) {
    launch<2>(input, norm, tokens, y, stream);
  } else if (per_lane <= 8) {
    launch<8>(input, norm, tokens, y, stream);
  } else if (per_lane <= 12) {
    launch<12>(input, norm, tokens, y, stream);
  } else if (per_lane <= 24) {
    launch<24>(input, norm, tokens, y, stream);
  } else {
    launch<32>(input, norm, tokens, y, stream);
  }
  DIFFIE_CUDA_CHECK(cudaGetLastError());
}

template <typename T>
struct Sum {
  const T* x;
  const T* residual;
  __device__ float operator()(std::size_t token, int column, int columns) const {
    const std::size_t at = token * columns + column;
    return residual == nullptr ? load(x + at) : load(x + at) + load(residual + at);
  }
};

template <typename T>
struct Embedding {
  const std::int32_t* ids;
  const std::uint32_t* positions;
  const T* word;
  const float* position;
  const float* type;
  __device__ float operator()(std::size_t token, int column, int columns) const {
    const auto word_row = static_cast<std::size_t>(ids[token]) * columns;
    const auto position_row = static_cast<std::size_t>(positions[token]) * columns;
    return load(word + word_row + column) + type[column] + position[position_row + column];
  }
};

template <typename T>
struct RowInput {
  const T* context;
  const std::uint32_t* context_token;
  const float* table;
  const std::uint8_t* states;
  __device__ float operator()(std::size_t token, int column, int columns) const {
    const auto context_row = static_cast<std::size_t>(context_token[token]) * columns;
    return load(context + context_row + column) + table[states[token] * columns + column];
  }
};

}  // namespace

template <typename T>
void layer_norm(const T* x, const T* residual, const NormWeights& norm, std::size_t tokens, T* y,
                cudaStream_t stream) {
  normalise(Sum<T>{x, residual}, norm, tokens, y, stream);
}

template <typename T>
void embed(const std::int32_t* ids, const std::uint32_t* positions, const T* word,
           const float* position, const float* type, const NormWeights& norm, std::size_t tokens,
           T* y, cudaStream_t stream) {
  normalise(Embedding<T>{ids, positions, word, position, type}, norm, tokens, y, stream);
}

template <typename T>
void row_input(const T* context, const std::uint32_t* context_token, const float* table,
               const std::uint8_t* states, const NormWeights& norm, std::size_t tokens, T* y,
               cudaStream_t stream) {
  normalise(RowInput<T>{context, context_token, table, states}, norm, tokens, y, stream);
}

#define DIFFIE_INSTANTIATE(T)                                                                   \
  template void layer_norm<T>(const T*, const T*, const NormWeights&, std::size_t, T*,          \
                              cudaStream_t);                                                    \
  template void embed<T>(const std::int32_t*, const std::uint32_t*, const T*, const float*,     \
                         const float*, const NormWeights&, std::size_t, T*, cudaStream_t);      \
  template void row_input<T>(const T*, const std::uint32_t*, const float*, const std::uint8_t*, \
                             const NormWeights&, std::size_t, T*, cudaStream_t);
DIFFIE_INSTANTIATE(float)
DIFFIE_INSTANTIATE(Bf16)

}  // namespace diffie::cuda
