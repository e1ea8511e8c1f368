#include "lab/data/paper_aligner.h"

#include <algorithm>
#include <array>
#include <vector>

#include "text/lowercase.h"
#include "text/white_space.h"

namespace diffie::data {
namespace {

using Words = std::vector<std::string>;

Words lower_words(std::string_view text) {
  Words words;
  for (const std::string_view word : text::split_words(text))
    words.push_back(text::lowercase(word));
  return words;
}

// Positions of the slot's words, the first at `begin` or later; nullopt when one is not found.
std::optional<std::vector<std::size_t>> place_slot(const Words& sentence, const Words& slot,
                                                   std::size_t begin) {
  const auto from = sentence.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto run = std::search(from, sentence.end(), slot.begin(), slot.end());
  std::vector<std::size_t> places;
  if (run != sentence.end()) {
    const auto first = static_cast<std::size_t>(run - sentence.begin());
    for (std::size_t i = 0; i < slot.size(); ++i) places.push_back(first + i);
    return places;
  }
  auto next = from;
  for (const std::string& word : slot) {
    next = std::find(next, sentence.end(), word);
    if (next == sentence.end()) return std::nullopt;
    places.push_back(static_cast<std::size_t>(next++ - sentence.begin()));
  }
  return places;
}

}  // namespace

std::optional<Alignment> align_paper(std::string_view sentence, const Triple& triple) {
  const Words words = lower_words(sentence);
  const std::array<std::string_view, 3> slots = {triple.subject, triple.relation, triple.object};
  Alignment alignment;
  alignment.tags.assign(words.size(), 'B');
  std::size_t begin = 0;
  for (std::size_t role = 0; role < slots.size(); ++role) {
    const Words slot = lower_words(slots[role]);
    const auto mask = [&](Relaxation bit) {
      alignment.relaxations |= static_cast<std::uint8_t>(bit);
    };
    if (slot.empty()) {
      mask(Relaxation::kEmptySlot);
      continue;
    }
    const auto places = place_slot(words, slot, begin);
    if (!places) return std::nullopt;
    if (places->back() - places->front() + 1 != places->size()) mask(Relaxation::kGaps);
    for (const std::size_t place : *places) alignment.tags[place] = "SRO"[role];
    begin = places->back() + 1;
  }
  return alignment;
}

}  // namespace diffie::data
