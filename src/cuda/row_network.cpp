#include "cuda/row_network.h"

#include <fmt/format.h>

#include "cuda/kernels.h"

namespace diffie::cuda {

template <typename T, typename In>
RowBlock<T, In>::RowBlock(cublasLtHandle_t handle, const model_dir::ModelDir& dir,
                          const std::string& name, std::size_t d, double eps)
    : norm1(dir, name + ".norm1", d, eps),
      qkv(Linear<In, T>::load(handle, dir, {name + ".qkv"}, 3 * d, d)),
      out(Linear<In, T>::load(handle, dir, {name + ".out"}, d, d)),
      norm2(dir, name + ".norm2", d, eps),
      up(Linear<In>::load(handle, dir, {name + ".up"}, 4 * d, d, Activation::kGelu)),
      down(Linear<In, T>::load(handle, dir, {name + ".down"}, d, 4 * d)) {}

template <typename T, typename In>
RowNetwork<T, In>::RowNetwork(cublasLtHandle_t handle, const model_dir::ModelDir& dir,
                              const model::RowShape& shape)
    : RowNetwork(handle, dir, shape, model::FusionWeights(dir, shape)) {}

template <typename T, typename In>
RowNetwork<T, In>::RowNetwork(cublasLtHandle_t handle, const model_dir::ModelDir& dir,
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

template <typename T, typename In>
const float* RowNetwork<T, In>::table_at(std::int32_t step) const {
  return table_.data() + static_cast<std::size_t>(step - 1) * states_ * hidden_;
}

template <typename T, typename In>
const T* RowNetwork<T, In>::qkv_of(const RowBlock<T, In>& block, const T* x, std::size_t tokens,
                                   T* qkv, Scratch<T>& scratch, cudaStream_t stream) const {
  In* const normed = scratch.normed.template room<In>(Linear<In>::room(tokens) * hidden_);
  layer_norm(x, static_cast<const T*>(nullptr), block.norm1.weights(), tokens, normed, stream);
  block.qkv.apply(normed, tokens, qkv, stream);
  return qkv;
}

template <typename T, typename In>
const T* RowNetwork<T, In>::first_qkv(const Asked<T>& asked, std::size_t context_tokens,
                                      Scratch<T>& scratch, cudaStream_t stream) const {
  if (std::is_same_v<T, float> || !is_tensor_head(hidden_ / heads_)) return nullptr;
  const std::size_t tokens = context_tokens * states_, room = Linear<In>::room(tokens);
  T* const input = scratch.input.room(tokens * hidden_);
  row_input_of_all_states(asked.projected, table_at(asked.step), states_, input_norm_.weights(),
                          context_tokens, input, stream);
  return qkv_of(blocks_.front(), input, tokens, scratch.first_qkv.room(room * 3 * hidden_), scratch,
                stream);
}

template <typename T, typename In>
const T* RowNetwork<T, In>::forward(const Asked<T>& asked, const RowGroup& group,
                                    Scratch<T>& scratch, cudaStream_t stream) const {
  T* const input = scratch.input.room(Linear<In>::room(group.tokens) * hidden_);
  row_input(asked.projected, group.context_token, table_at(asked.step), group.states,
            input_norm_.weights(), group.tokens, input, stream);
  const T* x = input;
  const T* first_qkv = asked.first_qkv;
  for (const RowBlock<T, In>& block : blocks_) {
    forward_block(block, group, x, first_qkv, scratch, stream);
    x = scratch.x.data();
    first_qkv = nullptr;
  }
  T* const normed = scratch.normed.template room<T>(group.tokens * hidden_);
  layer_norm(x, static_cast<const T*>(input), final_norm_.weights(), group.tokens, normed, stream);
  return normed;
}

// The result is the scratch memory's x, which x may be.
template <typename T, typename In>
void RowNetwork<T, In>::forward_block(const RowBlock<T, In>& block, const RowGroup& group,
                                      const T* x, const T* first_qkv, Scratch<T>& scratch,
                                      cudaStream_t stream) const {
  const std::size_t tokens = group.tokens, room = Linear<In>::room(tokens);
  T* const result = scratch.x.room(room * hidden_);
  T* const y = scratch.y.room(room * hidden_);
  In* const attended = scratch.attended.template room<In>(room * hidden_);
  In* const middle = scratch.middle.template room<In>(room * 4 * hidden_);
  const AttentionRows rows{group.offsets, group.rows, group.longest};
  if (first_qkv != nullptr) {
    const QkvOfStates states{group.context_token, group.states, states_};
    attention(first_qkv, &states, rows, heads_, hidden_ / heads_, attended, stream);
  } else {
    const T* const qkv =
        qkv_of(block, x, tokens, scratch.qkv.room(room * 3 * hidden_), scratch, stream);
    attention(qkv, nullptr, rows, heads_, hidden_ / heads_, attended, stream);
  }
  block.out.apply(attended, tokens, y, stream, x);
  In* const normed = scratch.normed.template room<In>(room * hidden_);
  layer_norm(y, static_cast<const T*>(nullptr), block.norm2.weights(), tokens, normed, stream);
  block.up.apply(normed, tokens, middle, stream);
  block.down.apply(middle, tokens, result, stream, y);
}

template class RowNetwork<float>;
template class RowNetwork<Bf16>;
template class RowNetwork<Half>;
template class RowNetwork<Bf16, Fp8>;

}  // namespace diffie::cuda
