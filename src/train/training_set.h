// Training instances as written by the data layer: sentences as pieces, and one tag per piece for
// every aligned triple.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "train/train_config.h"

namespace diffie::train {

struct TrainingSet {
  std::vector<std::int32_t> piece_ids;         // [pieces], no [CLS] and [SEP]
  std::vector<std::int32_t> sentence_offsets;  // [sentences + 1] into piece_ids
  std::vector<std::int32_t> instance_sentence;  // [instances]
  std::vector<std::int32_t> instance_offsets;   // [instances + 1] into tags
  std::vector<std::uint8_t> tags;               // 0..3 = B, S, R, O
  std::vector<float> instance_weight;           // [instances]
  std::vector<std::uint8_t> instance_category;  // [instances], mask of data::Relaxation

  std::size_t num_sentences() const { return sentence_offsets.size() - 1; }
  std::size_t num_instances() const { return instance_sentence.size(); }
  std::int32_t length(std::size_t sentence) const {
    return sentence_offsets[sentence + 1] - sentence_offsets[sentence];
  }
};

// Reads a "diffie-training" file; every offset, id and tag is checked. Throws kNotFound, kBadInput.
TrainingSet read_training_set(const std::filesystem::path& path);

// Throws kBadInput unless offsets ascend, tags are 0..3, instances are as long as their sentences,
// weights are finite and not negative.
void check_training_set(const TrainingSet& set, const std::string& where);

// Indices of the instances that the config keeps (length, relaxations), in file order. Throws
// kBadInput when none is left or a piece lies outside the vocabulary.
std::vector<std::int32_t> select_instances(const TrainingSet& set, const TrainConfig& config);

}  // namespace diffie::train
