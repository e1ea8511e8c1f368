#include "reshape/place.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

namespace diffie::reshape {
namespace {

using Words = std::initializer_list<std::string_view>;

// Units between an article and the noun that names a place: "the | small southern | town".
constexpr std::size_t kMaxModifiers = 4;
// Units over which a verb of motion reaches its "to".
constexpr std::size_t kMotionReach = 5;

class Finder {
 public:
  Finder(const Line& line, const std::vector<Phrase>& times) : line_(line), taken_(line.size()) {
    for (const Phrase& time : times)
      std::fill(taken_.begin() + static_cast<std::ptrdiff_t>(time.begin),
                taken_.begin() + static_cast<std::ptrdiff_t>(time.end), true);
  }

  std::vector<Phrase> find() const {
    std::vector<Phrase> found;
    for (std::size_t at = 0; at < line_.size();) {
      const std::optional<Phrase> phrase = taken_[at] ? std::nullopt : phrase_at(at);
      at = phrase ? add_with_list(*phrase, found) : at + 1;
    }
    return found;
  }

 private:
  bool is(std::size_t at, Words words) const {
    return std::find(words.begin(), words.end(), line_.lower(at)) != words.end();
  }
  bool in(std::size_t at, WordList list) const { return line_.in(at, list); }
  bool is_free(std::size_t at) const { return at < line_.size() && !taken_[at]; }

  std::optional<Phrase> phrase_at(std::size_t at) const {
    if (in(at, WordList::kHere) && stands_alone(at))
      return Phrase{CircumstanceKind::kPlace, at, at, at + 1};
    if (const auto relative = direction_of(at)) return relative;
    if (!in(at, WordList::kPlacePrepositions) || (line_.is_capital(at) && !opens(at))) return {};
    const std::size_t first = at + 1 + is(at + 1, {"of"}) * line_.is(at, "outside");
    const std::size_t bare = after_article(first);
    std::size_t end = place_after(at, first, bare);
    if (end == first) return {};
    end = with_state(end);
    return Phrase{CircumstanceKind::kPlace, at, bare < end ? bare : first, end};
  }

  // "in London | , Paris | and Bonn": adds them all, and says where they end.
  std::size_t add_with_list(Phrase phrase, std::vector<Phrase>& found) const {
    const std::size_t preposition = phrase.begin;
    found.push_back(phrase);
    if (!line_.is_capital(phrase.end - 1) || !in(preposition, WordList::kPlacePrepositions))
      return phrase.end;
    while (is(phrase.end, {"and", "or", ","})) {
      std::size_t next = phrase.end + 1;
      if (line_.is(phrase.end, ",") && line_.is(next, "and")) ++next;
      const std::size_t bare = after_article(next);
      const std::size_t end = name_end(bare + points_to_name(bare));
      // Behind a comma may stand anything.
      if (end == bare || (line_.is(end, "in") && !taken_[end])) break;
      const bool known = in(end - 1, WordList::kNamedPlaces) || in(end - 1, WordList::kPlaceNouns);
      const bool listed = !line_.is(phrase.end, ",") && at_end_of_phrase(end);
      if (!(known || listed) || !ends_noun(end) || !is_place_name(preposition, bare, end)) break;
      phrase = {CircumstanceKind::kPlace, next, bare, with_state(end), preposition};
      found.push_back(phrase);
    }
    return phrase.end;
  }

  bool at_end_of_phrase(std::size_t at) const {
    return at >= line_.size() || taken_[at] || line_[at].is(facts::kMark | facts::kPreposition);
  }

  // A capital at the beginning of a sentence or behind a mark.
  bool opens(std::size_t at) const { return at == 0 || line_[at - 1].is(facts::kMark); }

  // "lives abroad", not "the overseas trade", "here's".
  bool stands_alone(std::size_t at) const {
    if (is(at, {"downtown", "offshore", "onshore"}) && at > 0 &&
        line_[at - 1].is(facts::kDeterminer))
      return false;
    if (at + 1 >= line_.size()) return true;
    const facts::Unit& next = line_[at + 1];
    return next.classes != 0 && !next.is("'s") && !next.is(facts::kBe);
  }

  std::size_t after_article(std::size_t at) const {
    return at + (line_.is(at, facts::kDeterminer) && !is(at, {"one", "two", "three", "such"}));
  }

  // "north of Vienna", "five miles west of the river": the end of what lies where.
  std::optional<Phrase> direction_of(std::size_t at) const {
    if (!in(at, WordList::kDirections) || !line_.is(at + 1, "of") || !is_free(at)) return {};
    if (at > 0 && (line_[at - 1].is(facts::kDeterminer) || line_.is(at - 1, "-"))) return {};
    const std::size_t bare = after_article(at + 2);
    std::size_t end = name_end(bare);
    if (end == bare) end = noun_end(bare);
    if (end == bare) return {};
    std::size_t begin = at;
    if (begin > 0 && is(begin - 1, {"just", "miles", "km", "kilometers", "kilometres", "due"}))
      --begin;
    if (begin > 0 && begin < at &&
        (line_.is_digits(begin - 1) || in(begin - 1, WordList::kNumberWords)))
      --begin;
    return Phrase{CircumstanceKind::kPlace, begin, at, end};
  }

