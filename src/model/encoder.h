// BERT encoder over a ragged batch: sentences lie one after another, no padding anywhere.
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

struct EncoderLayer {
  Linear qkv;
  Linear attention_output;
  Norm attention_norm;
  Linear intermediate;
  Linear output;
  Norm output_norm;

  EncoderLayer(const model_dir::ModelDir& dir, const std::string& name,
               const model_dir::EncoderConfig& config, Precision precision);
};

class BertEncoder {
 public:
  // Reads the word embeddings from the file, row by row, when they are needed.
  explicit BertEncoder(const model_dir::ModelDir& dir, Precision precision = Precision::kInt8);
  BertEncoder(const BertEncoder&) = delete;
  BertEncoder& operator=(const BertEncoder&) = delete;

  // ids: all pieces of all sentences, each sentence with its [CLS] and [SEP]; row_offsets: where
  // each sentence starts, plus the end (size = sentences + 1). out [ids.size(), hidden]: last
  // hidden states. A sentence's rows do not depend, not even in the last bit, on what else is in
  // the batch. Precondition: 1 <= length of each sentence <= max_positions, ids inside the
  // vocabulary. Throws kCorruptModel, kNotFound when the file of the word embeddings was cut short
  // or cannot be read.
  void forward(std::span<const std::int32_t> ids, std::span<const std::uint32_t> row_offsets,
               std::span<float> out, Workspace& workspace) const;

  const model_dir::EncoderConfig& config() const { return config_; }

 private:
  void forward_group(std::span<const std::int32_t> ids, std::span<const std::uint32_t> offsets,
                     std::span<float> x, Workspace& workspace) const;
  void read_words(std::span<const std::int32_t> ids, std::span<float> x) const;
  void forward_layer(const EncoderLayer& layer, std::span<const std::uint32_t> offsets,
                     std::span<float> x, Workspace& workspace) const;

  model_dir::EncoderConfig config_;
  std::size_t hidden_;
  std::size_t middle_;
  std::size_t heads_;
  model_dir::ModelDir dir_;  // keeps the weights open
  const model_dir::TensorView& word_;
  std::vector<float> word_scales_;  // of an int8 table
  model_dir::TensorView word_scale_;
  std::vector<float> position_;
  std::vector<float> type_;
  Norm embedding_norm_;
  std::vector<EncoderLayer> layers_;
};

}  // namespace diffie::model
