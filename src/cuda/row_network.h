// model::RowNetwork on the GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuda/convert.h"
#include "cuda/linear.h"
#include "cuda/scratch.h"
#include "model/row_network.h"
#include "model_dir/model_dir.h"

namespace diffie::cuda {

template <typename T>
struct RowBlock {
  Norm norm1;
  Linear<T> qkv;
  Linear<T> out;
  Norm norm2;
  Linear<T> up;
  Linear<T> down;

  RowBlock(cublasLtHandle_t handle, const model_dir::ModelDir& dir, const std::string& name,
           std::size_t d, double eps);
};

// Consecutive rows on the GPU, which fit the scratch memory.
struct RowGroup {
  const std::uint8_t* states;          // [tokens]
  const std::uint32_t* context_token;  // [tokens]
  const std::uint32_t* offsets;        // rows + 1
  std::size_t rows;
  std::size_t tokens;
};

template <typename T>
class RowNetwork {
 public:
  RowNetwork(cublasLtHandle_t handle, const model_dir::ModelDir& dir, const model::RowShape& shape);

  std::size_t hidden() const { return hidden_; }

  // context [tokens, encoder hidden] -> projected [tokens, hidden()].
  void project_context(const T* context, std::size_t tokens, T* projected,
                       cudaStream_t stream) const {
    project_.apply(context, tokens, projected, stream);
  }

  // What is left after the last norm [tokens, hidden()], in the scratch memory's `normed`. step:
  // 1..T, 1 where there is no time.
  const T* forward(const T* projected, const RowGroup& group, std::int32_t step,
                   Scratch<T>& scratch, cudaStream_t stream) const;

 private:
  RowNetwork(cublasLtHandle_t handle, const model_dir::ModelDir& dir, const model::RowShape& shape,
             const model::FusionWeights& fusion);
  void forward_block(const RowBlock<T>& block, const RowGroup& group, const T* x,
                     Scratch<T>& scratch, cudaStream_t stream) const;

  std::size_t hidden_;
  std::size_t heads_;
  std::size_t states_;
  DeviceArray<float> table_;  // [T, states, hidden]
  Linear<T> project_;
  Norm input_norm_;
  std::vector<RowBlock<T>> blocks_;
  Norm final_norm_;
};

}  // namespace diffie::cuda
