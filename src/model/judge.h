// The judge: a candidate triple in its sentence to how right it is.
#pragma once

#include <span>

#include "model/layers.h"
#include "model/precision.h"
#include "model/row_network.h"
#include "model/workspace.h"
#include "model_dir/model_dir.h"

namespace diffie::model {

// Both in [0, 1].
struct Judgement {
  float exact = 0;    // probability that a reader has this very triple
  float lenient = 0;  // expected lenient F1 with the best of a reader's triples

  bool operator==(const Judgement&) const = default;
};

class Judge {
 public:
  // The model must have one.
  explicit Judge(const model_dir::ModelDir& dir, Precision precision = Precision::kInt8);

  std::size_t hidden() const { return network_.hidden(); }

  // context [tokens, encoder hidden] -> projected [tokens, hidden()], once per sentence.
  void project_context(std::span<const float> context, std::size_t tokens,
                       std::span<float> projected, Workspace& workspace) const {
    network_.project_context(context, tokens, projected, workspace);
  }

  // tags [offsets.back()]: 0..3 = B, S, R, O of each piece. One judgement per row, which does not
  // depend on the batch, bit for bit.
  void forward(std::span<const float> projected, const RowBatch& rows,
               std::span<const std::uint8_t> tags, std::span<Judgement> judgements,
               Workspace& workspace) const;

 private:
  void pool(std::span<const std::uint8_t> tags, std::span<const float> values,
            std::span<float> means) const;

  RowNetwork network_;
  Linear pool_;
  Linear head_;
};

}  // namespace diffie::model
