#pragma once

#include "diffie/text.h"

namespace diffie {

// The tokenizer with the vocabulary in share/, made once.
inline const Tokenizer& shipped_tokenizer() {
  static const Tokenizer tokenizer =
      Tokenizer::from_vocab_file(DIFFIE_SOURCE_DIR "/share/bert-base-uncased/vocab.txt");
  return tokenizer;
}

}  // namespace diffie
