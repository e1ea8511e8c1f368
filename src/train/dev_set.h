// Sentences with gold triples, and the score of tag samples against them. No LibTorch in here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "diffie/lab/score.h"
#include "diffie/settings.h"
#include "diffie/text.h"
#include "model/judge.h"
#include "text/sentence.h"
#include "train/metrics.h"

namespace diffie::train {

struct TextSentence {
  std::string text;
  std::vector<std::string> words;        // as written, then the implied ones
  std::vector<std::string> lower_words;  // as matched
  std::size_t num_implied = 0;           // of the words
  std::vector<std::uint32_t> piece_counts;
  std::vector<std::int32_t> piece_ids;
};

// One sentence a line; empty lines are empty sentences. Words are white-space tokens. A sentence
// of more than `max_pieces` keeps no pieces. Every sentence that has words is followed by the
// `implied` ones. Throws kNotFound.
std::vector<TextSentence> read_sentences(const std::filesystem::path& path,
                                         const Tokenizer& tokenizer, std::size_t max_pieces,
                                         std::span<const std::string> implied = {});

// Distinct word-level tag strings over "BSRO" with their counts or weights, by falling count, then
// by string.
struct WordTagCount {
  std::string tags;
  std::uint32_t count = 0;
  std::optional<model::Judgement> judgement = {};
};
using WordTagPool = std::vector<WordTagCount>;

class DevSet {
 public:
  // Throws kInvalidArgument for settings out of range or a selector that needs a ranker, and as
  // read_gold.
  DevSet(std::vector<TextSentence> sentences, const std::filesystem::path& gold,
         const Settings& settings);

  const std::vector<TextSentence>& sentences() const { return sentences_; }

  // One pool per sentence. CaRB's measure.
  DevScore score(std::span<const WordTagPool> pools) const;

 private:
  std::vector<TextSentence> sentences_;
  GoldStandard gold_;
  Settings settings_;
};

// The triples of one sentence from its samples, as a selector ranks them.
std::vector<PredictedTuple> select_tuples(const TextSentence& sentence, const WordTagPool& pool,
                                          const Settings& settings);

// tags: [samples * pieces] of the sentence.
WordTagPool pool_of_tags(const TextSentence& sentence, std::span<const std::uint8_t> tags);

}  // namespace diffie::train
