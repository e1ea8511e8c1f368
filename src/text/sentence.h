// A sentence as the model sees it: words of the caller's text and the pieces of each.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "diffie/text.h"

namespace diffie::text {

struct Word {
  Span bytes;  // of the caller's text
  std::uint32_t first_piece = 0;
  std::uint32_t num_pieces = 0;  // at least 1
};

// Pieces carry no [CLS] and [SEP]; every piece belongs to exactly one word, in order.
struct Sentence {
  std::vector<std::int32_t> piece_ids;
  std::vector<Span> piece_bytes;  // of the caller's text; of an escaped word the whole
  std::vector<Word> words;
};

enum class WordMode {
  kRaw,           // words are the tokenizer's basic tokens
  kPretokenized,  // words are the white-space tokens; PTB escapes (-LRB-, ``) are undone for the
                  // encoder
};

// A word whose clean-up leaves nothing becomes one [UNK] piece in kPretokenized mode; in kRaw mode
// it is no word.
Sentence tokenize_sentence(const Tokenizer& tokenizer, std::string_view text, WordMode mode);

}  // namespace diffie::text
