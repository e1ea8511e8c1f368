#include <cstdint>

#include "cuda/check.h"
#include "cuda/device_math.cuh"
#include "cuda/kernels.h"

namespace diffie::cuda {
namespace {

constexpr int kVector = 8;  // neighbouring columns of a lane; columns are a multiple of it

// One warp has one token; a lane the vectors lane, lane + 32, ... Two passes: mean, then centred
// squares.
template <int kPerLane, typename Input, typename T>
__global__ void norm_kernel(Input input, NormWeights norm, std::size_t tokens, T* y) {
  const std::size_t token = warp_index();
  if (token >= tokens) return;
  const int columns = static_cast<int>(norm.columns);
  float values[kPerLane][kVector];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kPerLane; ++i) {
    const int column = (lane() + i * kWarp) * kVector;
    if (column < columns) input(token, column, columns, values[i]);
#pragma unroll
    for (int k = 0; k < kVector; ++k) sum += column < columns ? values[i][k] : 0.0f;
  }
  const float mean = warp_sum(sum) / static_cast<float>(columns);
  float squares = 0;
#pragma unroll
  for (int i = 0; i < kPerLane; ++i) {
    const bool inside = (lane() + i * kWarp) * kVector < columns;
#pragma unroll
    for (int k = 0; k < kVector; ++k) {
      const float centred = inside ? values[i][k] - mean : 0.0f;
      squares += centred * centred;
    }
  }
  const float scale = 1.0f / sqrtf(warp_sum(squares) / static_cast<float>(columns) + norm.eps);
#pragma unroll
  for (int i = 0; i < kPerLane; ++i) {
    const int column = (lane() + i * kWarp) * kVector;
    if (column >= columns) break;
    float gamma[kVector], beta[kVector];
    load8(norm.gamma + column, gamma);
    load8(norm.beta + column, beta);
#pragma unroll
    for (int k = 0; k < kVector; ++k)
      values[i][k] = (values[i][k] - mean) * scale * gamma[k] + beta[k];
    store8(y + token * columns + column, values[i]);
  }
}

template <int kPerLane, typename Input, typename T>
void launch(const Input& input, const NormWeights& norm, std::size_t tokens, T* y,
            cudaStream_t stream) {
  norm_kernel<kPerLane>
      <<<warp_blocks(tokens), kWarpsPerBlock * kWarp, 0, stream>>>(input, norm, tokens, y);
}

// input(token, column, columns, values) are the eight from `column` on that are to be normalised.
template <typename Input, typename T>
void normalise(const Input& input, const NormWeights& norm, std::size_t tokens, T* y,
               cudaStream_t stream) {
  if (tokens == 0) return;
  const std::size_t per_lane = (norm.columns + kVector * kWarp - 1) / (kVector * kWarp);
  if (per_lane <= 1) {
    launch<1>(input, norm, tokens, y, stream);
  } else if (per_lane <= 2) {
    launch<2>(input, norm, tokens, y, stream);
  } else if (per_lane <= 3) {
    launch<3>(input, norm, tokens, y, stream);
  } else {
    launch<4>(input, norm, tokens, y, stream);
  }
  DIFFIE_CUDA_CHECK(cudaGetLastError());
}

template <typename T>
__device__ void add8(const T* x, float (&values)[kVector]) {
  float more[kVector];
  load8(x, more);
#pragma unroll
  for (int k = 0; k < kVector; ++k) values[k] += more[k];
}

template <typename T>
struct Sum {
  const T* x;
  const T* residual;
  __device__ void operator()(std::size_t token, int column, int columns,
                             float (&values)[kVector]) const {
    const std::size_t at = token * columns + column;
    load8(x + at, values);
    if (residual != nullptr) add8(residual + at, values);
  }
};

template <typename T>
struct Embedding {
  const std::int32_t* ids;
  const std::uint32_t* positions;
  const T* word;
  const float* position;
  const float* type;
  __device__ void operator()(std::size_t token, int column, int columns,
                             float (&values)[kVector]) const {
    load8(word + static_cast<std::size_t>(ids[token]) * columns + column, values);
    add8(type + column, values);
    add8(position + static_cast<std::size_t>(positions[token]) * columns + column, values);
  }
};

template <typename T>
struct RowInput {
  const T* context;
  const std::uint32_t* context_token;
  const float* table;
  const std::uint8_t* states;
  __device__ void operator()(std::size_t token, int column, int columns,
                             float (&values)[kVector]) const {
    load8(context + static_cast<std::size_t>(context_token[token]) * columns + column, values);
    add8(table + states[token] * columns + column, values);
  }
};

// Every state of every token of the context.
template <typename T>
struct AllStates {
  const T* context;
  const float* table;
  int states;
  __device__ void operator()(std::size_t index, int column, int columns,
                             float (&values)[kVector]) const {
    load8(context + index / states * columns + column, values);
    add8(table + index % states * columns + column, values);
  }
};

}  // namespace

template <typename T, typename Out>
void layer_norm(const T* x, const T* residual, const NormWeights& norm, std::size_t tokens, Out* y,
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

template <typename T>
void row_input_of_all_states(const T* context, const float* table, std::size_t states,
                             const NormWeights& norm, std::size_t tokens, T* y,
                             cudaStream_t stream) {
  normalise(AllStates<T>{context, table, static_cast<int>(states)}, norm, tokens * states, y,
            stream);
}

#define DIFFIE_INSTANTIATE(T)                                                                   \
  template void layer_norm<T, T>(const T*, const T*, const NormWeights&, std::size_t, T*,       \
                                 cudaStream_t);                                                 \
  template void embed<T>(const std::int32_t*, const std::uint32_t*, const T*, const float*,     \
                         const float*, const NormWeights&, std::size_t, T*, cudaStream_t);      \
  template void row_input<T>(const T*, const std::uint32_t*, const float*, const std::uint8_t*, \
                             const NormWeights&, std::size_t, T*, cudaStream_t);                \
  template void row_input_of_all_states<T>(const T*, const float*, std::size_t,                 \
                                           const NormWeights&, std::size_t, T*, cudaStream_t);
DIFFIE_INSTANTIATE(float)
DIFFIE_INSTANTIATE(Bf16)
DIFFIE_INSTANTIATE(Half)
template void layer_norm<Bf16, Fp8>(const Bf16*, const Bf16*, const NormWeights&, std::size_t, Fp8*,
                                    cudaStream_t);

}  // namespace diffie::cuda