  // Where the place behind the preposition ends, `first` for none.
  std::size_t place_after(std::size_t preposition, std::size_t first, std::size_t bare) const {
    if (!is_free(first) || !is_free(bare)) return first;
    if (first == bare && in(bare, WordList::kBarePlaces) && is(preposition, {"at", "in"}) &&
        !line_.is_capital(bare) && ends_noun(bare + 1))
      return goes_with_bare(preposition, bare) ? bare + 1 : first;
    const std::size_t name = name_end(bare + points_to_name(bare));
    if (name > bare && line_.is(name, "'s") && in(name - 1, WordList::kNamedPlaces)) {
      const std::size_t part = name_end(name + 1);  // "London's East End"
      if (part > name + 1 && ends_noun(part)) return part;
    }
    if (name > bare && ends_noun(name)) {
      if (!is_place_name(preposition, bare, name)) return first;
      return with_part_of(name);
    }
    const std::size_t noun = noun_end(bare);
    if (noun == bare) return first;
    const bool plural = line_.lower(noun - 1).ends_with("s") && is(preposition, {"in", "at"});
    const bool has_article = first < bare || name > bare || plural;
    if (!has_article || !preposition_fits_noun(preposition, noun - 1)) return first;
    return with_part_of(noun);
  }

  // "western | Africa"
  bool points_to_name(std::size_t at) const {
    return in(at, WordList::kDirections) && !line_.is_capital(at) && line_.is_capital(at + 1);
  }

  bool goes_with_bare(std::size_t preposition, std::size_t noun) const {
    if (line_.is(preposition, "at"))
      return is(noun,
                {"home", "school", "university", "college", "church", "sea", "work", "court"});
    return is(noun, {"school", "university", "college", "church", "prison", "jail", "hospital",
                     "town", "space", "heaven", "hell", "bed"});
  }

  // --- Names ---

  // A run of capitals with what joins them: "Rio de Janeiro", "St. Petersburg", "U.S.".
  std::size_t name_end(std::size_t at) const {
    std::size_t end = at;
    while (is_free(end)) {
      if (line_.is_capital(end) && !line_.is(end, "i")) {
        ++end;
      } else if (end > at && joins_names(end)) {
        ++end;
      } else {
        break;
      }
    }
    return end;
  }

  bool joins_names(std::size_t at) const {
    if (line_.is(at, ".")) {
      const bool initial = line_.lower(at - 1).size() == 1 && line_.touches_next(at - 1);
      const bool saint = is(at - 1, {"st", "mt", "ft", "ste"}) && line_.is_capital(at + 1);
      return (initial && (line_.touches_next(at) || line_[at].classes == 0)) || saint;
    }
    if (!line_.is_capital(at + 1) || !is_free(at + 1)) return false;
    if (line_.is(at, "-")) return line_.touches_next(at - 1) && line_.touches_next(at);
    return is(at, {"de", "la", "del", "du", "al", "el", "am", "upon", "di", "of", "da", "le"});
  }

  // What follows cannot belong to the same noun phrase.
  bool ends_noun(std::size_t at) const {
    if (at >= line_.size() || taken_[at]) return true;
    const facts::Unit& unit = line_[at];
    if (unit.is("'s") || unit.is("'") || unit.is("’") || unit.is("-")) return false;
    if (unit.classes != 0) return true;
    const bool gerund = unit.text.ends_with("ing") && !line_.is(at - 2, "the");
    return gerund || unit.text.ends_with("ed") || unit.text.ends_with("ly") || line_.is_digits(at);
  }

  bool is_place_name(std::size_t preposition, std::size_t begin, std::size_t end) const {
    const std::size_t last = end - 1;
    if (in(begin, WordList::kTitles) || in(begin, WordList::kMonths) ||
        in(begin, WordList::kWeekdays) || in(begin, WordList::kHolidays))
      return false;
    const bool listed = in(last, WordList::kNamedPlaces) || spells_us(begin, end) ||
                        in(begin, WordList::kNamedPlaces);
    const bool by_noun =
        in(last, WordList::kPlaceNouns) || in(begin, WordList::kDirections) ||
        is(begin, {"lake", "mount", "mt", "st", "fort", "cape", "port", "san", "santa", "los",
                   "las", "new", "el", "saint", "isle", "bay", "university", "gulf"});
    if (in(last, WordList::kNoPlaces) || in(begin, WordList::kNoPlaces)) return false;
    if (in(last, WordList::kPeoples) || (!listed && line_.lower(last).ends_with("ans")))
      return false;
    if (end - begin > 1 && in(begin, WordList::kGivenNames) && !by_noun && !listed) return false;
    if (is(preposition, {"to", "from", "into", "through", "toward", "towards", "onto", "via"}))
      return (listed || by_noun) && moves(preposition);
    if (is(preposition,
           {"on", "over", "off", "under", "behind", "above", "below", "beneath", "beyond"}))
      return by_noun || is(last, {"earth", "mars"});
    if (!listed && !by_noun && end - begin == 1 &&
        (line_.is_all_capitals(begin) || in(begin, WordList::kGivenNames)))
      return false;
    return is(preposition, {"in", "at", "near", "across", "around", "outside", "inside",
                            "throughout", "within", "along", "opposite", "beside"}) &&
           (!is(preposition, {"within", "along", "around", "across", "beside", "outside"}) ||
            listed || by_noun);
  }

