// The denoiser: tag states at step t and the sentence's context to logits over {B, S, R, O}.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/layers.h"
#include "model/precision.h"
#include "model/workspace.h"
#include "model_dir/model_dir.h"

namespace diffie::model {

// Rows of one forward call. A row is one tag sequence of one sentence; row r has
// length[r] = offsets[r + 1] - offsets[r] tokens, and its context starts at token context_begin[r]
// of the projected context. Many rows may share a context.
struct RowBatch {
  std::span<const std::uint32_t> offsets;        // rows + 1
  std::span<const std::uint32_t> context_begin;  // rows
};

// x += out(attention(qkv(norm1(x)))), x += down(gelu(up(norm2(x))))
struct DenoiserBlock {
  Norm norm1;
  Linear qkv;
  Linear out;
  Norm norm2;
  Linear up;
  Linear down;

  DenoiserBlock(const model_dir::ModelDir& dir, const std::string& name, std::size_t d, double eps,
                Precision precision);
};

// The fusion layer h = W_f [E_tag(y) + E_time(t) ; W_c c + b_c] + b_f taken apart. The left half of
// W_f sees one of states x T vectors: a table. The right half and W_c make one matrix.
struct Fusion {
  std::vector<float> table;  // [T, states, d]
  Linear project;            // [d, encoder hidden]

  explicit Fusion(const model_dir::ModelDir& dir);

 private:
  void make_table(const model_dir::ModelDir& dir, std::span<const float> left, std::size_t d);
  void make_projection(const model_dir::ModelDir& dir, std::span<const float> right, std::size_t d,
                       std::size_t context);
};

class Denoiser {
 public:
  explicit Denoiser(const model_dir::ModelDir& dir, Precision precision = Precision::kInt8);

  std::int32_t hidden() const { return static_cast<std::int32_t>(hidden_); }

  // context [tokens, encoder hidden] -> projected [tokens, hidden()] = W_f,right (W_c c + b_c) +
  // b_f. Once per sentence.
  void project_context(std::span<const float> context, std::size_t tokens,
                       std::span<float> projected, Workspace& workspace) const;

  // states [offsets.back()]: 0..3 = B, S, R, O; 4 = mask (absorbing kernel only). step: 1..T, the
  // same for all rows. logits [offsets.back(), 4]. Row results do not depend on the batch, bit for
  // bit.
  void forward(std::span<const float> projected, const RowBatch& rows,
               std::span<const std::uint8_t> states, std::int32_t step, std::span<float> logits,
               Workspace& workspace) const;

 private:
  // The arguments of forward().
  struct Call {
    std::span<const float> projected;
    const RowBatch& rows;
    std::span<const std::uint8_t> states;
    std::int32_t step;
    std::span<float> logits;
    Workspace& workspace;
  };

  void check_batch(std::size_t projected, const RowBatch& rows,
                   std::span<const std::uint8_t> states, std::int32_t step,
                   std::size_t logits) const;
  void forward_rows(const Call& call, std::size_t first, std::size_t end) const;
  void forward_sentence(const Call& call, std::size_t first, std::size_t end) const;
  static std::span<float> floats(const Call& call, std::size_t slot, std::size_t count);
  std::span<const float> table(std::int32_t step) const;
  std::span<const float> make_input(const Call& call, std::size_t first,
                                    std::span<const std::uint32_t> offsets) const;
  std::span<const float> copy_shared(const Call& call, std::span<const std::uint32_t> offsets,
                                     std::size_t length, std::span<const float> shared_input,
                                     std::span<const float> shared_qkv) const;
  void project(const DenoiserBlock& block, std::span<const float> x, std::span<float> qkv,
               Workspace& workspace) const;
  void finish_group(const Call& call, std::span<const std::uint32_t> offsets,
                    std::span<const float> input) const;
  std::span<const float> finish_block(const Call& call, const DenoiserBlock& block,
                                      std::span<const std::uint32_t> offsets,
                                      std::span<const float> x) const;

  std::size_t hidden_;
  std::size_t context_;  // the encoder's hidden size
  Fusion fusion_;
  std::size_t heads_;
  std::int32_t steps_;
  std::size_t states_;
  Norm input_norm_;
  std::vector<DenoiserBlock> blocks_;
  Norm final_norm_;
  Linear head_;
};

}  // namespace diffie::model
