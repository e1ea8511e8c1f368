// The denoiser: tag states at step t and the sentence's context to logits over {B, S, R, O}.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "model_dir/model_dir.h"
#include "model/precision.h"
#include "model/workspace.h"

namespace diffie::model {

// Rows of one forward call. A row is one tag sequence of one sentence; row r has
// length[r] = offsets[r + 1] - offsets[r] tokens, and its context starts at token context_begin[r]
// of the projected context. Many rows may share a context.
struct RowBatch {
  std::span<const std::uint32_t> offsets;        // rows + 1
  std::span<const std::uint32_t> context_begin;  // rows
};

class Denoiser {
 public:
  explicit Denoiser(const model_dir::ModelDir& dir, Precision precision = Precision::kInt8);
  ~Denoiser();

  std::int32_t hidden() const;

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
  class Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace diffie::model
