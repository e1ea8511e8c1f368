#include "model/row_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "diffie/error.h"
#include "model/row_groups.h"
#include "ops/attention.h"
#include "ops/embedding.h"

namespace diffie::model {

namespace {

constexpr std::size_t kGroupTokens = 128;

// From this many rows of one sentence on, inputs are computed once per (token, state) and copied.
constexpr std::size_t kSharedInputRows = 8;

// Workspace slots.
enum Slot : std::size_t {
  kInput,
  kX,
  kY,
  kNormed,
  kQkv,
  kAttended,
  kMiddle,
  kScratch,
  kSharedInput,
  kSharedQkv,
};

// Rows first .. end have one context and one length.
std::size_t end_of_sentence(const RowBatch& rows, std::size_t first) {
  const auto length = [&](std::size_t row) { return rows.offsets[row + 1] - rows.offsets[row]; };
  std::size_t end = first + 1;
  while (end < rows.context_begin.size() && rows.context_begin[end] == rows.context_begin[first] &&
         length(end) == length(first)) {
    ++end;
  }
  return end;
}

}  // namespace

RowShape denoiser_shape(const model_dir::ModelConfig& config) {
  return {"denoiser", config.denoiser, static_cast<std::size_t>(config.num_states()),
          static_cast<std::size_t>(config.diffusion.steps)};
}

RowShape judge_shape(const model_dir::ModelConfig& config) {
  DIFFIE_ASSERT(config.judge.has_value());
  return {"judge", *config.judge, static_cast<std::size_t>(config.num_tags()), 0};
}

RowBlock::RowBlock(const model_dir::ModelDir& dir, const std::string& name, std::size_t d,
                   double eps, Precision precision)
    : norm1(Norm::load(dir, name + ".norm1", d, eps)),
      qkv(Linear::load(dir, name + ".qkv", 3 * d, d, precision)),
      out(Linear::load(dir, name + ".out", d, d, precision)),
      norm2(Norm::load(dir, name + ".norm2", d, eps)),
      up(Linear::load(dir, name + ".up", 4 * d, d, precision)),
      down(Linear::load(dir, name + ".down", d, 4 * d, precision)) {}

FusionWeights::FusionWeights(const model_dir::ModelDir& dir, const RowShape& shape) {
  const auto d = static_cast<std::size_t>(shape.config.hidden);
  const auto id = static_cast<std::int64_t>(d);
  const std::vector<float> fuse = dir.floats(shape.name + ".fuse.weight", {id, 2 * id});
  std::vector<float> left(d * d), right(d * d);
  for (std::size_t row = 0; row < d; ++row) {
    std::copy_n(fuse.begin() + row * 2 * d, d, left.begin() + row * d);
    std::copy_n(fuse.begin() + row * 2 * d + d, d, right.begin() + row * d);
  }
  make_table(dir, shape, left);
  make_projection(dir, shape, right);
}

void FusionWeights::make_table(const model_dir::ModelDir& dir, const RowShape& shape,
                               std::span<const float> left) {
  const auto d = static_cast<std::size_t>(shape.config.hidden);
  const auto id = static_cast<std::int64_t>(d);
  const std::vector<float> tag =
      dir.floats(shape.name + ".tag.weight", {static_cast<std::int64_t>(shape.states), id});
  std::vector<float> sums;
  if (shape.steps == 0) {
    sums = tag;
  } else {
    const std::vector<float> time =
        dir.floats(shape.name + ".time.weight", {static_cast<std::int64_t>(shape.steps), id});
    for (std::size_t step = 0; step < time.size(); step += d) {
      for (std::size_t i = 0; i < tag.size(); ++i) sums.push_back(tag[i] + time[step + i % d]);
    }
  }
  table.resize(sums.size());
  const std::vector<float> no_bias(d);
  ops::gemm(sums, sums.size() / d, ops::PackedMatrix(left, d, d), no_bias, table);
}

void FusionWeights::make_projection(const model_dir::ModelDir& dir, const RowShape& shape,
                                    std::span<const float> right) {
  const auto d = static_cast<std::size_t>(shape.config.hidden);
  const auto context = static_cast<std::size_t>(dir.config().encoder.hidden);
  const auto id = static_cast<std::int64_t>(d);
  const std::vector<float> in_file =
      dir.floats(shape.name + ".context.weight", {id, static_cast<std::int64_t>(context)});
  std::vector<float> transposed(in_file.size());
  for (std::size_t i = 0; i < in_file.size(); ++i) {
    transposed[i % context * d + i / context] = in_file[i];
  }
  const std::vector<float> no_bias(context);
  weight.resize(d * context);
  ops::gemm(right, d, ops::PackedMatrix(transposed, context, d), no_bias, weight);
  bias.resize(d);
  ops::gemm(dir.floats(shape.name + ".context.bias", {id}), 1, ops::PackedMatrix(right, d, d),
            dir.floats(shape.name + ".fuse.bias", {id}), bias);
}

RowNetwork::RowNetwork(const model_dir::ModelDir& dir, const RowShape& shape, Precision precision)
    : RowNetwork(dir, shape, precision, FusionWeights(dir, shape)) {}

RowNetwork::RowNetwork(const model_dir::ModelDir& dir, const RowShape& shape, Precision precision,
                       FusionWeights fusion)
    : name_(shape.name),
      hidden_(static_cast<std::size_t>(shape.config.hidden)),
      context_(static_cast<std::size_t>(dir.config().encoder.hidden)),
      table_(std::move(fusion.table)),
      project_(ops::PackedMatrix(fusion.weight, hidden_, context_), std::move(fusion.bias)),
      heads_(static_cast<std::size_t>(shape.config.heads)),
      steps_(std::max<std::size_t>(shape.steps, 1)),
      states_(shape.states) {
  const double eps = shape.config.layer_norm_eps;
  input_norm_ = Norm::load(dir, name_ + ".input_norm", hidden_, eps);
  for (std::int32_t layer = 0; layer < shape.config.layers; ++layer) {
    blocks_.emplace_back(dir, fmt::format("{}.blocks.{}", name_, layer), hidden_, eps, precision);
  }
  final_norm_ = Norm::load(dir, name_ + ".final_norm", hidden_, eps);
}

void RowNetwork::refuse(const std::string& message) const {
  throw Error(ErrorCode::kInvalidArgument, fmt::format("{}: {}", name_, message));
}

void RowNetwork::project_context(std::span<const float> context, std::size_t tokens,
                                 std::span<float> projected, Workspace& workspace) const {
  if (context.size() != tokens * context_ || projected.size() != tokens * hidden_) {
    refuse(fmt::format("context of {} and room for {} values do not fit {} tokens", context.size(),
                       projected.size(), tokens));
  }
  project_.apply(context, tokens, projected, workspace);
}

void RowNetwork::forward(std::span<const float> projected, const RowBatch& rows,
                         std::span<const std::uint8_t> states, std::int32_t step,
                         Workspace& workspace, const Take& take) const {
  check_batch(projected.size(), rows, states, step);
  const Call call{projected, rows, states, step, workspace, take};
  const std::size_t num_rows = rows.context_begin.size();
  std::size_t waiting = 0;  // rows from here on are still to be done
  for (std::size_t first = 0, end = 0; first < num_rows; first = end) {
    end = end_of_sentence(rows, first);
    const bool empty = rows.offsets[first] == rows.offsets[first + 1];
    if (empty || end - first < kSharedInputRows) continue;
    forward_rows(call, waiting, first);
    forward_sentence(call, first, end);
    waiting = end;
  }
  forward_rows(call, waiting, num_rows);
}

void RowNetwork::check_batch(std::size_t projected, const RowBatch& rows,
                             std::span<const std::uint8_t> states, std::int32_t step) const {
  if (rows.offsets.empty() || rows.offsets.size() != rows.context_begin.size() + 1 ||
      rows.offsets.front() != 0 || rows.offsets.back() != states.size()) {
    refuse(fmt::format("row offsets do not span the {} states", states.size()));
  }
  if (step < 1 || static_cast<std::size_t>(step) > steps_) {
    refuse(fmt::format("step {}, wanted 1 to {}", step, steps_));
  }
  for (std::size_t row = 0; row + 1 < rows.offsets.size(); ++row) {
    if (rows.offsets[row] > rows.offsets[row + 1]) {
      refuse(fmt::format("row {} ends before it begins", row));
    }
    const std::size_t length = rows.offsets[row + 1] - rows.offsets[row];
    if (rows.context_begin[row] + length > projected / hidden_) {
      refuse(fmt::format("row {} reaches token {} of a context of {}", row,
                         rows.context_begin[row] + length, projected / hidden_));
    }
  }
  for (const std::uint8_t state : states) {
    if (state >= states_) refuse(fmt::format("state {}, wanted 0 to {}", state, states_ - 1));
  }
}

RowNetwork::Group RowNetwork::rows_of(const Call& call, std::size_t first, std::size_t end) {
  return {first, end, call.rows.offsets.subspan(first, end - first + 1)};
}

// Rows first .. end of the batch.
void RowNetwork::forward_rows(const Call& call, std::size_t first, std::size_t end) const {
  for_row_groups(call.rows.offsets.subspan(first, end - first + 1), kGroupTokens,
                 [&](std::size_t begin, std::size_t stop) {
                   const Group group = rows_of(call, first + begin, first + stop);
                   const std::span input = make_input(call, group);
                   const std::span qkv = floats(call, kQkv, 3 * input.size());
                   project(blocks_.front(), input, qkv, call.workspace);
                   finish_group(call, group, input);
                 });
}

// The same for rows of one sentence. What the first block attends with depends on a token and its
// state alone, so that it is made once for each of them and copied to the rows.
void RowNetwork::forward_sentence(const Call& call, std::size_t first, std::size_t end) const {
  const std::size_t length = call.rows.offsets[first + 1] - call.rows.offsets[first];
  const std::span input = floats(call, kSharedInput, states_ * length * hidden_);
  const std::span sentence =
      call.projected.subspan(call.rows.context_begin[first] * hidden_, length * hidden_);
  for (std::size_t state = 0; state < states_; ++state) {
    const std::vector<std::uint8_t> same(length, static_cast<std::uint8_t>(state));
    ops::table_add(sentence, table(call.step), same, hidden_,
                   input.subspan(state * length * hidden_, length * hidden_));
  }
  input_norm_.apply(input, states_ * length, input);
  const std::span qkv = floats(call, kSharedQkv, 3 * input.size());
  project(blocks_.front(), input, qkv, call.workspace);

  for_row_groups(call.rows.offsets.subspan(first, end - first + 1), kGroupTokens,
                 [&](std::size_t begin, std::size_t stop) {
                   const Group group = rows_of(call, first + begin, first + stop);
                   finish_group(call, group, copy_shared(call, group, length, input, qkv));
                 });
}

std::span<float> RowNetwork::floats(const Call& call, std::size_t slot, std::size_t count) {
  return {call.workspace.floats(slot, count), count};
}

std::span<const float> RowNetwork::table(std::int32_t step) const {
  const std::size_t per_step = states_ * hidden_;
  return std::span(table_).subspan(static_cast<std::size_t>(step - 1) * per_step, per_step);
}

// Inputs of the rows, in slot kInput.
std::span<const float> RowNetwork::make_input(const Call& call, const Group& group) const {
  const std::span input = floats(call, kInput, group.tokens() * hidden_);
  for (std::size_t row = group.first; row < group.end; ++row) {
    const std::size_t begin = call.rows.offsets[row];
    const std::size_t length = call.rows.offsets[row + 1] - begin;
    const std::size_t at = begin - group.offsets.front();
    ops::table_add(call.projected.subspan(call.rows.context_begin[row] * hidden_, length * hidden_),
                   table(call.step), call.states.subspan(begin, length), hidden_,
                   input.subspan(at * hidden_, length * hidden_));
  }
  input_norm_.apply(input, group.tokens(), input);
  return input;
}

// shared_* [states, length, ...] to the slots kInput and kQkv; returns the former.
std::span<const float> RowNetwork::copy_shared(const Call& call, const Group& group,
                                               std::size_t length,
                                               std::span<const float> shared_input,
                                               std::span<const float> shared_qkv) const {
  const std::size_t tokens = group.tokens();
  const std::span input = floats(call, kInput, tokens * hidden_);
  const std::span qkv = floats(call, kQkv, 3 * tokens * hidden_);
  for (std::size_t token = 0; token < tokens; ++token) {
    const std::size_t from = call.states[group.offsets.front() + token] * length + token % length;
    std::copy_n(shared_input.begin() + from * hidden_, hidden_, input.begin() + token * hidden_);
    std::copy_n(shared_qkv.begin() + from * 3 * hidden_, 3 * hidden_,
                qkv.begin() + token * 3 * hidden_);
  }
  return input;
}

void RowNetwork::project(const RowBlock& block, std::span<const float> x, std::span<float> qkv,
                         Workspace& workspace) const {
  const std::size_t tokens = x.size() / hidden_;
  const std::span normed(workspace.floats(kNormed, x.size()), x.size());
  block.norm1.apply(x, tokens, normed);
  block.qkv.apply(normed, tokens, qkv, workspace);
}

// From the first block's slot kQkv to the end.
void RowNetwork::finish_group(const Call& call, const Group& group,
                              std::span<const float> input) const {
  const std::size_t tokens = group.tokens();
  std::span<const float> x = input;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (i > 0) project(blocks_[i], x, floats(call, kQkv, 3 * x.size()), call.workspace);
    x = finish_block(call, blocks_[i], group.offsets, x);
  }
  const std::span normed = floats(call, kNormed, tokens * hidden_);
  ops::add_layer_norm(x, input, tokens, final_norm_.weights(), normed);
  call.take(group.first, group.end, normed);
}

