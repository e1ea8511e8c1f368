// Whether a triple is a fact: denied, possible, asked, ordered, conditional, or somebody's claim,
// by rules over the words of its sentence. docs/factuality.md defines what is meant.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diffie/extractor.h"
#include "facts/outline.h"
#include "facts/units.h"

namespace diffie::facts {

// Word indices of a triple, ascending. Those beyond the sentence's words are implied.
struct TripleWords {
  std::span<const std::uint32_t> subject;
  std::span<const std::uint32_t> relation;
  std::span<const std::uint32_t> object;
};

// What is known of a sentence once, for all its triples.
class SentenceFacts {
 public:
  // Spans are bytes of the text; lower_words has a word for each of them, and may have more. All
  // three must outlive the object.
  SentenceFacts(std::string_view text, std::span<const Span> word_bytes,
                std::span<const std::string> lower_words);

  Factuality of(const TripleWords& triple) const;

 private:
  std::string_view text_;
  std::span<const Span> word_bytes_;
  std::vector<Unit> units_;
  std::vector<std::uint32_t> unit_of_word_;
  Outline outline_;
};

}  // namespace diffie::facts