  bool spells_us(std::size_t begin, std::size_t end) const {
    return end - begin >= 3 && is(begin, {"u", "d"}) && is(begin + 2, {"s", "k", "c"});
  }

  // A verb of motion stands before the preposition, in its clause.
  bool moves(std::size_t preposition) const {
    for (std::size_t back = 1; back <= kMotionReach && back <= preposition; ++back) {
      const std::size_t at = preposition - back;
      if (in(at, WordList::kMotion)) return true;
      if (line_[at].is(facts::kComma | facts::kEnd | facts::kStop | facts::kThat | facts::kWh))
        return false;
    }
    return false;
  }

  // --- Nouns ---

  // The end of modifiers and a noun that names a kind of place, `at` for none.
  std::size_t noun_end(std::size_t at) const {
    for (std::size_t noun = at; noun <= at + kMaxModifiers && is_free(noun); ++noun) {
      const bool names_place =
          in(noun, WordList::kPlaceNouns) ||
          (in(noun, WordList::kPlaceParts) && (line_.is(noun + 1, "of") || at == noun));
      if (names_place && ends_noun(noun + 1)) return noun + 1;
      const facts::Unit& unit = line_[noun];
      const bool modifies = unit.classes == 0 || unit.is("'s") || line_.is_capital(noun) ||
                            in(noun, WordList::kAdjectives) ||
                            is(noun, {"other", "two", "three"}) ||
                            (unit.is("-") && noun > at && line_.touches_next(noun));
      if (!modifies || line_.is(noun, ",")) return at;
    }
    return at;
  }

  bool preposition_fits_noun(std::size_t preposition, std::size_t noun) const {
    if (is(noun, {"place",  "state", "states", "ground", "floor",   "bar",    "base",
                  "plant",  "top",   "bottom", "centre", "center",  "heart",  "middle",
                  "corner", "edge",  "foot",   "market", "markets", "nation", "club",
                  "spot",   "area",  "areas",  "mouth",  "fields",  "court"})) {
      const bool located = is(preposition, {"in", "at", "near", "on"}) &&
                           (line_.is(preposition, "in") || !line_.is(noun, "heart")) &&
                           line_.is(noun + 1, "of") &&
                           (line_.is_capital(noun + 2) || line_.is_capital(noun + 3));
      const bool plain = is(noun, {"area", "areas", "club", "bar", "nation", "plant", "base",
                                   "ground", "floor"}) &&
                         is(preposition, {"in", "at", "on", "near", "across", "throughout"});
      return located || plain;
    }
    if (line_.is(noun, "world") && !is(noun - 1, {"the", "whole", "entire"})) return false;
    if (is(preposition, {"to", "from", "into", "through", "toward", "towards", "onto", "via"}))
      return moves(preposition);
    if (is(preposition, {"over", "under", "above", "below", "beyond"}))
      return is(noun, {"bridge", "river", "sea", "ocean", "city", "town", "house", "mountains",
                       "water", "roof", "canal", "valley", "village"});
    return true;
  }

  // "the coast | of Spain", "the city | of Vienna", "the town | of his birth": the first two.
  std::size_t with_part_of(std::size_t end) const {
    if (!line_.is(end, "of")) return end;
    const std::size_t bare = after_article(end + 1);
    const std::size_t name = name_end(bare);
    if (name > bare && ends_noun(name)) return name;
    const std::size_t noun = noun_end(bare);
    return noun > bare ? noun : end;
  }

  // "Portland, Oregon"
  std::size_t with_state(std::size_t end) const {
    if (!line_.is_capital(end - 1) || !line_.is(end, ",")) return end;
    const std::size_t name = name_end(end + 1);
    if (name == end + 1) return end;
    const bool state = in(name - 1, WordList::kStates) || in(name - 1, WordList::kCountries) ||
                       spells_us(end + 1, name);
    return state && !line_.is(name, "and") ? name : end;
  }

  const Line& line_;
  std::vector<bool> taken_;
};

}  // namespace

std::vector<Phrase> find_places(const Line& line, const std::vector<Phrase>& times) {
  return Finder(line, times).find();
}

}  // namespace diffie::reshape
