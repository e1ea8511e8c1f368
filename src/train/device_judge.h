// What a model's judge says of tag rows, on the device.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/judge.h"
#include "train/torch_model.h"

namespace diffie::train {

// Rows of tags about sentences of a context, laid out for one pass.
class JudgedRows {
 public:
  // padded_length: of the context.
  explicit JudgedRows(std::size_t padded_length) : length_(padded_length) {}

  // piece_tags: 0..3, one per piece of the sentence.
  void add(std::size_t sentence, std::span<const std::uint8_t> piece_tags);
  std::size_t size() const { return sentences_.size(); }

  // One per row, in the order of add().
  std::vector<model::Judgement> judge(const TorchModel& model, const TorchModel::Context& context);

 private:
  std::size_t length_;
  std::vector<std::int64_t> sentences_;
  std::vector<std::uint8_t> tags_;  // [rows, length]
};

}  // namespace diffie::train