// x is the input or slot kX, its projection slot kQkv; the result is slot kX.
std::span<const float> RowNetwork::finish_block(const Call& call, const RowBlock& block,
                                                std::span<const std::uint32_t> offsets,
                                                std::span<const float> x) const {
  Workspace& workspace = call.workspace;
  const std::size_t tokens = offsets.back() - offsets.front();
  const std::size_t head_dim = hidden_ / heads_;
  const std::span normed = floats(call, kNormed, tokens * hidden_);
  const std::span attended = floats(call, kAttended, tokens * hidden_);
  const std::span middle = floats(call, kMiddle, tokens * 4 * hidden_);
  const std::span y = floats(call, kY, tokens * hidden_);
  const std::span result = floats(call, kX, tokens * hidden_);
  const std::span scratch =
      floats(call, kScratch, ops::attention_scratch(longest_row(offsets), head_dim));

  ops::attention(floats(call, kQkv, 3 * tokens * hidden_), offsets, heads_, head_dim, attended,
                 scratch);
  block.out.apply(attended, tokens, y, workspace, ops::Epilogue::kBiasResidual, x);
  block.norm2.apply(y, tokens, normed);
  block.up.apply(normed, tokens, middle, workspace, ops::Epilogue::kBiasGelu);
  block.down.apply(middle, tokens, result, workspace, ops::Epilogue::kBiasResidual, y);
  return result;
}

}  // namespace diffie::model
