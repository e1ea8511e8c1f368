#include "train/training_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "diffie/error.h"
#include "io/safetensors.h"

namespace diffie::train {
namespace {

[[noreturn]] void fail(const std::string& where, const std::string& what) {
  throw Error(ErrorCode::kBadInput, fmt::format("{}: {}", where, what));
}

template <typename T>
std::vector<T> vector_of(const io::SafetensorsFile& file, const std::string& where,
                         std::string_view name, io::DType dtype) {
  const io::TensorView* tensor = file.find(name);
  if (!tensor) fail(where, fmt::format("no tensor '{}'", name));
  if (tensor->dtype != dtype || tensor->shape.size() != 1) {
    fail(where, fmt::format("tensor '{}' is {} with {} axes, {} with 1 is wanted", name,
                            io::name_of(tensor->dtype), tensor->shape.size(), io::name_of(dtype)));
  }
  std::vector<T> values(tensor->bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), tensor->bytes.data(), tensor->bytes.size());
  return values;
}

void check_offsets(const std::vector<std::int32_t>& offsets, std::size_t end,
                   const std::string& where, std::string_view name) {
  if (offsets.empty() || offsets.front() != 0 || static_cast<std::size_t>(offsets.back()) != end) {
    fail(where, fmt::format("'{}' does not run from 0 to {}", name, end));
  }
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] <= offsets[i - 1]) {
      fail(where, fmt::format("'{}' does not rise at {}", name, i));
    }
  }
}

}  // namespace

void check_training_set(const TrainingSet& set, const std::string& where) {
  check_offsets(set.sentence_offsets, set.piece_ids.size(), where, "sentence_offsets");
  check_offsets(set.instance_offsets, set.tags.size(), where, "instance_offsets");
  const std::size_t instances = set.num_instances();
  if (set.instance_offsets.size() != instances + 1 || set.instance_weight.size() != instances ||
      set.instance_category.size() != instances) {
    fail(where, fmt::format("{} instances, but {} offsets, {} weights, {} categories", instances,
                            set.instance_offsets.size(), set.instance_weight.size(),
                            set.instance_category.size()));
  }
  for (std::size_t i = 0; i < instances; ++i) {
    const std::int32_t sentence = set.instance_sentence[i];
    if (sentence < 0 || static_cast<std::size_t>(sentence) >= set.num_sentences()) {
      fail(where, fmt::format("instance {} has sentence {} of {}", i, sentence,
                              set.num_sentences()));
    }
    const std::int32_t tags = set.instance_offsets[i + 1] - set.instance_offsets[i];
    const std::int32_t pieces = set.length(static_cast<std::size_t>(sentence));
    if (tags != pieces) {
      fail(where, fmt::format("instance {} has {} tags for {} pieces", i, tags, pieces));
    }
    if (!std::isfinite(set.instance_weight[i]) || set.instance_weight[i] < 0) {
      fail(where, fmt::format("instance {} has weight {}", i, set.instance_weight[i]));
    }
  }
  const auto bad = std::find_if(set.tags.begin(), set.tags.end(), [](auto tag) { return tag > 3; });
  if (bad != set.tags.end()) fail(where, fmt::format("tag {} found, 0 to 3 is wanted", *bad));
}

TrainingSet read_training_set(const std::filesystem::path& path) {
  const std::string where = path.filename().string();
  const io::SafetensorsFile file = io::SafetensorsFile::open(path);
  const auto format = file.metadata().find("format");
  if (format == file.metadata().end() || format->second != "diffie-training") {
    fail(where, "not a training file (metadata 'format' is not \"diffie-training\")");
  }
  const auto version = file.metadata().find("version");
  if (version == file.metadata().end() || version->second != "1") {
    fail(where, "training file of another version, 1 is wanted");
  }
  using io::DType;
  TrainingSet set;
  set.piece_ids = vector_of<std::int32_t>(file, where, "piece_ids", DType::kI32);
  set.sentence_offsets = vector_of<std::int32_t>(file, where, "sentence_offsets", DType::kI32);
  set.instance_sentence = vector_of<std::int32_t>(file, where, "instance_sentence", DType::kI32);
  set.instance_offsets = vector_of<std::int32_t>(file, where, "instance_offsets", DType::kI32);
  set.tags = vector_of<std::uint8_t>(file, where, "tags", DType::kU8);
  set.instance_weight = vector_of<float>(file, where, "instance_weight", DType::kF32);
  set.instance_category = vector_of<std::uint8_t>(file, where, "instance_category", DType::kU8);
  check_training_set(set, where);
  return set;
}

std::vector<std::int32_t> select_instances(const TrainingSet& set, const TrainConfig& config) {
  for (const std::int32_t id : set.piece_ids) {
    if (id < 0 || id >= config.encoder.vocab_size) {
      fail("training set",
           fmt::format("piece {} lies outside the vocabulary of {}", id, config.encoder.vocab_size));
    }
  }
  const std::int32_t longest = std::min(config.max_pieces, config.encoder.max_positions - 2);
  std::vector<std::int32_t> kept;
  for (std::size_t i = 0; i < set.num_instances(); ++i) {
    if (set.length(static_cast<std::size_t>(set.instance_sentence[i])) > longest) continue;
    if ((set.instance_category[i] & ~config.relaxations) != 0) continue;
    if (set.instance_weight[i] > 0) kept.push_back(static_cast<std::int32_t>(i));
  }
  if (kept.empty()) fail("training set", "no instance is left after the length and relaxation limits");
  return kept;
}

}  // namespace diffie::train
