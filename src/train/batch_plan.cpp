#include "train/batch_plan.h"

#include <algorithm>
#include <map>
#include <random>

namespace diffie::train {
namespace {

std::uint64_t splitmix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

constexpr std::uint64_t kShuffleStream = 1;

// std::shuffle is free to differ between standard libraries; this is not.
template <typename T>
void shuffle(std::span<T> items, std::mt19937_64& random) {
  for (std::size_t left = items.size(); left > 1; --left) {
    std::swap(items[left - 1], items[random() % left]);
  }
}

using InstanceSpan = std::span<const std::int32_t>;

void append_batch(const TrainingSet& set, InstanceSpan instances, BatchPlan& plan) {
  BatchPlan::Batch batch;
  batch.first_instance = static_cast<std::int64_t>(plan.instances.size());
  batch.first_sentence = static_cast<std::int64_t>(plan.sentences.size());
  batch.num_instances = static_cast<std::int64_t>(instances.size());
  std::map<std::int32_t, std::int64_t> slot_of_sentence;
  for (const std::int32_t instance : instances) {
    const std::int32_t sentence = set.instance_sentence[static_cast<std::size_t>(instance)];
    const auto [slot, is_new] =
        slot_of_sentence.emplace(sentence, static_cast<std::int64_t>(slot_of_sentence.size()));
    if (is_new) plan.sentences.push_back(sentence);
    plan.instances.push_back(instance);
    plan.slots.push_back(slot->second);
    batch.max_length = std::max<std::int64_t>(batch.max_length, sentence_length(set, sentence));
  }
  batch.num_sentences = static_cast<std::int64_t>(slot_of_sentence.size());
  plan.batches.push_back(batch);
}

}  // namespace

std::uint64_t mix_seed(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return splitmix64(splitmix64(splitmix64(seed) ^ stream) ^ index);
}

BatchPlan plan_epoch(const TrainingSet& set, InstanceSpan instances, std::int32_t batch_size,
                     std::int32_t bucket, std::uint64_t seed, std::uint64_t epoch) {
  std::mt19937_64 random(mix_seed(seed, kShuffleStream, epoch));
  std::vector<std::int32_t> order(instances.begin(), instances.end());
  shuffle(std::span(order), random);

  const auto size = static_cast<std::size_t>(batch_size);
  const std::size_t chunk = size * static_cast<std::size_t>(std::max(bucket, 1));
  const auto length = [&set](std::int32_t instance) {
    return sentence_length(set, set.instance_sentence[static_cast<std::size_t>(instance)]);
  };
  BatchPlan plan;
  for (std::size_t begin = 0; begin < order.size(); begin += chunk) {
    const std::span part = std::span(order).subspan(begin, std::min(chunk, order.size() - begin));
    if (bucket > 0) {
      std::stable_sort(part.begin(), part.end(),
                       [&](std::int32_t a, std::int32_t b) { return length(a) < length(b); });
    }
    std::vector<InstanceSpan> batches;
    for (std::size_t i = 0; i < part.size(); i += size) {
      batches.push_back(part.subspan(i, std::min(size, part.size() - i)));
    }
    shuffle(std::span(batches), random);
    for (const InstanceSpan batch : batches) append_batch(set, batch, plan);
  }
  return plan;
}

}  // namespace diffie::train
