#include "cuda/encoder.h"

#include <fmt/format.h>

#include "cuda/kernels.h"

namespace diffie::cuda {
namespace {

const std::string kEmbeddings = "bert.embeddings.";

template <typename T>
Linear<T> load(cublasLtHandle_t handle, const model_dir::ModelDir& dir, const std::string& name,
               std::int32_t n, std::int32_t k, Activation activation = Activation::kNone) {
  return Linear<T>::load(handle, dir, {name}, static_cast<std::size_t>(n),
                         static_cast<std::size_t>(k), activation);
}

Norm load_norm(const model_dir::ModelDir& dir, const std::string& name) {
  const model_dir::EncoderConfig& config = dir.config().encoder;
  return {dir, name, static_cast<std::size_t>(config.hidden), config.layer_norm_eps};
}

template <typename T>
Linear<T> load_qkv(cublasLtHandle_t handle, const model_dir::ModelDir& dir,
                   const std::string& self) {
  const auto d = static_cast<std::size_t>(dir.config().encoder.hidden);
  return Linear<T>::load(handle, dir, {self + "query", self + "key", self + "value"}, d, d);
}

}  // namespace

template <typename T>
EncoderLayer<T>::EncoderLayer(cublasLtHandle_t handle, const model_dir::ModelDir& dir,
                              const std::string& name)
    : qkv(load_qkv<T>(handle, dir, name + ".attention.self.")),
      attention_output(load<T>(handle, dir, name + ".attention.output.dense",
                               dir.config().encoder.hidden, dir.config().encoder.hidden)),
      attention_norm(load_norm(dir, name + ".attention.output.LayerNorm")),
      intermediate(load<T>(handle, dir, name + ".intermediate.dense",
                           dir.config().encoder.intermediate, dir.config().encoder.hidden,
                           Activation::kGelu)),
      output(load<T>(handle, dir, name + ".output.dense", dir.config().encoder.hidden,
                     dir.config().encoder.intermediate)),
      output_norm(load_norm(dir, name + ".output.LayerNorm")) {}

template <typename T>
Encoder<T>::Encoder(cublasLtHandle_t handle, const model_dir::ModelDir& dir)
    : hidden_(static_cast<std::size_t>(dir.config().encoder.hidden)),
      heads_(static_cast<std::size_t>(dir.config().encoder.heads)),
      word_(upload<T>(dir.floats(kEmbeddings + "word_embeddings.weight",
                                 {dir.config().encoder.vocab_size, dir.config().encoder.hidden}))),
      position_(to_device<float>(
          dir.floats(kEmbeddings + "position_embeddings.weight",
                     {dir.config().encoder.max_positions, dir.config().encoder.hidden}))),
      type_(to_device<float>(
          dir.floats(kEmbeddings + "token_type_embeddings.weight",
                     {dir.config().encoder.type_vocab, dir.config().encoder.hidden}))),
      embedding_norm_(load_norm(dir, kEmbeddings + "LayerNorm")) {
  for (std::int32_t layer = 0; layer < dir.config().encoder.layers; ++layer) {
    layers_.emplace_back(handle, dir, fmt::format("bert.encoder.layer.{}", layer));
  }
}

template <typename T>
const T* Encoder<T>::forward(const EncoderGroup& group, Scratch<T>& scratch,
                             cudaStream_t stream) const {
  T* const x = scratch.x.room(group.tokens * hidden_);
  embed(group.ids, group.positions, word_.data(), position_.data(), type_.data(),
        embedding_norm_.weights(), group.tokens, x, stream);
  for (const EncoderLayer<T>& layer : layers_) forward_layer(layer, group, scratch, stream);
  return x;
}

template <typename T>
void Encoder<T>::forward_layer(const EncoderLayer<T>& layer, const EncoderGroup& group,
                               Scratch<T>& scratch, cudaStream_t stream) const {
  const std::size_t tokens = group.tokens;
  T* const x = scratch.x.data();
  T* const sum = scratch.y.room(tokens * hidden_);
  T* const qkv = scratch.qkv.room(tokens * 3 * hidden_);
  T* const attended = scratch.attended.template room<T>(tokens * hidden_);
  T* const middle = scratch.middle.template room<T>(tokens * layer.intermediate.outputs());
  layer.qkv.apply(x, tokens, qkv, stream);
  attention(qkv, nullptr, {group.offsets, group.rows, group.longest}, heads_, hidden_ / heads_,
            attended, stream);
  layer.attention_output.apply(attended, tokens, sum, stream, x);
  layer_norm(sum, static_cast<const T*>(nullptr), layer.attention_norm.weights(), tokens, x,
             stream);
  layer.intermediate.apply(x, tokens, middle, stream);
  layer.output.apply(middle, tokens, sum, stream, x);
  layer_norm(sum, static_cast<const T*>(nullptr), layer.output_norm.weights(), tokens, x, stream);
}

template class Encoder<float>;
template class Encoder<Bf16>;
template class Encoder<Half>;

}  // namespace diffie::cuda
