// Which instances go into which batch of an epoch: a pure function of (seed, epoch).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "train/training_set.h"

namespace diffie::train {

// All batches of an epoch, laid out flat so that the arrays go to the device once.
struct BatchPlan {
  std::vector<std::int64_t> instances;  // in batch order
  std::vector<std::int64_t> sentences;  // distinct sentences of each batch
  std::vector<std::int64_t> slots;      // per instance: place of its sentence within its batch

  struct Batch {
    std::int64_t first_instance = 0, num_instances = 0;
    std::int64_t first_sentence = 0, num_sentences = 0;
    std::int64_t max_length = 0;  // pieces
  };
  std::vector<Batch> batches;
};

struct BatchShape {
  std::int32_t size = 32;        // instances, or sentences
  std::int32_t bucket = 0;       // batches sorted by length together; 0: no sorting
  bool whole_sentences = false;  // a sentence comes with all its instances, and is encoded once
};

// Shuffles, sorts by length within chunks of `bucket` batches, cuts into batches and shuffles the
// batches of each chunk.
BatchPlan plan_epoch(const TrainingSet& set, std::span<const std::int32_t> instances,
                     const BatchShape& shape, std::uint64_t seed, std::uint64_t epoch);

std::size_t batches_per_epoch(const TrainingSet& set, std::span<const std::int32_t> instances,
                              const BatchShape& shape);

// A 64-bit mix (splitmix64) of the parts; seeds everything that a run draws.
std::uint64_t mix_seed(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

}  // namespace diffie::train
