// Greedy longest-match-first WordPiece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/vocabulary.h"

namespace diffie::text {

// Calls emit(id, begin, end) for each piece of a normalised word; false, possibly after some calls,
// when the word cannot be built from pieces. `fold` maps a byte of the word to the one looked up.
template <class Fold, class Emit>
bool split_word(const Vocabulary& vocabulary, std::string_view word, Fold fold, Emit emit) {
  const PieceTrie& trie = vocabulary.trie();
  std::size_t begin = 0;
  std::int32_t start = PieceTrie::kRoot;
  while (begin < word.size()) {
    std::int32_t node = start;
    std::int32_t best = PieceTrie::kNone;
    std::size_t best_end = begin;
    for (std::size_t pos = begin; pos < word.size(); ++pos) {
      node = trie.child(node, fold(static_cast<unsigned char>(word[pos])));
      if (node == PieceTrie::kNone) break;
      if (const std::int32_t id = trie.piece(node); id != PieceTrie::kNone) {
        best = id;
        best_end = pos + 1;
      }
    }
    if (best == PieceTrie::kNone) return false;
    emit(best, begin, best_end);
    begin = best_end;
    start = vocabulary.continuation();
    if (start == PieceTrie::kNone) return begin == word.size();
  }
  return true;
}

}  // namespace diffie::text
