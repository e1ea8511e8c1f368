#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "data/sentence_identity.h"
#include "data/training_file.h"
#include "data/word_forms.h"
#include "data/words.h"
#include "diffie/data.h"
#include "diffie/error.h"
#include "diffie/tokenizer.h"
#include "io/sha256.h"
#include "text/sentence.h"

namespace diffie::data {
namespace {

// FNV-1a of the sentence, mixed with the seed by SplitMix64's finisher.
std::uint64_t seeded_hash(std::string_view text, std::uint64_t seed) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3;
  hash ^= seed * 0x9e3779b97f4a7c15;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31);
}

std::unordered_set<std::string> read_identities(const std::filesystem::path& path) {
  std::unordered_set<std::string> identities;
  if (path.empty()) return identities;
  std::ifstream file(path);
  if (!file) throw Error(ErrorCode::kNotFound, fmt::format("{}: cannot be read", path.string()));
  for (std::string line; std::getline(file, line);) {
    if (!trim(line).empty()) identities.insert(sentence_identity(trim(line)));
  }
  return identities;
}

std::uint8_t tag_code(char tag) {
  constexpr std::string_view kTags = "BSRO";
  return static_cast<std::uint8_t>(kTags.find(tag));
}

float weight_of(std::uint8_t relaxations, const BuildOptions& options) {
  float weight = 1;
  for (std::size_t bit = 0; bit < kRelaxations.size(); ++bit) {
    if ((relaxations >> bit & 1) != 0) weight *= options.weights[bit];
  }
  return weight;
}

// Collects rows into a training set; a sentence that occurs again adds to the first.
class Builder {
 public:
  Builder(const Tokenizer& tokenizer, const BuildOptions& options)
      : tokenizer_(tokenizer),
        options_(options),
        aligner_(options.align),
        excluded_(read_identities(options.exclude)) {
    set_.sentence_offsets.push_back(0);
    set_.instance_offsets.push_back(0);
    if (!options.align.implied) return;
    for (const std::string_view word : implied_words()) suffix_.append(" ").append(word);
  }

  void add(const Row& row) {
    ++counts_.sentences;
    counts_.triplets += row.triples.size();
    const std::string identity = sentence_identity(row.sentence);
    if (excluded_.contains(identity)) {
      ++counts_.excluded_sentences;
      return;
    }
    if (options_.folds > 0) {
      const bool held_out = seeded_hash(identity, options_.seed) % options_.folds == options_.fold;
      if (held_out != options_.held_out) {
        ++counts_.other_fold_sentences;
        return;
      }
    }
    add_instances(row);
  }

  const BuildCounts& counts() const { return counts_; }
  TrainingSet take() { return std::move(set_); }

 private:
  void add_instances(const Row& row) {
    const text::Sentence sentence =
        text::tokenize_sentence(tokenizer_, row.sentence + suffix_, text::WordMode::kPretokenized);
    if (sentence.piece_ids.empty() || sentence.piece_ids.size() > kMaxTrainingPieces) {
      ++counts_.long_sentences;
      return;
    }
    for (const std::optional<Alignment>& alignment : aligner_.align(row)) {
      if (!alignment) continue;
      ++counts_.aligned;
      // The tokenizer also splits at white space beyond ASCII; then words and tags do not agree.
      if (alignment->tags.size() != sentence.words.size()) {
        ++counts_.unmatched;
      } else if (!seen_[row.sentence].insert(alignment->tags).second && !options_.keep_duplicates) {
        ++counts_.duplicates;
      } else {
        add_instance(sentence_index(row, sentence), sentence, *alignment);
      }
    }
  }

  std::int32_t sentence_index(const Row& row, const text::Sentence& sentence) {
    const auto [entry, is_new] =
        index_.try_emplace(row.sentence, static_cast<std::int32_t>(set_.num_sentences()));
    if (!is_new) return entry->second;
    set_.piece_ids.insert(set_.piece_ids.end(), sentence.piece_ids.begin(),
                          sentence.piece_ids.end());
    for (std::size_t word = 0; word < sentence.words.size(); ++word) {
      set_.word_of_piece.insert(set_.word_of_piece.end(), sentence.words[word].num_pieces,
                                static_cast<std::int32_t>(word));
    }
    set_.sentence_offsets.push_back(static_cast<std::int32_t>(set_.piece_ids.size()));
    set_.sentence_row.push_back(static_cast<std::int32_t>(row.number));
    ++counts_.kept_sentences;
    return entry->second;
  }

