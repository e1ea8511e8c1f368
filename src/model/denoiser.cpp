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

// Workspace slots.
enum Slot : std::size_t { kInput, kX, kY, kNormed, kQkv, kAttended, kMiddle, kScratch };

// x += out(attention(qkv(norm1(x)))), x += down(gelu(up(norm2(x))))
struct Block {
  Norm norm1;
  Linear qkv;
  Linear out;
  Norm norm2;
  Linear up;
  Linear down;

  Block(const io::ModelDir& dir, const std::string& name, std::size_t d, double eps,
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

  explicit Fusion(const io::ModelDir& dir) {
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
  void make_table(const io::ModelDir& dir, std::span<const float> left, std::size_t d) {
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

  void make_projection(const io::ModelDir& dir, std::span<const float> right, std::size_t d,
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

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorCode::kInvalidArgument, "denoiser: " + message);
}

}  // namespace

class Denoiser::Impl {
 public:
  Impl(const io::ModelDir& dir, Precision precision)
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
  void forward_group(std::span<const float> projected, const RowBatch& rows, std::size_t first,
                     std::size_t end, std::span<const std::uint8_t> states, std::int32_t step,
                     std::span<float> logits, Workspace& workspace) const {
    const std::span offsets = rows.offsets.subspan(first, end - first + 1);
    const std::size_t tokens = offsets.back() - offsets.front();
    const std::span input(workspace.floats(kInput, tokens * hidden), tokens * hidden);
    const std::size_t per_step = states_ * hidden;
    const std::span table =
        std::span(fusion.table).subspan(static_cast<std::size_t>(step - 1) * per_step, per_step);
    for (std::size_t row = first; row < end; ++row) {
      const std::size_t length = rows.offsets[row + 1] - rows.offsets[row];
      const std::size_t at = rows.offsets[row] - offsets.front();
      ops::table_add(projected.subspan(rows.context_begin[row] * hidden, length * hidden), table,
                     states.subspan(rows.offsets[row], length), hidden,
                     input.subspan(at * hidden, length * hidden));
    }
    input_norm_.apply(input, tokens, input);

    std::span<const float> x = input;
    for (const Block& block : blocks_) x = forward_block(block, offsets, x, workspace);
    const std::span normed(workspace.floats(kNormed, tokens * hidden), tokens * hidden);
    ops::add_layer_norm(x, input, tokens, final_norm_.weights(), normed);
    head_.apply(normed, tokens, logits.subspan(offsets.front() * kNumTags, tokens * kNumTags),
                workspace);
  }

  std::size_t hidden;
  std::size_t context;
  Fusion fusion;

 private:
  // x is the input or slot kX; the result is slot kX.
  std::span<const float> forward_block(const Block& block, std::span<const std::uint32_t> offsets,
                                       std::span<const float> x, Workspace& workspace) const {
    const std::size_t tokens = offsets.back() - offsets.front();
    const auto floats = [&](Slot slot, std::size_t count) {
      return std::span(workspace.floats(slot, count), count);
    };
    const std::size_t head_dim = hidden / heads_;
    const std::span normed = floats(kNormed, tokens * hidden);
    const std::span qkv = floats(kQkv, tokens * 3 * hidden);
    const std::span attended = floats(kAttended, tokens * hidden);
    const std::span middle = floats(kMiddle, tokens * 4 * hidden);
    const std::span y = floats(kY, tokens * hidden);
    const std::span result = floats(kX, tokens * hidden);
    const std::span scratch =
        floats(kScratch, ops::attention_scratch(longest_row(offsets), head_dim));

    block.norm1.apply(x, tokens, normed);
    block.qkv.apply(normed, tokens, qkv, workspace);
    ops::attention(qkv, offsets, heads_, head_dim, attended, scratch);
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

Denoiser::Denoiser(const io::ModelDir& dir, Precision precision)
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
  for_row_groups(rows.offsets, kGroupTokens, [&](std::size_t first, std::size_t end) {
    impl_->forward_group(projected, rows, first, end, states, step, logits, workspace);
  });
}

}  // namespace diffie::model
