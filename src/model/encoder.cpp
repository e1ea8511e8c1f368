#include "model/encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "diffie/error.h"
#include "model/layers.h"
#include "model/row_groups.h"
#include "ops/attention.h"
#include "ops/embedding.h"

namespace diffie::model {

namespace {

constexpr std::size_t kGroupTokens = 512;

// Workspace slots.
enum Slot : std::size_t { kQkv, kAttended, kSum, kMiddle, kScratch };

void check_batch(std::span<const std::int32_t> ids, std::span<const std::uint32_t> row_offsets,
                 std::size_t out_size, const model_dir::EncoderConfig& config) {
  if (row_offsets.empty() || row_offsets.front() != 0 || row_offsets.back() != ids.size()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("encoder: row offsets do not span the {} pieces", ids.size()));
  }
  for (std::size_t row = 0; row + 1 < row_offsets.size(); ++row) {
    const std::int64_t length = std::int64_t{row_offsets[row + 1]} - row_offsets[row];
    if (length < 1 || length > config.max_positions) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("encoder: sentence {} has {} pieces, wanted 1 to {}", row, length,
                              config.max_positions));
    }
  }
  for (const std::int32_t id : ids) {
    if (id >= 0 && id < config.vocab_size) continue;
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("encoder: piece id {}, wanted 0 to {}", id, config.vocab_size - 1));
  }
  if (out_size != ids.size() * static_cast<std::size_t>(config.hidden)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("encoder: room for {} values, {} pieces need {}", out_size, ids.size(),
                            ids.size() * static_cast<std::size_t>(config.hidden)));
  }
}

std::vector<float> read_scales(const model_dir::ModelDir& dir, const model_dir::TensorView& table) {
  if (table.dtype != model_dir::DType::kI8) return {};
  return dir.floats(table.name + ".scale", {static_cast<std::int64_t>(table.shape[0])});
}

}  // namespace

EncoderLayer::EncoderLayer(const model_dir::ModelDir& dir, const std::string& name,
                           const model_dir::EncoderConfig& config, Precision precision) {
  const auto d = static_cast<std::size_t>(config.hidden);
  const auto middle = static_cast<std::size_t>(config.intermediate);
  const std::string self = name + ".attention.self.";
  qkv = Linear::load_stacked(dir, {self + "query", self + "key", self + "value"}, d, d, precision);
  attention_output = Linear::load(dir, name + ".attention.output.dense", d, d, precision);
  attention_norm = Norm::load(dir, name + ".attention.output.LayerNorm", d, config.layer_norm_eps);
  intermediate = Linear::load(dir, name + ".intermediate.dense", middle, d, precision);
  output = Linear::load(dir, name + ".output.dense", d, middle, precision);
  output_norm = Norm::load(dir, name + ".output.LayerNorm", d, config.layer_norm_eps);
}

BertEncoder::BertEncoder(const model_dir::ModelDir& dir, Precision precision)
    : config_(dir.config().encoder),
      hidden_(static_cast<std::size_t>(config_.hidden)),
      middle_(static_cast<std::size_t>(config_.intermediate)),
      heads_(static_cast<std::size_t>(config_.heads)),
      dir_(dir),
      word_(dir_.tensor("bert.embeddings.word_embeddings.weight")),
      word_scales_(read_scales(dir_, word_)),
      word_scale_{word_.name + ".scale",
                  model_dir::DType::kF32,
                  {word_scales_.size()},
                  std::as_bytes(std::span(word_scales_))},
      position_(dir.floats("bert.embeddings.position_embeddings.weight",
                           {config_.max_positions, config_.hidden})),
      type_(dir.floats("bert.embeddings.token_type_embeddings.weight",
                       {config_.type_vocab, config_.hidden})),
      embedding_norm_(
          Norm::load(dir, "bert.embeddings.LayerNorm", hidden_, config_.layer_norm_eps)) {
  type_.resize(hidden_);  // only type 0 is ever used
  for (std::int32_t layer = 0; layer < config_.layers; ++layer) {
    layers_.emplace_back(dir, fmt::format("bert.encoder.layer.{}", layer), config_, precision);
  }
}

void BertEncoder::forward(std::span<const std::int32_t> ids,
                          std::span<const std::uint32_t> row_offsets, std::span<float> out,
                          Workspace& workspace) const {
  check_batch(ids, row_offsets, out.size(), config_);
  for_row_groups(row_offsets, kGroupTokens, [&](std::size_t first, std::size_t end) {
    const std::size_t token = row_offsets[first];
    const std::size_t tokens = row_offsets[end] - token;
    forward_group(ids.subspan(token, tokens), row_offsets.subspan(first, end - first + 1),
                  out.subspan(token * hidden_, tokens * hidden_), workspace);
  });
}

void BertEncoder::read_words(std::span<const std::int32_t> ids, std::span<float> x) const {
  // By id: a place that may have it already. Half of the pieces of a group come again.
  std::array<std::size_t, 1024> places{};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto id = static_cast<std::size_t>(ids[i]);
    const std::span row = x.subspan(i * hidden_, hidden_);
    std::size_t& place = places[id % places.size()];
    if (place < i && ids[place] == ids[i]) {
      std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(place * hidden_), hidden_, row.begin());
    } else {
      model_dir::row_to_f32(word_, &word_scale_, id, row);
    }
    place = i;
  }
  // The scales of int8 rows were checked when they were read.
  if (word_.dtype != model_dir::DType::kI8) model_dir::check_values(word_, x);
}

// The rows of one group; `offsets` counts tokens of the whole batch.
void BertEncoder::forward_group(std::span<const std::int32_t> ids,
                                std::span<const std::uint32_t> offsets, std::span<float> x,
                                Workspace& workspace) const {
  read_words(ids, x);
  ops::add_positions(offsets, position_, type_, hidden_, x);
  embedding_norm_.apply(x, ids.size(), x);
  for (const EncoderLayer& layer : layers_) forward_layer(layer, offsets, x, workspace);
}

void BertEncoder::forward_layer(const EncoderLayer& layer, std::span<const std::uint32_t> offsets,
                                std::span<float> x, Workspace& workspace) const {
  const std::size_t tokens = offsets.back() - offsets.front();
  const auto floats = [&](Slot slot, std::size_t count) {
    return std::span(workspace.floats(slot, count), count);
  };
  const std::size_t head_dim = hidden_ / heads_;
  const std::span qkv = floats(kQkv, tokens * 3 * hidden_);
  const std::span attended = floats(kAttended, tokens * hidden_);
  const std::span sum = floats(kSum, tokens * hidden_);
  const std::span middle = floats(kMiddle, tokens * middle_);
  const std::span scratch =
      floats(kScratch, ops::attention_scratch(longest_row(offsets), head_dim));

  layer.qkv.apply(x, tokens, qkv, workspace);
  ops::attention(qkv, offsets, heads_, head_dim, attended, scratch);
  layer.attention_output.apply(attended, tokens, sum, workspace, ops::Epilogue::kBiasResidual, x);
  layer.attention_norm.apply(sum, tokens, x);
  layer.intermediate.apply(x, tokens, middle, workspace, ops::Epilogue::kBiasGelu);
  layer.output.apply(middle, tokens, sum, workspace, ops::Epilogue::kBiasResidual, x);
  layer.output_norm.apply(sum, tokens, x);
}

}  // namespace diffie::model
