// BERT encoder over a ragged batch: sentences lie one after another, no padding anywhere.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "model_dir/model_dir.h"
#include "model/precision.h"
#include "model/workspace.h"

namespace diffie::model {

class BertEncoder {
 public:
  // Keeps the word embeddings in the mapped file.
  explicit BertEncoder(const model_dir::ModelDir& dir, Precision precision = Precision::kInt8);
  ~BertEncoder();

  // ids: all pieces of all sentences, each sentence with its [CLS] and [SEP]; row_offsets: where
  // each sentence starts, plus the end (size = sentences + 1). out [ids.size(), hidden]: last
  // hidden states. A sentence's rows do not depend, not even in the last bit, on what else is in
  // the batch. Precondition: 1 <= length of each sentence <= max_positions, ids inside the
  // vocabulary.
  void forward(std::span<const std::int32_t> ids, std::span<const std::uint32_t> row_offsets,
               std::span<float> out, Workspace& workspace) const;

  const model_dir::EncoderConfig& config() const;

 private:
  class Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace diffie::model
