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

template <typename T, typename In>
struct RowBlock {
  Norm norm1;
  Linear<In, T> qkv;
  Linear<In, T> out;
  Norm norm2;
  Linear<In> up;
  Linear<In, T> down;

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
  std::size_t longest;  // tokens of a row
};

// Where a network is asked about rows from: the projected context, and which time it is (1..T, 1
// where there is no time).
template <typename T>
struct Asked {
  const T* projected;  // [tokens, hidden]
  std::int32_t step;
  const T* first_qkv = nullptr;  // [tokens, states, 3 * hidden], of first_qkv(); null: not made
};

// T: what goes from layer to layer. In: what its products read, T or 8-bit floats.
template <typename T, typename In = T>
class RowNetwork {
 public:
  RowNetwork(cublasLtHandle_t handle, const model_dir::ModelDir& dir, const model::RowShape& shape);

  std::size_t hidden() const { return hidden_; }
  std::size_t states() const { return states_; }

  // context [tokens, encoder hidden] -> projected [tokens, hidden()].
  void project_context(const T* context, std::size_t tokens, T* projected,
                       cudaStream_t stream) const {
    project_.apply(context, tokens, projected, stream);
  }

  // The first block sees as many different inputs as there are states times tokens of the context:
  // its queries, keys and values of all of them, in the scratch memory. Worth it where many rows
  // are about one sentence. Null where attention cannot look them up.
  const T* first_qkv(const Asked<T>& asked, std::size_t context_tokens, Scratch<T>& scratch,
                     cudaStream_t stream) const;

  // What is left after the last norm [tokens, hidden()], in the scratch memory's `normed`.
  const T* forward(const Asked<T>& asked, const RowGroup& group, Scratch<T>& scratch,
                   cudaStream_t stream) const;

 private:
  RowNetwork(cublasLtHandle_t handle, const model_dir::ModelDir& dir, const model::RowShape& shape,
             const model::FusionWeights& fusion);
  const float* table_at(std::int32_t step) const;
  void forward_block(const RowBlock<T, In>& block, const RowGroup& group, const T* x,
                     const T* first_qkv, Scratch<T>& scratch, cudaStream_t stream) const;
  const T* qkv_of(const RowBlock<T, In>& block, const T* x, std::size_t tokens, T* qkv,
                  Scratch<T>& scratch, cudaStream_t stream) const;

  std::size_t hidden_;
  std::size_t heads_;
  std::size_t states_;
  DeviceArray<float> table_;  // [T, states, hidden]
  Linear<T> project_;
  Norm input_norm_;
  std::vector<RowBlock<T, In>> blocks_;
  Norm final_norm_;
};

}  // namespace diffie::cuda
