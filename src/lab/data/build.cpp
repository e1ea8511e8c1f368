#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "checksums/sha256.h"
#include "diffie/error.h"
#include "diffie/lab/data.h"
#include "diffie/text.h"
#include "diffie/version.h"
#include "files/atomic_file.h"
#include "lab/data/packer.h"
#include "lab/data/sentence_identity.h"
#include "lab/data/training_file.h"
#include "lab/data/word_forms.h"
#include "lab/score/sentence_key.h"
#include "text/sentence.h"

namespace diffie::data {
namespace {

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
    for (const std::string& word : options.align.implied) suffix_.append(" ").append(word);
  }

  void add(const Row& row) {
    ++counts_.sentences;
    counts_.triplets += row.triples.size();
    const std::string identity = score::sentence_key(row.sentence);
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
    sentences_ += row.sentence;
    sentences_ += '\n';
    add_instances(row);
  }

  // Of all rows that were not left out, one a line.
  const std::string& sentences() const { return sentences_; }

  BuildCounts counts() const {
    BuildCounts counts = counts_;
    counts.instances = packer_.set().num_instances();
    counts.kept_sentences = packer_.set().num_sentences();
    return counts;
  }
  TrainingSet take() { return packer_.take(); }

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
        packer_.add_instance(packer_.add_sentence(row.sentence, sentence, row.number), sentence,
                             alignment->tags, weight_of(alignment->relaxations, options_),
                             alignment->relaxations);
      }
    }
  }

  const Tokenizer& tokenizer_;
  const BuildOptions& options_;
  Aligner aligner_;
  std::unordered_set<std::string> excluded_;
  std::string suffix_;  // the pseudo-words
  std::unordered_map<std::string, std::unordered_set<std::string>> seen_;
  Packer packer_;
  BuildCounts counts_;
  std::string sentences_;
};

std::map<std::string, std::string> provenance(const BuildOptions& options,
                                              const BuildCounts& counts) {
  const nlohmann::json options_json = {{"implied", !options.align.implied.empty()},
                                       {"seed", options.seed},
                                       {"folds", options.folds},
                                       {"fold", options.fold},
                                       {"held_out", options.held_out},
                                       {"keep_duplicates", options.keep_duplicates},
                                       {"weights", options.weights},
                                       {"word_forms", WordForms::available()}};
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
  std::map<std::string, std::string> metadata = {
      {"source", options.source.filename().string()},
      {"source_sha256", checksums::sha256_of_file(options.source)},
      {"vocab_sha256", checksums::sha256_of_file(options.vocab)},
      {"aligner", options.align.aligner == AlignerKind::kPaper ? "paper" : "recover"},
      {"implied_words", fmt::format("{}", fmt::join(options.align.implied, " "))},
      {"options", options_json.dump()},
      {"seed", std::to_string(options.seed)},
      {"counts", counts_json.dump()},
      {"tool", std::string("diffie ") + version()}};
  if (!options.exclude.empty())
    metadata["exclude_sha256"] = checksums::sha256_of_file(options.exclude);
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
  const BuildCounts counts = builder.counts();
  TrainingSet set = builder.take();
  set.metadata = provenance(options, counts);
  write_training_file(out, set);
  if (!options.sentences.empty()) files::write_text_file(options.sentences, builder.sentences());
  return counts;
}

}  // namespace diffie::data
