#include "facts/phrases.h"

#include <algorithm>
#include <array>

namespace diffie::facts {
namespace {

constexpr Classes kClauseWords =
    kMark | kAuxiliary | kNot | kThat | kWh | kSubordinator | kIf | kWhether | kTo;

bool joins_nouns(const Unit& unit) {
  return unit.is("of") || unit.is("for") || unit.is("at") || unit.is("in") || unit.is("from");
}

bool is_possessive(Units units, std::size_t at) {
  return units[at].is("'s") && at + 1 < units.size() && !units[at + 1].is(kDeterminer | kNot);
}

// By its ending.
bool is_adjective(std::string_view word) {
  constexpr std::array<std::string_view, 7> kEndings = {"al",  "ic",   "ous", "ive",
                                                        "ful", "less", "able"};
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return word.ends_with(ending); });
}

// Back over what stands between two commas.
std::size_t before_aside(Units units, std::size_t end) {
  if (end < 2 || !units[end - 1].is(kComma)) return end;
  for (std::size_t at = end - 1; at-- > 0;) {
    if (units[at].is(kEnd | kStop | kQuote)) return end;
    if (units[at].is(kComma)) return at;
  }
  return end - 1;
}

// "Ann and Bob": what joins them is part of the phrase when only nouns stand before it.
bool joins_names(Units units, std::size_t at) {
  if (at == 0 || !units[at].is("and") || units[at - 1].is(kMark)) return false;
  for (std::size_t left = at; left-- > 0;) {
    if (units[left].is(kMark | kThat | kSubordinator)) return true;
    if (is_finite(units, left) || units[left].text.ends_with("ed")) return false;
  }
  return true;
}

}  // namespace

bool is_noun(Units units, std::size_t at) {
  if (at == 0) return false;
  const Unit& before = units[at - 1];
  if (units[at].is(kPastVerb) || units[at].text.ends_with("ed")) return false;
  if (at > 1 && before.classes == 0 && is_adjective(before.text))
    return units[at - 2].is(kDeterminer | kNo);
  return before.is("no") || before.is("'s") || before.is("of") ||
         (before.is(kDeterminer) && !before.is(kPronoun));
}

bool is_finite(Units units, std::size_t at) {
  const Unit& unit = units[at];
  if (unit.is("'s")) return !is_possessive(units, at);
  if (unit.is(kAuxiliary | kPastVerb)) return !unit.is(kModal) || !is_noun(units, at);
  if (is_noun(units, at)) return false;
  const bool inflected = unit.text.ends_with("s") || unit.text.ends_with("ed");
  return unit.is(kReports) || (inflected && unit.is(kKnow | kFail | kWant | kOrder | kForce));
}

bool is_bare(const Unit& unit) {
  if (unit.is(kBaseVerb) || unit.is("be")) return true;
  if (unit.is(kPastVerb | kAuxiliary | kMark | kPronoun | kDeterminer | kPreposition | kAdverb))
    return false;
  const std::string_view text = unit.text;
  return !text.ends_with("s") && !text.ends_with("ed") && !text.ends_with("ing");
}

Region noun_phrase_before(Units units, std::size_t end) {
  end = before_aside(units, end);
  std::size_t begin = end;
  bool closed = false;  // a determiner was met: only what joins nouns may stand before it
  while (begin > 0) {
    const Unit& unit = units[begin - 1];
    const bool possessive = is_possessive(units, begin - 1);
    if (unit.is(kPronoun) && !unit.is(kDeterminer)) return {end == begin ? begin - 1 : begin, end};
    if (unit.is(kClauseWords) && !possessive) break;
    if (begin < end && is_finite(units, begin - 1) && !possessive) break;
    if (unit.is(kAnd) && !joins_names(units, begin - 1)) break;
    const bool joins = joins_nouns(unit) || unit.is(kAnd) || possessive;
    if (unit.is(kPreposition) && !joins) break;
    if (closed && !joins) break;
    closed = unit.is(kDeterminer | kNo);
    if (joins && begin == end) break;
    --begin;
  }
  while (begin < end && (joins_nouns(units[begin]) || units[begin].is(kAnd))) ++begin;
  return {begin, end};
}

Region noun_phrase_after(Units units, std::size_t begin) {
  std::size_t end = begin;
  if (begin < units.size() && units[begin].is(kPreposition)) return {begin, begin};
  while (end < units.size()) {
    const Unit& unit = units[end];
    if (unit.is(kClauseWords) && !is_possessive(units, end)) break;
    if (end > begin && is_finite(units, end)) break;
    if (unit.is(kPreposition) && !joins_nouns(unit)) break;
    ++end;
    if (unit.is(kPronoun) && !unit.is(kDeterminer)) break;
  }
  return {begin, end};
}

std::size_t find_first(Units units, Region within, Classes any) {
  std::size_t at = within.begin;
  while (at < within.end && !units[at].is(any)) ++at;
  return at;
}

std::size_t find_last(Units units, Region within, Classes any) {
  for (std::size_t at = within.end; at-- > within.begin;) {
    if (units[at].is(any)) return at;
  }
  return kNowhere;
}

}  // namespace diffie::facts
