#include "engine/unit.h"

#include <algorithm>

#include "base/assert.h"

namespace diffie::engine {

std::vector<Unit> make_units(std::size_t sentence_index, std::string_view text,
                             const text::Sentence& sentence, std::size_t max_pieces,
                             const text::Sentence& implied) {
  DIFFIE_ASSERT(implied.piece_ids.size() < max_pieces);
  max_pieces -= implied.piece_ids.size();
  std::vector<Unit> units;
  for (const text::Word& word : sentence.words) {
    const std::size_t pieces = std::min<std::size_t>(word.num_pieces, max_pieces);
    if (units.empty() || units.back().piece_ids.size() + pieces > max_pieces) {
      units.emplace_back();
      units.back().sentence = sentence_index;
    }
    Unit& unit = units.back();
    const auto first = sentence.piece_ids.begin() + word.first_piece;
    unit.piece_ids.insert(unit.piece_ids.end(), first, first + static_cast<std::ptrdiff_t>(pieces));
    unit.piece_counts.push_back(static_cast<std::uint32_t>(pieces));
    unit.word_bytes.push_back(word.bytes);
  }
  for (Unit& unit : units) {
    const Span range{unit.word_bytes.front().begin, unit.word_bytes.back().end};
    unit.text = text.substr(range.begin, range.end - range.begin);
    unit.piece_ids.insert(unit.piece_ids.end(), implied.piece_ids.begin(), implied.piece_ids.end());
    for (const text::Word& word : implied.words) unit.piece_counts.push_back(word.num_pieces);
  }
  return units;
}

}  // namespace diffie::engine
