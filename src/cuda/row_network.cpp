#include "cuda/row_network.h"

#include <fmt/format.h>

#include "cuda/kernels.h"

namespace diffie::cuda {
namespace {

template <typename T>
Linear<T> load(cublasLtHandle_t handle, const model_dir::ModelDir& dir, const std::string& name,
               std::size_t n, std::size_t k, Activation activation = Activation::kNone) {
  return Linear<T>::load(handle, dir, {name}, n, k, activation);
}

}  // namespace

template <typename T>
RowBlock<T>::RowBlock(cublasLtHandle_t handle, const model_dir::ModelDir& dir,
                      const std::string& name, std::size_t d, double eps)
    : norm1(dir, name + ".norm1", d, eps),
      qkv(load<T>(handle, dir, name + ".qkv", 3 * d, d)),
      out(load<T>(handle, dir, name + ".out", d, d)),
      norm2(dir, name + ".norm2", d, eps),
      up(load<T>(handle, dir, name + ".up", 4 * d, d, Activation::kGelu)),
      down(load<T>(handle, dir, name + ".down", d, 4 * d)) {}

template <typename T>
RowNetwork<T>::RowNetwork(cublasLtHandle_t handle, const model_dir::ModelDir& dir,
                          const model::RowShape& shape)
    : RowNetwork(handle, dir, shape, model::FusionWeights(dir, shape)) {}

template <typename T>
RowNetwork<T>::RowNetwork(cublasLtHandle_t handle, const model_dir::ModelDir& dir,
                          const model::RowShape& shape, const model::FusionWeights& fusion)
    : hidden_(static_cast<std::size_t>(shape.config.hidden)),
      heads_(static_cast<std::size_t>(shape.config.heads)),
      states_(shape.states),
      table_(to_device<float>(fusion.table)),
      project_(handle, fusion.weight, fusion.bias),
      input_norm_(dir, shape.name + ".input_norm", hidden_, shape.config.layer_norm_eps),
      final_norm_(dir, shape.name + ".final_norm", hidden_, shape.config.layer_norm_eps) {
  for (std::int32_t layer = 0; layer < shape.config.layers; ++layer) {
    blocks_.emplace_back(handle, dir, fmt::format("{}.blocks.{}", shape.name, layer), hidden_,
                         shape.config.layer_norm_eps);
  }
}

template <typename T>
const T* RowNetwork<T>::forward(const T* projected, const RowGroup& group, std::int32_t step,
                                Scratch<T>& scratch, cudaStream_t stream) const {
  T* const input = scratch.input.room(group.tokens * hidden_);
  const float* table = table_.data() + static_cast<std::size_t>(step - 1) * states_ * hidden_;
  row_input(projected, group.context_token, table, group.states, input_norm_.weights(),
            group.tokens, input, stream);
  const T* x = input;
  for (const RowBlock<T>& block : blocks_) {
    forward_block(block, group, x, scratch, stream);
    x = scratch.x.data();
  }
  T* const normed = scratch.normed.room(group.tokens * hidden_);
  layer_norm<T>(x, input, final_norm_.weights(), group.tokens, normed, stream);
  return normed;
}

// The result is the scratch memory's x, which x may be.
template <typename T>
void RowNetwork<T>::forward_block(const RowBlock<T>& block, const RowGroup& group, const T* x,
                                  Scratch<T>& scratch, cudaStream_t stream) const {
  const std::size_t tokens = group.tokens;
  T* const result = scratch.x.room(tokens * hidden_);
  T* const y = scratch.y.room(tokens * hidden_);
  T* const normed = scratch.normed.room(tokens * hidden_);
  T* const qkv = scratch.qkv.room(tokens * 3 * hidden_);
  T* const attended = scratch.attended.room(tokens * hidden_);
  T* const middle = scratch.middle.room(tokens * 4 * hidden_);
  layer_norm<T>(x, nullptr, block.norm1.weights(), tokens, normed, stream);
  block.qkv.apply(normed, tokens, qkv, stream);
  attention(qkv, group.offsets, group.rows, heads_, hidden_ / heads_, attended, stream);
  block.out.apply(attended, tokens, y, stream, x);
  layer_norm<T>(y, nullptr, block.norm2.weights(), tokens, normed, stream);
  block.up.apply(normed, tokens, middle, stream);
  block.down.apply(middle, tokens, result, stream, y);
}

template class RowNetwork<float>;
template class RowNetwork<Bf16>;

}  // namespace diffie::cuda
