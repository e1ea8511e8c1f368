#include "model/denoiser.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "diffie/error.h"
#include "model/layers.h"
#include "model/row_groups.h"
#include "ops/attention.h"
#include "ops/embedding.h"

namespace diffie::model {

namespace {

constexpr std::size_t kGroupTokens = 128;
constexpr std::size_t kNumTags = 4;

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

// x += out(attention(qkv(norm1(x)))), x += down(gelu(up(norm2(x))))
struct Block {
  Norm norm1;
  Linear qkv;
  Linear out;
  Norm norm2;
  Linear up;
  Linear down;

  Block(const model_dir::ModelDir& dir, const std::string& name, std::size_t d, double eps,
        Precision precision)
      : norm1(Norm::load(dir, name + ".norm1", d, eps)),
        qkv(Linear::load(dir, name + ".qkv", 3 * d, d, precision)),
        out(Linear::load(dir, name + ".out", d, d, precision)),
        norm2(Norm::load(dir, name + ".norm2", d, eps)),
        up(Linear::load(dir, name + ".up", 4 * d, d, precision)),
        down(Linear::load(dir, name + ".down", d, 4 * d, precision)) {}
};

// The fusion layer h = W_f [E_tag(y) + E_time(t) ; W_c c + b_c] + b_f taken apart. The left half of
// W_f sees one of states x T vectors: a table. The right half and W_c make one matrix.
struct Fusion {
  std::vector<float> table;  // [T, states, d]
  Linear project;            // [d, encoder hidden]

  explicit Fusion(const model_dir::ModelDir& dir) {
    const auto d = static_cast<std::size_t>(dir.config().denoiser.hidden);
    const auto context = static_cast<std::size_t>(dir.config().encoder.hidden);
    const auto id = static_cast<std::int64_t>(d);
    const std::vector<float> fuse = dir.floats("denoiser.fuse.weight", {id, 2 * id});
    std::vector<float> left(d * d), right(d * d);
    for (std::size_t row = 0; row < d; ++row) {
      std::copy_n(fuse.begin() + row * 2 * d, d, left.begin() + row * d);
      std::copy_n(fuse.begin() + row * 2 * d + d, d, right.begin() + row * d);
    }
    make_table(dir, left, d);
    make_projection(dir, right, d, context);
  }

 private:
  void make_table(const model_dir::ModelDir& dir, std::span<const float> left, std::size_t d) {
    const std::int64_t states = dir.config().num_states();
    const std::int64_t steps = dir.config().diffusion.steps;
    const auto id = static_cast<std::int64_t>(d);
    const std::vector<float> tag = dir.floats("denoiser.tag.weight", {states, id});
    const std::vector<float> time = dir.floats("denoiser.time.weight", {steps, id});
    std::vector<float> sums;
    for (std::size_t step = 0; step < time.size(); step += d) {
      for (std::size_t i = 0; i < tag.size(); ++i) sums.push_back(tag[i] + time[step + i % d]);
    }
    table.resize(sums.size());
    const std::vector<float> no_bias(d);
    ops::gemm(sums, sums.size() / d, ops::PackedMatrix(left, d, d), no_bias, table);
  }

  void make_projection(const model_dir::ModelDir& dir, std::span<const float> right, std::size_t d,
                       std::size_t context) {
    const auto id = static_cast<std::int64_t>(d);
    const std::vector<float> weight =
        dir.floats("denoiser.context.weight", {id, static_cast<std::int64_t>(context)});
    std::vector<float> transposed(weight.size());
    for (std::size_t i = 0; i < weight.size(); ++i) {
      transposed[i % context * d + i / context] = weight[i];
    }
    const std::vector<float> no_bias(context);
    std::vector<float> product(d * context);
    ops::gemm(right, d, ops::PackedMatrix(transposed, context, d), no_bias, product);
    std::vector<float> bias(d);
    ops::gemm(dir.floats("denoiser.context.bias", {id}), 1, ops::PackedMatrix(right, d, d),
              dir.floats("denoiser.fuse.bias", {id}), bias);
    project = Linear(ops::PackedMatrix(product, d, context), std::move(bias));
  }
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

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorCode::kInvalidArgument, "denoiser: " + message);
}

}  // namespace

class Denoiser::Impl {
 public:
  // The arguments of Denoiser::forward.
  struct Call {
    std::span<const float> projected;
    const RowBatch& rows;
    std::span<const std::uint8_t> states;
    std::int32_t step;
    std::span<float> logits;
    Workspace& workspace;
  };

  Impl(const model_dir::ModelDir& dir, Precision precision)
      : hidden(static_cast<std::size_t>(dir.config().denoiser.hidden)),
        context(static_cast<std::size_t>(dir.config().encoder.hidden)),
        fusion(dir),
        heads_(static_cast<std::size_t>(dir.config().denoiser.heads)),
        steps_(dir.config().diffusion.steps),
        states_(static_cast<std::size_t>(dir.config().num_states())) {
    const double eps = dir.config().denoiser.layer_norm_eps;
    input_norm_ = Norm::load(dir, "denoiser.input_norm", hidden, eps);
    for (std::int32_t layer = 0; layer < dir.config().denoiser.layers; ++layer) {
      blocks_.emplace_back(dir, fmt::format("denoiser.blocks.{}", layer), hidden, eps, precision);
    }
    final_norm_ = Norm::load(dir, "denoiser.final_norm", hidden, eps);
    head_ = Linear::load(dir, "denoiser.head", kNumTags, hidden, precision);
  }

