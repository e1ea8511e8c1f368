#include "lab/data/training_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "diffie/error.h"
#include "lab/models/safetensors_write.h"
#include "model_dir/safetensors.h"

namespace diffie::data {
namespace {

using model_dir::DType;

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw Error(ErrorCode::kBadInput, fmt::format("{}: {}", name, what));
}

template <typename T>
constexpr DType kTypeOf = DType::kU8;
template <>
constexpr DType kTypeOf<std::int32_t> = DType::kI32;
template <>
constexpr DType kTypeOf<float> = DType::kF32;

template <typename T>
model_dir::TensorView view(const char* name, const std::vector<T>& values) {
  return {name, kTypeOf<T>, {values.size()}, std::as_bytes(std::span(values))};
}

template <typename T>
void load(const model_dir::SafetensorsFile& file, const std::string& name, const char* tensor_name,
          std::vector<T>& values) {
  const model_dir::TensorView* tensor = file.find(tensor_name);
  if (tensor == nullptr) fail(name, fmt::format("no tensor '{}'", tensor_name));
  if (tensor->dtype != kTypeOf<T> || tensor->shape.size() != 1) {
    fail(name, fmt::format("tensor '{}' is {} with {} axes, wanted {} with 1", tensor_name,
                           model_dir::name_of(tensor->dtype), tensor->shape.size(),
                           model_dir::name_of(kTypeOf<T>)));
  }
  values.resize(tensor->bytes.size() / sizeof(T));
  tensor->bytes.copy_to(std::as_writable_bytes(std::span(values)));
}

void check_size(const std::string& name, const char* tensor, std::size_t got, std::size_t want) {
  if (got != want) {
    fail(name, fmt::format("tensor '{}' has {} elements, wanted {}", tensor, got, want));
  }
}

// Offsets rise from 0 to `total` in steps of at least one and at most `max_step`.
void check_offsets(const std::string& name, const char* tensor,
                   std::span<const std::int32_t> offsets, std::size_t total, std::size_t max_step) {
  if (offsets.empty() || offsets.front() != 0)
    fail(name, fmt::format("'{}' begins not with 0", tensor));
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    const std::int64_t step = std::int64_t{offsets[i]} - offsets[i - 1];
    if (step < 1 || step > static_cast<std::int64_t>(max_step)) {
      fail(name, fmt::format("'{}'[{}] steps by {}, wanted 1 to {}", tensor, i, step, max_step));
    }
  }
  if (static_cast<std::size_t>(offsets.back()) != total) {
    fail(name, fmt::format("'{}' ends with {}, wanted {}", tensor, offsets.back(), total));
  }
}

void check_words(const TrainingSet& set, const std::string& name) {
  for (std::size_t sentence = 0; sentence < set.num_sentences(); ++sentence) {
    std::int32_t last = -1;
    const auto begin = static_cast<std::size_t>(set.sentence_offsets[sentence]);
    const auto end = static_cast<std::size_t>(set.sentence_offsets[sentence + 1]);
    for (std::size_t piece = begin; piece < end; ++piece) {
      const std::int32_t word = set.word_of_piece[piece];
      const bool next = word == last + 1;
      if (!next && (word != last || last < 0)) {
        fail(name, fmt::format("'word_of_piece'[{}] is {} after {}", piece, word, last));
      }
      last = word;
    }
  }
}

void check_instances(const TrainingSet& set, const std::string& name) {
  for (std::size_t i = 0; i < set.num_instances(); ++i) {
    const std::int32_t sentence = set.instance_sentence[i];
    if (sentence < 0 || static_cast<std::size_t>(sentence) >= set.num_sentences()) {
      fail(name, fmt::format("'instance_sentence'[{}] is {}, there are {} sentences", i, sentence,
                             set.num_sentences()));
    }
    const std::size_t length = set.pieces(static_cast<std::size_t>(sentence)).size();
    if (set.instance_tags(i).size() != length) {
      fail(name, fmt::format("instance {} has {} tags, its sentence {} pieces", i,
                             set.instance_tags(i).size(), length));
    }
    const float weight = set.instance_weight[i];
    if (!std::isfinite(weight) || weight < 0) {
      fail(name, fmt::format("'instance_weight'[{}] is {}", i, weight));
    }
  }
}

void check_judgements(const TrainingSet& set, const std::string& name) {
  if (set.instance_judgement.empty()) return;
  check_size(name, "instance_judgement", set.instance_judgement.size(), 2 * set.num_instances());
  for (std::size_t i = 0; i < set.num_instances(); ++i) {
    const float exact = set.instance_judgement[2 * i], lenient = set.instance_judgement[2 * i + 1];
    const bool is_share = exact >= 0 && exact <= 1 && lenient >= 0 && lenient <= 1;
    if (!is_share && !(exact == -1 && lenient == -1)) {
      fail(name, fmt::format("'instance_judgement'[{}] is {} and {}", i, exact, lenient));
    }
  }
}

}  // namespace

std::span<const std::int32_t> TrainingSet::pieces(std::size_t sentence) const {
  const auto begin = static_cast<std::size_t>(sentence_offsets[sentence]);
  const auto end = static_cast<std::size_t>(sentence_offsets[sentence + 1]);
  return std::span(piece_ids).subspan(begin, end - begin);
}

std::span<const std::uint8_t> TrainingSet::instance_tags(std::size_t instance) const {
  const auto begin = static_cast<std::size_t>(instance_offsets[instance]);
  const auto end = static_cast<std::size_t>(instance_offsets[instance + 1]);
  return std::span(tags).subspan(begin, end - begin);
}

