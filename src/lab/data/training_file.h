// The training file: tokenized sentences and one tag sequence per aligned triple, as safetensors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace diffie::data {

inline constexpr const char* kTrainingFormat = "diffie-training";
inline constexpr const char* kTrainingVersion = "1";
// With [CLS] and [SEP], which the file does not hold, 256.
inline constexpr std::size_t kMaxTrainingPieces = 254;

// S sentences with P pieces in all, N instances. Every offsets array begins with 0.
struct TrainingSet {
  std::vector<std::int32_t> piece_ids;          // [P]
  std::vector<std::int32_t> word_of_piece;      // [P] word of the sentence, from 0 without gaps
  std::vector<std::int32_t> sentence_offsets;   // [S + 1] into piece_ids
  std::vector<std::int32_t> sentence_row;       // [S] row in the source
  std::vector<std::int32_t> instance_sentence;  // [N]
  std::vector<std::int32_t> instance_offsets;   // [N + 1] into tags
  std::vector<std::uint8_t> tags;      // per piece of the instance's sentence: B S R O = 0..3
  std::vector<float> instance_weight;  // [N] finite, not negative
  std::vector<std::uint8_t> instance_category;  // [N] mask of Relaxation
  // [N, 2] or empty: how right the triple is (model/judge.h: exact, lenient), each in [0, 1]; both
  // -1 where nobody knows.
  std::vector<float> instance_judgement;
  std::map<std::string, std::string> metadata;  // provenance; format and version are set on writing

  std::size_t num_sentences() const { return sentence_row.size(); }
  std::size_t num_instances() const { return instance_sentence.size(); }
  std::span<const std::int32_t> pieces(std::size_t sentence) const;
  std::span<const std::uint8_t> instance_tags(std::size_t instance) const;
};

// Throws kBadInput, naming `name` and the first tensor that breaks a rule above.
void validate(const TrainingSet& set, const std::string& name);

// Puts the sentences and instances of `more` behind those of `set`; the metadata stays. Throws
// kInvalidArgument when the two have other implied words or another vocabulary.
void append(TrainingSet& set, const TrainingSet& more);

// Both check the set. Reading throws kNotFound, kCorruptModel (no safetensors file), kBadInput (not
// a training file, or one that breaks its rules) or kUnsupported (another version).
void write_training_file(const std::filesystem::path& path, const TrainingSet& set);
TrainingSet read_training_file(const std::filesystem::path& path);

}  // namespace diffie::data