  void check_batch(std::size_t projected, const RowBatch& rows,
                   std::span<const std::uint8_t> states, std::int32_t step,
                   std::size_t logits) const {
    if (rows.offsets.empty() || rows.offsets.size() != rows.context_begin.size() + 1 ||
        rows.offsets.front() != 0 || rows.offsets.back() != states.size()) {
      refuse(fmt::format("row offsets do not span the {} states", states.size()));
    }
    if (step < 1 || step > steps_) refuse(fmt::format("step {}, wanted 1 to {}", step, steps_));
    if (logits != states.size() * kNumTags) {
      refuse(fmt::format("room for {} logits, wanted {}", logits, states.size() * kNumTags));
    }
    for (std::size_t row = 0; row + 1 < rows.offsets.size(); ++row) {
      if (rows.offsets[row] > rows.offsets[row + 1]) {
        refuse(fmt::format("row {} ends before it begins", row));
      }
      const std::size_t length = rows.offsets[row + 1] - rows.offsets[row];
      if (rows.context_begin[row] + length > projected / hidden) {
        refuse(fmt::format("row {} reaches token {} of a context of {}", row,
                           rows.context_begin[row] + length, projected / hidden));
      }
    }
    for (const std::uint8_t state : states) {
      if (state >= states_) refuse(fmt::format("state {}, wanted 0 to {}", state, states_ - 1));
    }
  }

  // Rows first .. end of the batch.
  void forward_rows(const Call& call, std::size_t first, std::size_t end) const {
    for_row_groups(call.rows.offsets.subspan(first, end - first + 1), kGroupTokens,
                   [&](std::size_t begin, std::size_t stop) {
                     const std::span offsets =
                         call.rows.offsets.subspan(first + begin, stop - begin + 1);
                     const std::span input = make_input(call, first + begin, offsets);
                     const std::span qkv = floats(call, kQkv, 3 * input.size());
                     project(blocks_.front(), input, qkv, call.workspace);
                     finish_group(call, offsets, input);
                   });
  }

  // The same for rows of one sentence. What the first block attends with depends on a token and its
  // state alone, so that it is made once for each of them and copied to the rows.
  void forward_sentence(const Call& call, std::size_t first, std::size_t end) const {
    const std::size_t length = call.rows.offsets[first + 1] - call.rows.offsets[first];
    const std::span input = floats(call, kSharedInput, states_ * length * hidden);
    const std::span sentence =
        call.projected.subspan(call.rows.context_begin[first] * hidden, length * hidden);
    for (std::size_t state = 0; state < states_; ++state) {
      const std::vector<std::uint8_t> same(length, static_cast<std::uint8_t>(state));
      ops::table_add(sentence, table(call.step), same, hidden,
                     input.subspan(state * length * hidden, length * hidden));
    }
    input_norm_.apply(input, states_ * length, input);
    const std::span qkv = floats(call, kSharedQkv, 3 * input.size());
    project(blocks_.front(), input, qkv, call.workspace);

    for_row_groups(call.rows.offsets.subspan(first, end - first + 1), kGroupTokens,
                   [&](std::size_t begin, std::size_t stop) {
                     const std::span offsets =
                         call.rows.offsets.subspan(first + begin, stop - begin + 1);
                     finish_group(call, offsets, copy_shared(call, offsets, length, input, qkv));
                   });
  }

  std::size_t hidden;
  std::size_t context;
  Fusion fusion;

 private:
  static std::span<float> floats(const Call& call, Slot slot, std::size_t count) {
    return {call.workspace.floats(slot, count), count};
  }

  std::span<const float> table(std::int32_t step) const {
    const std::size_t per_step = states_ * hidden;
    return std::span(fusion.table).subspan(static_cast<std::size_t>(step - 1) * per_step, per_step);
  }

