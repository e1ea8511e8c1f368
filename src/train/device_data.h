// The whole training set on the compute device, and batches gathered there: no copy per step.
#pragma once

#include <cstdint>
#include <span>

#include "train/batch_plan.h"
#include "train/torch.h"
#include "train/training_set.h"

namespace diffie::train {

struct Batch {
  torch::Tensor ids;            // [sentences, encoder length], with [CLS] and [SEP]
  torch::Tensor encoder_valid;  // [sentences, encoder length]
  torch::Tensor slots;          // [instances]: which of the sentences
  torch::Tensor tags;           // [instances, length]
  torch::Tensor valid;          // [instances, length]
  torch::Tensor weight;         // [instances]
  torch::Tensor judgement;      // [instances, 2]: exact, lenient; below 0 where nobody knows
};

class DeviceData {
 public:
  DeviceData(const TrainingSet& set, std::int32_t cls_id, std::int32_t sep_id,
             torch::Device device);

  void load_epoch(const BatchPlan& plan);
  Batch batch(std::size_t index) const;

 private:
  torch::Device device_;
  torch::Tensor pieces_;            // every sentence with its [CLS] and [SEP], then padding
  torch::Tensor sentence_offsets_;  // into pieces_
  torch::Tensor tags_;
  torch::Tensor instance_offsets_;
  torch::Tensor instance_weight_;
  torch::Tensor instance_judgement_;
  torch::Tensor epoch_instances_, epoch_sentences_, epoch_slots_;
  std::vector<BatchPlan::Batch> batches_;
};

// Lengths that the GPU's kernels like; the CPU gets what it asks for.
std::int64_t padded_length(std::int64_t length, torch::Device device);

// Sentences as a padded block with [CLS] and [SEP]: ids, valid [sentences, padded length + extra].
struct EncoderInput {
  torch::Tensor ids, valid;
};
EncoderInput pad_sentences(std::span<const std::span<const std::int32_t>> sentences,
                           std::int32_t cls_id, std::int32_t sep_id, torch::Device device);

// Drops the states of [CLS], [SEP] and padding: [sentences, encoder length, hidden] ->
// [sentences, length, hidden].
torch::Tensor piece_states(const torch::Tensor& states, std::int64_t length);

}  // namespace diffie::train