void validate(const TrainingSet& set, const std::string& name) {
  check_size(name, "sentence_offsets", set.sentence_offsets.size(), set.num_sentences() + 1);
  check_size(name, "word_of_piece", set.word_of_piece.size(), set.piece_ids.size());
  check_size(name, "instance_offsets", set.instance_offsets.size(), set.num_instances() + 1);
  check_size(name, "instance_weight", set.instance_weight.size(), set.num_instances());
  check_size(name, "instance_category", set.instance_category.size(), set.num_instances());
  check_judgements(set, name);
  check_offsets(name, "sentence_offsets", set.sentence_offsets, set.piece_ids.size(),
                kMaxTrainingPieces);
  check_offsets(name, "instance_offsets", set.instance_offsets, set.tags.size(),
                kMaxTrainingPieces);
  if (std::ranges::any_of(set.piece_ids, [](std::int32_t id) { return id < 0; })) {
    fail(name, "'piece_ids' has a negative id");
  }
  if (std::ranges::any_of(set.sentence_row, [](std::int32_t row) { return row < 0; })) {
    fail(name, "'sentence_row' has a negative row");
  }
  if (std::ranges::any_of(set.tags, [](std::uint8_t tag) { return tag > 3; })) {
    fail(name, "'tags' has a tag above 3");
  }
  check_words(set, name);
  check_instances(set, name);
}

void append(TrainingSet& set, const TrainingSet& more) {
  for (const char* key : {"implied_words", "vocab_sha256"}) {
    const auto own = std::as_const(set.metadata).find(key);
    const auto other = more.metadata.find(key);
    const std::string a = own == set.metadata.end() ? "" : own->second;
    const std::string b = other == more.metadata.end() ? "" : other->second;
    if (a != b) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("training files with {} '{}' and '{}'", key, a, b));
    }
  }
  if (!set.instance_judgement.empty() || !more.instance_judgement.empty()) {
    set.instance_judgement.resize(2 * set.num_instances(), -1.0f);
    set.instance_judgement.insert(set.instance_judgement.end(), more.instance_judgement.begin(),
                                  more.instance_judgement.end());
    set.instance_judgement.resize(2 * (set.num_instances() + more.num_instances()), -1.0f);
  }
  const auto sentences = static_cast<std::int32_t>(set.num_sentences());
  for (const std::int32_t sentence : more.instance_sentence) {
    set.instance_sentence.push_back(sentence + sentences);
  }
  const auto add = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  const auto add_offsets = [](std::vector<std::int32_t>& to,
                              const std::vector<std::int32_t>& from) {
    const std::int32_t base = to.back();
    for (std::size_t i = 1; i < from.size(); ++i) to.push_back(base + from[i]);
  };
  add_offsets(set.sentence_offsets, more.sentence_offsets);
  add_offsets(set.instance_offsets, more.instance_offsets);
  add(set.piece_ids, more.piece_ids);
  add(set.word_of_piece, more.word_of_piece);
  add(set.sentence_row, more.sentence_row);
  add(set.tags, more.tags);
  add(set.instance_weight, more.instance_weight);
  add(set.instance_category, more.instance_category);
}

void write_training_file(const std::filesystem::path& path, const TrainingSet& set) {
  validate(set, path.string());
  std::vector<model_dir::TensorView> tensors = {
      view("piece_ids", set.piece_ids),
      view("word_of_piece", set.word_of_piece),
      view("sentence_offsets", set.sentence_offsets),
      view("sentence_row", set.sentence_row),
      view("instance_sentence", set.instance_sentence),
      view("instance_offsets", set.instance_offsets),
      view("instance_weight", set.instance_weight),
      view("instance_category", set.instance_category),
      view("tags", set.tags),
  };
  if (!set.instance_judgement.empty()) {
    tensors.push_back(view("instance_judgement", set.instance_judgement));
  }
  std::map<std::string, std::string> metadata = set.metadata;
  metadata["format"] = kTrainingFormat;
  metadata["version"] = kTrainingVersion;
  lab::write_safetensors(path, tensors, metadata);
}

TrainingSet read_training_file(const std::filesystem::path& path) {
  const std::string name = path.string();
  const model_dir::SafetensorsFile file = model_dir::SafetensorsFile::open(path);
  TrainingSet set;
  set.metadata = file.metadata();
  if (const auto format = set.metadata.find("format");
      format == set.metadata.end() || format->second != kTrainingFormat) {
    fail(name, fmt::format("no training file: metadata 'format' is not '{}'", kTrainingFormat));
  }
  if (const std::string version = set.metadata["version"]; version != kTrainingVersion) {
    throw Error(ErrorCode::kUnsupported,
                fmt::format("{}: training file version '{}', this build reads {}", name, version,
                            kTrainingVersion));
  }
  load(file, name, "piece_ids", set.piece_ids);
  load(file, name, "word_of_piece", set.word_of_piece);
  load(file, name, "sentence_offsets", set.sentence_offsets);
  load(file, name, "sentence_row", set.sentence_row);
  load(file, name, "instance_sentence", set.instance_sentence);
  load(file, name, "instance_offsets", set.instance_offsets);
  load(file, name, "instance_weight", set.instance_weight);
  load(file, name, "instance_category", set.instance_category);
  load(file, name, "tags", set.tags);
  if (file.find("instance_judgement") != nullptr) {
    load(file, name, "instance_judgement", set.instance_judgement);
  }
  validate(set, name);
  return set;
}

}  // namespace diffie::data
