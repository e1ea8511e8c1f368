#include "engine/passage.h"

#include <algorithm>

#include "base/assert.h"

namespace diffie::engine {

std::vector<Passage> make_passages(std::size_t sentence_index, std::string_view text,
                                   const text::Sentence& sentence, std::size_t max_pieces,
                                   const text::Sentence& implied) {
  DIFFIE_ASSERT(implied.piece_ids.size() < max_pieces);
  max_pieces -= implied.piece_ids.size();
  std::vector<Passage> passages;
  for (const text::Word& word : sentence.words) {
    const std::size_t pieces = std::min<std::size_t>(word.num_pieces, max_pieces);
    if (passages.empty() || passages.back().piece_ids.size() + pieces > max_pieces) {
      passages.emplace_back();
      passages.back().sentence = sentence_index;
    }
    Passage& passage = passages.back();
    const auto first = sentence.piece_ids.begin() + word.first_piece;
    passage.piece_ids.insert(passage.piece_ids.end(), first,
                             first + static_cast<std::ptrdiff_t>(pieces));
    passage.piece_counts.push_back(static_cast<std::uint32_t>(pieces));
    passage.word_bytes.push_back(word.bytes);
  }
  for (Passage& passage : passages) {
    const Span range{passage.word_bytes.front().begin, passage.word_bytes.back().end};
    passage.text = text.substr(range.begin, range.end - range.begin);
    passage.piece_ids.insert(passage.piece_ids.end(), implied.piece_ids.begin(),
                             implied.piece_ids.end());
    for (const text::Word& word : implied.words) passage.piece_counts.push_back(word.num_pieces);
  }
  return passages;
}

}  // namespace diffie::engine
