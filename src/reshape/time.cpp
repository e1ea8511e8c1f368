#include "reshape/time.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "reshape/time_core.h"

namespace diffie::reshape {
namespace {

using Words = std::initializer_list<std::string_view>;

bool one_of(std::string_view word, Words words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class Finder {
 public:
  explicit Finder(const Line& line) : line_(line) {}

  std::vector<Phrase> find() {
    for (std::size_t at = 0; at < line_.size();) {
      std::optional<Phrase> phrase = fixed(at);
      if (!phrase) phrase = during(at);
      if (!phrase) phrase = around_core(at);
      at = phrase ? add_with_list(*phrase) : at + 1;
    }
    return std::move(found_);
  }

 private:
  bool is(std::size_t at, Words words) const { return one_of(line_.lower(at), words); }
  bool in(std::size_t at, WordList list) const { return line_.in(at, list); }
  // Where units may not be taken any more to the left.
  std::size_t left_end() const { return found_.empty() ? 0 : found_.back().end; }

  // "in May | and June", "in 1990 | , 1995 | and 2000": adds them all, and says where they end.
  std::size_t add_with_list(Phrase phrase) {
    const bool governed =
        phrase.begin < phrase.core && in(phrase.begin, WordList::kTimePrepositions);
    found_.push_back(phrase);
    while (is(phrase.end, {"and", "or", ","})) {
      const std::size_t next = phrase.end + 1;
      const TimeCore core = time_core(line_, next);
      const bool alike =
          core.end > next && line_.is_digits(phrase.end - 1) == line_.is_digits(core.end - 1);
      const bool bare = !governed && core.bare == Bare::kNothing;
      if (!alike || bare || (line_.is(phrase.end, ",") && !is_year(line_, next))) break;
      const std::size_t first = next + (core.end > next + 1 && is(next, {"the", "a", "an"}));
      phrase = {CircumstanceKind::kTime, next, first, joined(next, core.end, false),
                governed ? found_.back().shared == facts::kNowhere ? found_.back().begin
                                                                   : found_.back().shared
                         : facts::kNowhere};
      found_.push_back(phrase);
    }
    return phrase.end;
  }

  // --- Whole phrases ---

  std::optional<Phrase> fixed(std::size_t at) const {
    constexpr std::array<std::array<std::string_view, 4>, 24> kPhrases = {{
        {"at", "present"},
        {"at", "the", "moment"},
        {"at", "the", "time"},
        {"at", "that", "time"},
        {"at", "this", "time"},
        {"at", "the", "same", "time"},
        {"in", "the", "past"},
        {"in", "the", "future"},
        {"in", "the", "near", "future"},
        {"in", "the", "meantime"},
        {"since", "then"},
        {"until", "then"},
        {"until", "now"},
        {"till", "now"},
        {"by", "then"},
        {"by", "now"},
        {"to", "date"},
        {"in", "ancient", "times"},
        {"in", "modern", "times"},
        {"in", "recent", "times"},
        {"for", "some", "time"},
        {"long", "ago"},
        {"all", "the", "time"},
        {"in", "prehistoric", "times"},
    }};
    for (const auto& phrase : kPhrases) {
      std::size_t size = 0;
      while (size < phrase.size() && !phrase[size].empty() && line_.is(at + size, phrase[size]))
        ++size;
      // "at the time of the war", "in the past ten years"
      if (size > 0 && (size == phrase.size() || phrase[size].empty()) &&
          !is(at + size, {"of", "few", "several"}) && number_end(line_, at + size) == at + size &&
          !in(at + size, WordList::kTimeUnits))
        return Phrase{CircumstanceKind::kTime, at, at + 1, at + size};
    }
    // "at the age of 12"
    if (line_.is(at, "at")) {
      std::size_t age = at + 1;
      while (is(age, {"the", "early"})) ++age;
      if (line_.is(age, "age")) {
        const std::size_t begin = age + 1 + line_.is(age + 1, "of");
        const std::size_t end = number_end(line_, begin);
        if (end > begin) return Phrase{CircumstanceKind::kTime, at, begin, end};
      }
    }
    return {};
  }

  // "during" and its noun phrase, whatever it names.
  std::optional<Phrase> during(std::size_t at) const {
    if (!line_.is(at, "during")) return {};
    std::size_t end = at + 1;
    if (line_.is(end, "which") || line_.is(end, facts::kPronoun & ~facts::kDeterminer)) return {};
    for (; end < line_.size(); ++end) {
      const facts::Unit& unit = line_[end];
      const bool joins = unit.is("of") || unit.is("'s") ||
                         (unit.is("and") && line_.is_capital(end - 1) && line_.is_capital(end + 1));
      if (joins) continue;
      if (unit.is(facts::kMark | facts::kAuxiliary | facts::kThat | facts::kWh |
                  facts::kPreposition | facts::kAnd | facts::kTo | facts::kNot))
        break;
      if (end > at + 2 && unit.is(facts::kDeterminer) && !line_.is(end - 1, "of")) break;
      if (unit.is(facts::kPronoun) && !unit.is(facts::kDeterminer)) break;
      if (end > at + 1 && facts::is_finite(line_.units(), end)) break;
      if (end > at + 2 && !line_.is_capital(end) && unit.text.ends_with("ed")) break;
    }
    while (end > at + 1 && (line_[end - 1].is("of") || line_[end - 1].is(facts::kDeterminer)))
      --end;
    if (end == at + 1) return {};
    const std::size_t core = at + 1 + (end > at + 2 && is(at + 1, {"the", "a", "an"}));
    return Phrase{CircumstanceKind::kTime, at, core, end};
  }

  std::optional<Phrase> around_core(std::size_t at) const {
    TimeCore core = time_core(line_, at);
    if (core.end == at || follows_currency(at)) return {};
    const bool adverb = in(at, WordList::kNow) && line_.lower(at).ends_with("ly");
    const std::size_t begin = adverb ? at : before_part(before_modifiers(at));
    const std::size_t preposition = adverb ? begin : before_preposition(begin);
    const bool governed = preposition < begin;
    core.end = joined(at, core.end, governed && line_.is(begin - 1, "between"));
    if (!governed && core.bare == Bare::kNothing) return {};
    if (!governed && core.bare == Bare::kDuration && !ends_clause(at, core.end)) return {};
    const std::size_t first = at + (core.end > at + 1 && is(at, {"the", "a", "an"}));
    return Phrase{CircumstanceKind::kTime, governed ? preposition : begin, first, core.end};
  }

  bool follows_currency(std::size_t at) const {
    return at > 0 && is(at - 1, {"$", "£", "€", "¥", "us$", "#", "no"});
  }

  // "from 1990 to 1995", "between 1990 and 1995": what is joined to a core is of the phrase.
  std::size_t joined(std::size_t at, std::size_t end, bool by_and) const {
    while (is(end, {"to", "until", "till", "through", "-", "–", "—"}) ||
           (by_and && line_.is(end, "and"))) {
      if (line_.is(end, "to") && at > 0 && !is(at - 1, {"from"}) && !line_.is_digits(end + 1) &&
          !is_month(line_, end + 1))
        break;
      const std::size_t more = time_core(line_, end + 1).end;
      if (more == end + 1) break;
      const bool alike = line_.is_digits(end - 1) == line_.is_digits(more - 1);
      if (!alike && !is(end, {"to", "until", "till", "through"})) break;
      end = more;
    }
    return end;
  }

  // "in | early 1990", "about | three years"
  std::size_t before_modifiers(std::size_t at) const {
    while (at > left_end()) {
      if (is(at - 1, {"early", "late", "mid", "nearly", "almost", "exactly", "approximately",
                      "roughly", "only", "another", "precisely", "nearly", "most"})) {
        --at;
      } else if (in(at, WordList::kWeekdays) && line_.is_capital(at - 1) &&
                 is(at - 1, {"palm", "good", "black", "easter", "ash"})) {
        --at;
      } else if (at > left_end() + 1 && line_.is(at - 1, "-") && line_.is(at - 2, "mid")) {
        at -= 2;
      } else if (at > left_end() + 1 && line_.is(at - 1, "than") && is(at - 2, {"more", "less"})) {
        at -= 2;
      } else if (at > left_end() + 1 && line_.is(at - 1, "least") && line_.is(at - 2, "at")) {
        at -= 2;
      } else if (is(at - 1, {"the", "a"}) &&
                 (line_.is(at - 1, "the") ? !is(at, {"the"}) : in(at, WordList::kWeekdays))) {
        --at;
        break;
      } else {
        break;
      }
    }
    return at;
  }

  // "at | the end of 1990"
  std::size_t before_part(std::size_t begin) const {
    if (begin < left_end() + 2 || !line_.is(begin - 1, "of")) return begin;
    const std::size_t part = begin - 2;
    if (!is(part, {"end",  "beginning", "start",   "close",   "turn",   "middle",    "eve",
                   "rest", "course",    "morning", "evening", "night",  "afternoon", "day",
                   "week", "month",     "year",    "spring",  "summer", "autumn",    "winter",
                   "fall", "half",      "quarter", "outset"}))
      return begin;
    std::size_t at = part;
    while (at > left_end() && is(at - 1, {"very", "first", "second", "latter", "last", "early"}))
      --at;
    return at > left_end() && line_.is(at - 1, "the") ? at - 1 : at;
  }

  // The first unit of the preposition before `begin`, or `begin`.
  std::size_t before_preposition(std::size_t begin) const {
    if (begin <= left_end() || !in(begin - 1, WordList::kTimePrepositions)) return begin;
    if (is(begin - 1, {"of", "to", "under", "past", "pre", "post", "toward", "towards"})) {
      const bool as_of =
          begin > left_end() + 1 && line_.is(begin - 1, "of") && line_.is(begin - 2, "as");
      const bool up_to =
          begin > left_end() + 1 && line_.is(begin - 1, "to") && is(begin - 2, {"prior", "up"});
      return as_of || up_to ? begin - 2 : begin;
    }
    std::size_t at = begin - 1;
    // "late in 1990", "shortly after noon", "up until"
    while (at > left_end() && is(at - 1, {"late", "early", "later", "earlier", "shortly", "soon",
                                          "ever", "immediately", "just", "up", "from", "until"}))
      --at;
    return at;
  }

  // Nothing that "three years" could belong to follows or stands before it.
  bool ends_clause(std::size_t at, std::size_t end) const {
    if (at > 0 && line_[at - 1].is(facts::kDeterminer) && !is(at - 1, {"about"})) return false;
    if (end == line_.size()) return true;
    const facts::Unit& next = line_[end];
    if (next.is("of") || next.is("old") || next.is("'s") || next.is("'") || next.is("-"))
      return false;
    return next.is(facts::kMark | facts::kPreposition | facts::kAnd | facts::kTo |
                   facts::kSubordinator | facts::kAdverb);
  }

  const Line& line_;
  std::vector<Phrase> found_;
};

}  // namespace

std::vector<Phrase> find_times(const Line& line) { return Finder(line).find(); }

}  // namespace diffie::reshape
