// What the model works on: a sentence, or a part of one that is too long for the encoder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "diffie/text.h"
#include "text/sentence.h"

namespace diffie::engine {

struct Passage {
  std::size_t sentence = 0;                 // index into the call's sentences
  std::string_view text;                    // bytes of the passage, a part of the sentence's text
  std::vector<Span> word_bytes;             // of the sentence's text
  std::vector<std::uint32_t> piece_counts;  // per word, none 0, then per implied word
  std::vector<std::int32_t> piece_ids;      // without [CLS] and [SEP]

  std::size_t num_implied() const { return piece_counts.size() - word_bytes.size(); }
};

// Cuts between words so that no passage has more than max_pieces pieces, those of the implied words
// at its end counted; nearly always one passage. A single word that has too many keeps the first
// ones. No words: no passage.
std::vector<Passage> make_passages(std::size_t sentence_index, std::string_view text,
                                   const text::Sentence& sentence, std::size_t max_pieces,
                                   const text::Sentence& implied = {});

}  // namespace diffie::engine