  void add_instance(std::int32_t index, const text::Sentence& sentence,
                    const Alignment& alignment) {
    for (std::size_t word = 0; word < sentence.words.size(); ++word) {
      set_.tags.insert(set_.tags.end(), sentence.words[word].num_pieces,
                       tag_code(alignment.tags[word]));
    }
    set_.instance_sentence.push_back(index);
    set_.instance_offsets.push_back(static_cast<std::int32_t>(set_.tags.size()));
    set_.instance_weight.push_back(weight_of(alignment.relaxations, options_));
    set_.instance_category.push_back(alignment.relaxations);
    ++counts_.instances;
  }

  const Tokenizer& tokenizer_;
  const BuildOptions& options_;
  Aligner aligner_;
  std::unordered_set<std::string> excluded_;
  std::string suffix_;  // the pseudo-words
  std::unordered_map<std::string, std::int32_t> index_;
  std::unordered_map<std::string, std::unordered_set<std::string>> seen_;
  TrainingSet set_;
  BuildCounts counts_;
};

std::map<std::string, std::string> provenance(const BuildOptions& options,
                                              const BuildCounts& counts) {
  const nlohmann::json options_json = {
      {"implied", options.align.implied}, {"seed", options.seed},
      {"folds", options.folds},           {"fold", options.fold},
      {"held_out", options.held_out},     {"keep_duplicates", options.keep_duplicates},
      {"weights", options.weights},       {"word_forms", WordForms::available()}};
  const nlohmann::json counts_json = {{"sentences", counts.sentences},
                                      {"triplets", counts.triplets},
                                      {"aligned", counts.aligned},
                                      {"kept_sentences", counts.kept_sentences},
                                      {"instances", counts.instances},
                                      {"duplicates", counts.duplicates},
                                      {"excluded_sentences", counts.excluded_sentences},
                                      {"long_sentences", counts.long_sentences},
                                      {"unmatched", counts.unmatched},
                                      {"other_fold_sentences", counts.other_fold_sentences}};
  std::string implied;
  if (options.align.implied) implied = fmt::format("{}", fmt::join(implied_words(), " "));
  std::map<std::string, std::string> metadata = {
      {"source", options.source.filename().string()},
      {"source_sha256", io::sha256_of_file(options.source)},
      {"vocab_sha256", io::sha256_of_file(options.vocab)},
      {"aligner", options.align.aligner == AlignerKind::kPaper ? "paper" : "recover"},
      {"implied_words", implied},
      {"options", options_json.dump()},
      {"seed", std::to_string(options.seed)},
      {"counts", counts_json.dump()},
      {"tool", "diffie " DIFFIE_VERSION}};
  if (!options.exclude.empty()) metadata["exclude_sha256"] = io::sha256_of_file(options.exclude);
  return metadata;
}

}  // namespace

void BuildOptions::validate() const {
  const auto refuse = [](const std::string& what) {
    throw Error(ErrorCode::kInvalidArgument, what);
  };
  if (folds == 1) refuse("folds is 1, wanted 0 (no folds) or at least 2");
  if (folds > 0 && fold >= folds) refuse(fmt::format("fold is {}, there are {}", fold, folds));
  if (folds == 0 && (fold != 0 || held_out)) refuse("a fold without folds");
  for (const float weight : weights) {
    if (!(weight >= 0 && weight <= 1e6f))
      refuse(fmt::format("weight {} is not in [0, 1e6]", weight));
  }
}

BuildCounts build_training_file(std::span<const Row> rows, const BuildOptions& options,
                                const std::filesystem::path& out) {
  options.validate();
  const Tokenizer tokenizer = Tokenizer::from_vocab_file(options.vocab);
  Builder builder(tokenizer, options);
  for (const Row& row : rows) builder.add(row);
  TrainingSet set = builder.take();
  set.metadata = provenance(options, builder.counts());
  write_training_file(out, set);
  return builder.counts();
}

}  // namespace diffie::data
