#include "reshape/collective.h"

#include <algorithm>

namespace diffie::reshape {
namespace {

bool has_any(const Line& line, std::span<const std::size_t> units, WordList list) {
  return std::any_of(units.begin(), units.end(), [&](std::size_t at) { return line.in(at, list); });
}

std::vector<std::size_t> said_units(const Line& line, const std::vector<std::uint32_t>& words) {
  const auto said = std::lower_bound(words.begin(), words.end(), line.word_bytes().size());
  return line.units_of({words.begin(), said});
}

// The sentence says that the parts of something act as one, or in pairs.
bool pairs_up(const Line& line) {
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line.is(at, "respectively") || line.is(at, "together") || line.is(at, "jointly"))
      return true;
    if (line.is(at, "other") && at > 0 && line.is(at - 1, "each")) return true;
    if (line.is(at, "another") && at > 0 && line.is(at - 1, "one")) return true;
  }
  return false;
}

// "A and B met in Paris", "A and B are siblings", but "A and B met C", "A and B agreed with C".
bool subject_acts_as_one(const Line& line, std::span<const std::size_t> relation,
                         std::span<const std::size_t> object) {
  if (has_any(line, relation, WordList::kTogether)) return true;
  if (!object.empty() && (line.in(object.back(), WordList::kMutualVerbs) ||
                          has_any(line, object.first(1), WordList::kTogether)))
    return true;
  if (!has_any(line, relation, WordList::kMutualVerbs)) return false;
  const std::string_view last = line.lower(relation.back());
  if (last == "with" || last == "from" || last == "to" || last == "by") return false;
  return !line.in(relation.back(), WordList::kMutualVerbs) ||
         line.is(relation.front(), facts::kBe) ||
         (!object.empty() && line.is(object.front(), facts::kPreposition));
}

bool object_acts_as_one(const Line& line, std::span<const std::size_t> relation) {
  return has_any(line, relation, WordList::kTogether) ||
         has_any(line, relation, WordList::kJoiningVerbs) ||
         has_any(line, relation, WordList::kPartners);
}

}  // namespace

ActsAsOne acts_as_one(const Line& line, const extract::Triple& triple) {
  if (pairs_up(line)) return {true, true};
  const std::vector<std::size_t> relation = said_units(line, triple.words[1]);
  if (relation.empty()) return {};
  return {subject_acts_as_one(line, relation, line.units_of(triple.words[2])),
          object_acts_as_one(line, relation)};
}

}  // namespace diffie::reshape
