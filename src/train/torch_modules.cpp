#include "train/torch_modules.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace diffie::train {
namespace {

using torch::Tensor;

Linear linear_of(const ParamSet& params, const std::string& name) {
  return {params.at(name + ".weight"), params.at(name + ".bias")};
}

Norm norm_of(const ParamSet& params, const std::string& name, double eps) {
  return {params.at(name + ".weight"), params.at(name + ".bias"), eps};
}

// A place is dropped if its random byte is below `cut`: the CPU's generator is serial, and eight
// places share a draw. The rate is rounded to 1/256, and the scale is that of the rounded one.
Tensor drop_by_bytes(const Tensor& x, double rate) {
  const auto cut = static_cast<std::int64_t>(std::lround(rate * 256));
  const auto options = x.options().dtype(torch::kInt64);
  Tensor draws = at::empty({(x.numel() + 7) / 8}, options);
  draws.random_(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
  const Tensor bytes = draws.view(torch::kUInt8).narrow(0, 0, x.numel()).view(x.sizes());
  const Tensor kept = bytes.ge(cut).to(x.scalar_type());
  return x * kept.mul_(256.0 / static_cast<double>(256 - cut));
}

torch::ScalarType softmax_type(const Tensor& scores) {
  return scores.scalar_type() == torch::kBFloat16 ? torch::kFloat32 : scores.scalar_type();
}

// q, k, v [rows, heads, length, size]; bias broadcasts to [rows, heads, length, length].
Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& bias,
              double dropout) {
#if DIFFIE_TORCH2
  if (q.is_cuda()) return at::scaled_dot_product_attention(q, k, v, bias, dropout);
#endif
  const double scale = 1.0 / std::sqrt(static_cast<double>(q.size(3)));
  const Tensor scores = at::matmul(q * scale, k.transpose(2, 3)) + bias;
  const Tensor shares = at::softmax(scores.to(softmax_type(scores)), -1).to(v.scalar_type());
  return at::matmul(drop(shares, dropout), v);
}

// Laid out in full where the fused kernel wants it so: once per pass instead of once per layer.
Tensor layer_bias(const Tensor& valid, torch::ScalarType type, std::int64_t heads) {
  const Tensor bias = attention_bias(valid, type);
  if (!valid.is_cuda()) return bias;
  return bias.expand({valid.size(0), heads, valid.size(1), valid.size(1)}).contiguous();
}

Tensor split_heads(const Tensor& x, std::int64_t heads) {
  return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

Tensor join_heads(const Tensor& x) {
  return x.transpose(1, 2).reshape({x.size(0), x.size(2), x.size(1) * x.size(3)});
}

Tensor encoder_layer(const TorchEncoder::Layer& layer, const Tensor& x, const Tensor& bias,
                     std::int64_t heads, const Dropout& dropout) {
  const Tensor input = x.to(layer.query.weight.scalar_type());
  const Tensor mixed =
      attend(split_heads(layer.query(input), heads), split_heads(layer.key(input), heads),
             split_heads(layer.value(input), heads), bias, dropout.attention);
  const Tensor attended =
      layer.attention_norm(x + drop(layer.attention_out(join_heads(mixed)), dropout.hidden));
  const Tensor widened = at::gelu(layer.up(attended));
  return layer.norm(attended + drop(layer.down(widened), dropout.hidden));
}

Tensor row_block(const TorchRowNetwork::Block& block, const Tensor& x, const Tensor& bias,
                 std::int64_t heads, const Dropout& dropout) {
  const std::vector<Tensor> qkv = block.qkv(block.norm1(x)).chunk(3, -1);
  const Tensor mixed = attend(split_heads(qkv[0], heads), split_heads(qkv[1], heads),
                              split_heads(qkv[2], heads), bias, dropout.attention);
  const Tensor attended = x + block.out(join_heads(mixed));
  const Tensor widened = drop(at::gelu(block.up(block.norm2(attended))), dropout.hidden);
  return attended + drop(block.down(widened), dropout.hidden);
}

}  // namespace

Tensor Linear::operator()(const Tensor& x) const {
  return at::linear(x.to(weight.scalar_type()), weight, bias);
}

Tensor Norm::operator()(const Tensor& x) const {
  return at::layer_norm(x.to(weight.scalar_type()), {weight.size(0)}, weight, bias, eps);
}

TorchEncoder::TorchEncoder(const ParamSet& params, const model_dir::EncoderConfig& config)
    : heads(config.heads) {
  const std::string embeddings = "bert.embeddings.";
  words = params.at(embeddings + "word_embeddings.weight");
  positions = params.at(embeddings + "position_embeddings.weight");
  types = params.at(embeddings + "token_type_embeddings.weight");
  embedding_norm = norm_of(params, embeddings + "LayerNorm", config.layer_norm_eps);
  for (std::int32_t i = 0; i < config.layers; ++i) {
    const std::string name = fmt::format("bert.encoder.layer.{}.", i);
    Layer layer;
    layer.query = linear_of(params, name + "attention.self.query");
    layer.key = linear_of(params, name + "attention.self.key");
    layer.value = linear_of(params, name + "attention.self.value");
    layer.attention_out = linear_of(params, name + "attention.output.dense");
    layer.attention_norm =
        norm_of(params, name + "attention.output.LayerNorm", config.layer_norm_eps);
    layer.up = linear_of(params, name + "intermediate.dense");
    layer.down = linear_of(params, name + "output.dense");
    layer.norm = norm_of(params, name + "output.LayerNorm", config.layer_norm_eps);
    layers.push_back(std::move(layer));
  }
}

Tensor TorchEncoder::forward(const Tensor& ids, const Tensor& valid, const Dropout& dropout) const {
  const Tensor bias = layer_bias(valid, layers.front().query.weight.scalar_type(), heads);
  // Padding for the kernels' sake may go beyond the last position; what it holds does not matter.
  const Tensor places = at::arange(ids.size(1), ids.options()).clamp_max(positions.size(0) - 1);
  const Tensor embedded =
      at::embedding(words, ids) + (at::embedding(positions, places) + types.select(0, 0));
  Tensor x = drop(embedding_norm(embedded), dropout.hidden);
  for (const Layer& layer : layers) x = encoder_layer(layer, x, bias, heads, dropout);
  return x;
}

TorchRowNetwork::TorchRowNetwork(const ParamSet& params, const std::string& prefix,
                                 const model_dir::DenoiserConfig& config)
    : heads(config.heads) {
  const double eps = config.layer_norm_eps;
  tag = params.at(prefix + ".tag.weight");
  context = linear_of(params, prefix + ".context");
  fuse = linear_of(params, prefix + ".fuse");
  input_norm = norm_of(params, prefix + ".input_norm", eps);
  for (std::int32_t i = 0; i < config.layers; ++i) {
    const std::string name = fmt::format("{}.blocks.{}.", prefix, i);
    Block block;
    block.norm1 = norm_of(params, name + "norm1", eps);
    block.norm2 = norm_of(params, name + "norm2", eps);
    block.qkv = linear_of(params, name + "qkv");
    block.out = linear_of(params, name + "out");
    block.up = linear_of(params, name + "up");
    block.down = linear_of(params, name + "down");
    blocks.push_back(std::move(block));
  }
  final_norm = norm_of(params, prefix + ".final_norm", eps);
}

Tensor TorchRowNetwork::project(const Tensor& context_states) const {
  const std::int64_t hidden = tag.size(1);
  return at::linear(context(context_states), fuse.weight.narrow(1, hidden, hidden), fuse.bias);
}

Tensor TorchRowNetwork::fuse_left(const Tensor& embeddings) const {
  const std::int64_t hidden = tag.size(1);
  return at::linear(embeddings.to(fuse.weight.scalar_type()), fuse.weight.narrow(1, 0, hidden));
}

Tensor TorchRowNetwork::states(const Tensor& projected, const Tensor& table, const Tensor& index,
                               const Tensor& valid, const Dropout& dropout) const {
  const Tensor looked_up =
      table.requires_grad() ? at::matmul(one_hot(index, table.size(0), table.scalar_type()), table)
                            : at::embedding(table, index);
  const Tensor bias = layer_bias(valid, fuse.weight.scalar_type(), heads);
  const Tensor input = drop(input_norm(projected + looked_up), dropout.hidden);
  Tensor x = input;
  for (const Block& block : blocks) x = row_block(block, x, bias, heads, dropout);
  return final_norm(x + input);
}

TorchDenoiser::TorchDenoiser(const ParamSet& params, const model_dir::DenoiserConfig& config)
    : TorchRowNetwork(params, "denoiser", config),
      time(params.at("denoiser.time.weight")),
      head(linear_of(params, "denoiser.head")) {}

Tensor TorchDenoiser::table() const {
  return fuse_left((time.unsqueeze(1) + tag.unsqueeze(0)).reshape({-1, tag.size(1)}));
}

Tensor TorchDenoiser::forward(const Tensor& projected, const Tensor& states_at, const Tensor& steps,
                              const Tensor& valid, const Dropout& dropout) const {
  const Tensor index = (steps.unsqueeze(1) - 1) * tag.size(0) + states_at;
  const Tensor logits = head(states(projected, table(), index, valid, dropout));
  return logits.scalar_type() == torch::kFloat64 ? logits : logits.to(torch::kFloat32);
}

TorchJudge::TorchJudge(const ParamSet& params, const model_dir::DenoiserConfig& config)
    : TorchRowNetwork(params, "judge", config),
      pool(linear_of(params, "judge.pool")),
      head(linear_of(params, "judge.head")) {}

Tensor TorchJudge::forward(const Tensor& projected, const Tensor& tags, const Tensor& valid,
                           const Dropout& dropout) const {
  const Tensor x = states(projected, fuse_left(tag), tags, valid, dropout);
  std::vector<Tensor> means;  // of the places of each tag
  for (std::int64_t role = 0; role < tag.size(0); ++role) {
    const Tensor places = tags.eq(role).logical_and(valid).to(x.scalar_type()).unsqueeze(1);
    const Tensor count = places.sum(-1).clamp_min(1);
    means.push_back(at::matmul(places, x).squeeze(1) / count);
  }
  const Tensor logits = head(at::gelu(pool(at::cat(means, -1))));
  return logits.scalar_type() == torch::kFloat64 ? logits : logits.to(torch::kFloat32);
}

Tensor drop(const Tensor& x, double rate) {
  if (rate <= 0) return x;
  return x.is_cpu() ? drop_by_bytes(x, rate) : at::dropout(x, rate, true);
}

Tensor attention_bias(const Tensor& valid, torch::ScalarType type) {
  // Not -inf: a row of nothing but padding would give NaN.
  const Tensor bias = at::zeros(valid.sizes(), valid.options().dtype(type));
  return bias.masked_fill(valid.logical_not(), -30000.0).unsqueeze(1).unsqueeze(1);
}

Tensor one_hot(const Tensor& index, std::int64_t width, torch::ScalarType type) {
  return index.unsqueeze(-1).eq(at::arange(width, index.options())).to(type);
}

}  // namespace diffie::train
