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

// What is never split between batches: single instances, or all those of a sentence.
class Units {
 public:
  Units(const TrainingSet& set, InstanceSpan instances, bool whole_sentences)
      : instances_(instances.begin(), instances.end()) {
    const auto sentence = [&set](std::int32_t instance) {
      return set.instance_sentence[static_cast<std::size_t>(instance)];
    };
    if (whole_sentences) {
      std::stable_sort(instances_.begin(), instances_.end(),
                       [&](std::int32_t a, std::int32_t b) { return sentence(a) < sentence(b); });
    }
    const std::span all(instances_);
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
      end = begin + 1;
      while (whole_sentences && end < all.size() && sentence(all[end]) == sentence(all[begin])) {
        ++end;
      }
      spans_.push_back(all.subspan(begin, end - begin));
    }
  }

  std::span<InstanceSpan> spans() { return spans_; }

 private:
  std::vector<std::int32_t> instances_;
  std::vector<InstanceSpan> spans_;
};

void append_batch(const TrainingSet& set, std::span<const InstanceSpan> units, BatchPlan& plan) {
  BatchPlan::Batch batch;
  batch.first_instance = static_cast<std::int64_t>(plan.instances.size());
  batch.first_sentence = static_cast<std::int64_t>(plan.sentences.size());
  std::map<std::int32_t, std::int64_t> slot_of_sentence;
  for (const InstanceSpan unit : units) {
    for (const std::int32_t instance : unit) {
      const std::int32_t sentence = set.instance_sentence[static_cast<std::size_t>(instance)];
      const auto [slot, is_new] =
          slot_of_sentence.emplace(sentence, static_cast<std::int64_t>(slot_of_sentence.size()));
      if (is_new) plan.sentences.push_back(sentence);
      plan.instances.push_back(instance);
      plan.slots.push_back(slot->second);
      batch.max_length = std::max<std::int64_t>(batch.max_length, sentence_length(set, sentence));
    }
  }
  batch.num_instances = static_cast<std::int64_t>(plan.instances.size()) - batch.first_instance;
  batch.num_sentences = static_cast<std::int64_t>(slot_of_sentence.size());
  plan.batches.push_back(batch);
}

}  // namespace

std::uint64_t mix_seed(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return splitmix64(splitmix64(splitmix64(seed) ^ stream) ^ index);
}

BatchPlan plan_epoch(const TrainingSet& set, InstanceSpan instances, const BatchShape& shape,
                     std::uint64_t seed, std::uint64_t epoch) {
  std::mt19937_64 random(mix_seed(seed, kShuffleStream, epoch));
  Units units(set, instances, shape.whole_sentences);
  const std::span order = units.spans();
  shuffle(order, random);

  const auto size = static_cast<std::size_t>(shape.size);
  const std::size_t chunk = size * static_cast<std::size_t>(std::max(shape.bucket, 1));
  const auto length = [&set](InstanceSpan unit) {
    return sentence_length(set, set.instance_sentence[static_cast<std::size_t>(unit.front())]);
  };
  BatchPlan plan;
  for (std::size_t begin = 0; begin < order.size(); begin += chunk) {
    const std::span part = order.subspan(begin, std::min(chunk, order.size() - begin));
    if (shape.bucket > 0) {
      std::stable_sort(part.begin(), part.end(),
                       [&](InstanceSpan a, InstanceSpan b) { return length(a) < length(b); });
    }
    std::vector<std::span<const InstanceSpan>> batches;
    for (std::size_t i = 0; i < part.size(); i += size) {
      batches.push_back(part.subspan(i, std::min(size, part.size() - i)));
    }
    shuffle(std::span(batches), random);
    for (const auto batch : batches) append_batch(set, batch, plan);
  }
  return plan;
}

std::size_t batches_per_epoch(const TrainingSet& set, InstanceSpan instances,
                              const BatchShape& shape) {
  Units units(set, instances, shape.whole_sentences);
  const auto size = static_cast<std::size_t>(shape.size);
  return (units.spans().size() + size - 1) / size;
}

}  // namespace diffie::train
