#include "reshape/omissions.h"

#include <algorithm>

namespace diffie::reshape {

bool is_pronoun(const Line& line, std::span<const std::uint32_t> words) {
  const std::vector<std::size_t> units = line.units_of(words);
  return !units.empty() && std::all_of(units.begin(), units.end(), [&](std::size_t at) {
    if (line[at].is(facts::kMark)) return true;
    return line.in(at, WordList::kPronouns) && !line.is_all_capitals(at);
  });
}

bool is_contained(const extract::Triple& inner, const extract::Triple& outer) {
  for (std::size_t slot = 0; slot < inner.words.size(); ++slot) {
    const auto& few = inner.words[slot];
    const auto& many = outer.words[slot];
    if (!std::includes(many.begin(), many.end(), few.begin(), few.end())) return false;
  }
  return true;
}

}  // namespace diffie::reshape
