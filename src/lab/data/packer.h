// Packs tokenized sentences and their tag sequences into a training set.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "lab/data/training_file.h"
#include "text/sentence.h"

namespace diffie::data {

class Packer {
 public:
  // What is packed comes after what `front` holds already; front is valid or empty.
  explicit Packer(TrainingSet front = {});

  // The place of the sentence spelled `spelling`, which is packed when it is new. Throws
  // kExhausted when the set has more pieces or tags than its offsets can count.
  std::int32_t add_sentence(const std::string& spelling, const text::Sentence& sentence,
                            std::size_t row);

  // `word_tags` has one of B, S, R, O for each word of the sentence; its pieces get the same.
  void add_instance(std::int32_t place, const text::Sentence& sentence, std::string_view word_tags,
                    float weight, std::uint8_t category);

  // Of the instance added last; those without one are unknown.
  void add_judgement(float exact, float lenient);

  const TrainingSet& set() const { return set_; }
  TrainingSet take() { return std::move(set_); }

 private:
  TrainingSet set_;
  std::unordered_map<std::string, std::int32_t> place_of_;
};

}  // namespace diffie::data
