// The denoiser: tag states at step t and the sentence's context to logits over {B, S, R, O}.
#pragma once

#include <cstdint>
#include <span>

#include "model/layers.h"
#include "model/precision.h"
#include "model/row_network.h"
#include "model/workspace.h"
#include "model_dir/model_dir.h"

namespace diffie::model {

class Denoiser {
 public:
  explicit Denoiser(const model_dir::ModelDir& dir, Precision precision = Precision::kInt8);

  std::int32_t hidden() const { return static_cast<std::int32_t>(network_.hidden()); }

  // context [tokens, encoder hidden] -> projected [tokens, hidden()], once per sentence.
  void project_context(std::span<const float> context, std::size_t tokens,
                       std::span<float> projected, Workspace& workspace) const {
    network_.project_context(context, tokens, projected, workspace);
  }

  // states [offsets.back()]: 0..3 = B, S, R, O; 4 = mask (absorbing kernel only). step: 1..T, the
  // same for all rows. logits [offsets.back(), 4]. Row results do not depend on the batch, bit for
  // bit.
  void forward(std::span<const float> projected, const RowBatch& rows,
               std::span<const std::uint8_t> states, std::int32_t step, std::span<float> logits,
               Workspace& workspace) const;

 private:
  RowNetwork network_;
  Linear head_;
};

}  // namespace diffie::model