  // Inputs of the rows from `first` on, in slot kInput.
  std::span<const float> make_input(const Call& call, std::size_t first,
                                    std::span<const std::uint32_t> offsets) const {
    const std::size_t tokens = offsets.back() - offsets.front();
    const std::span input = floats(call, kInput, tokens * hidden);
    for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
      const std::size_t length = offsets[row + 1] - offsets[row];
      const std::size_t at = offsets[row] - offsets.front();
      ops::table_add(
          call.projected.subspan(call.rows.context_begin[first + row] * hidden, length * hidden),
          table(call.step), call.states.subspan(offsets[row], length), hidden,
          input.subspan(at * hidden, length * hidden));
    }
    input_norm_.apply(input, tokens, input);
    return input;
  }

  // shared_* [states, length, ...] to the slots kInput and kQkv; returns the former.
  std::span<const float> copy_shared(const Call& call, std::span<const std::uint32_t> offsets,
                                     std::size_t length, std::span<const float> shared_input,
                                     std::span<const float> shared_qkv) const {
    const std::size_t tokens = offsets.back() - offsets.front();
    const std::span input = floats(call, kInput, tokens * hidden);
    const std::span qkv = floats(call, kQkv, 3 * tokens * hidden);
    for (std::size_t token = 0; token < tokens; ++token) {
      const std::size_t from = call.states[offsets.front() + token] * length + token % length;
      std::copy_n(shared_input.begin() + from * hidden, hidden, input.begin() + token * hidden);
      std::copy_n(shared_qkv.begin() + from * 3 * hidden, 3 * hidden,
                  qkv.begin() + token * 3 * hidden);
    }
    return input;
  }

  void project(const Block& block, std::span<const float> x, std::span<float> qkv,
               Workspace& workspace) const {
    const std::size_t tokens = x.size() / hidden;
    const std::span normed(workspace.floats(kNormed, x.size()), x.size());
    block.norm1.apply(x, tokens, normed);
    block.qkv.apply(normed, tokens, qkv, workspace);
  }

  // From the first block's slot kQkv to logits.
  void finish_group(const Call& call, std::span<const std::uint32_t> offsets,
                    std::span<const float> input) const {
    const std::size_t tokens = offsets.back() - offsets.front();
    std::span<const float> x = input;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (i > 0) project(blocks_[i], x, floats(call, kQkv, 3 * x.size()), call.workspace);
      x = finish_block(call, blocks_[i], offsets, x);
    }
    const std::span normed = floats(call, kNormed, tokens * hidden);
    ops::add_layer_norm(x, input, tokens, final_norm_.weights(), normed);
    head_.apply(normed, tokens, call.logits.subspan(offsets.front() * kNumTags, tokens * kNumTags),
                call.workspace);
  }

  // x is the input or slot kX, its projection slot kQkv; the result is slot kX.
  std::span<const float> finish_block(const Call& call, const Block& block,
                                      std::span<const std::uint32_t> offsets,
                                      std::span<const float> x) const {
    Workspace& workspace = call.workspace;
    const std::size_t tokens = offsets.back() - offsets.front();
    const std::size_t head_dim = hidden / heads_;
    const std::span normed = floats(call, kNormed, tokens * hidden);
    const std::span attended = floats(call, kAttended, tokens * hidden);
    const std::span middle = floats(call, kMiddle, tokens * 4 * hidden);
    const std::span y = floats(call, kY, tokens * hidden);
    const std::span result = floats(call, kX, tokens * hidden);
    const std::span scratch =
        floats(call, kScratch, ops::attention_scratch(longest_row(offsets), head_dim));

    ops::attention(floats(call, kQkv, 3 * tokens * hidden), offsets, heads_, head_dim, attended,
                   scratch);
    block.out.apply(attended, tokens, y, workspace, ops::Epilogue::kBiasResidual, x);
    block.norm2.apply(y, tokens, normed);
    block.up.apply(normed, tokens, middle, workspace, ops::Epilogue::kBiasGelu);
    block.down.apply(middle, tokens, result, workspace, ops::Epilogue::kBiasResidual, y);
    return result;
  }

  std::size_t heads_;
  std::int32_t steps_;
  std::size_t states_;
  Norm input_norm_;
  std::vector<Block> blocks_;
  Norm final_norm_;
  Linear head_;
};

Denoiser::Denoiser(const model_dir::ModelDir& dir, Precision precision)
    : impl_(std::make_unique<const Impl>(dir, precision)) {}
Denoiser::~Denoiser() = default;

std::int32_t Denoiser::hidden() const { return static_cast<std::int32_t>(impl_->hidden); }

void Denoiser::project_context(std::span<const float> context, std::size_t tokens,
                               std::span<float> projected, Workspace& workspace) const {
  if (context.size() != tokens * impl_->context || projected.size() != tokens * impl_->hidden) {
    refuse(fmt::format("context of {} and room for {} values do not fit {} tokens", context.size(),
                       projected.size(), tokens));
  }
  impl_->fusion.project.apply(context, tokens, projected, workspace);
}

void Denoiser::forward(std::span<const float> projected, const RowBatch& rows,
                       std::span<const std::uint8_t> states, std::int32_t step,
                       std::span<float> logits, Workspace& workspace) const {
  impl_->check_batch(projected.size(), rows, states, step, logits.size());
  const Impl::Call call{projected, rows, states, step, logits, workspace};
  const std::size_t num_rows = rows.context_begin.size();
  std::size_t waiting = 0;  // rows from here on are still to be done
  for (std::size_t first = 0, end = 0; first < num_rows; first = end) {
    end = end_of_sentence(rows, first);
    const bool empty = rows.offsets[first] == rows.offsets[first + 1];
    if (empty || end - first < kSharedInputRows) continue;
    impl_->forward_rows(call, waiting, first);
    impl_->forward_sentence(call, first, end);
    waiting = end;
  }
  impl_->forward_rows(call, waiting, num_rows);
}

}  // namespace diffie::model
