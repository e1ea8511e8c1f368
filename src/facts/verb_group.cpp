#include "facts/verb_group.h"

#include <algorithm>
#include <array>

namespace diffie::facts {
namespace {

constexpr std::size_t kReach = 7;  // units over which a verb governs beyond its object

bool one_of(const Unit& unit, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), unit.text) != words.end();
}

class Builder {
 public:
  Builder(Units units, std::size_t head, const std::vector<bool>& in_relation,
          std::size_t subject_end)
      : units_(units), in_relation_(in_relation), subject_end_(subject_end) {
    group_.begin = group_.head = head;
  }

  VerbGroup build() {
    take(group_.head);
    take_right();
    take_left();
    if (group_.governor == kNowhere) join_conjunct();
    return group_;
  }

 private:
  bool in_relation(std::size_t at) const { return at < in_relation_.size() && in_relation_[at]; }

  // "is not", "was never"
  void take_right() {
    for (std::size_t at = group_.head + 1; at < units_.size(); ++at) {
      if (!units_[at].is(kNot | kAdverb)) break;
      take(at);
    }
  }

  void take(std::size_t at) {
    const Unit& unit = units_[at];
    if (unit.is(kNot) && denies(units_, at)) group_.negative = true;
    if (unit.is(kHedge)) group_.possible = true;
    if (unit.is(kModal) && !could_not(at)) group_.possible = true;
    if (unit.is("'d") && is_would(at)) group_.possible = true;
    if (unit.is(kBe) && at != group_.head) group_.passive = true;
  }

  // "he'd sing", not "he'd sung"
  bool is_would(std::size_t at) const {
    do ++at;
    while (at < group_.head && units_[at].is(kAdverb | kNot));
    return at < units_.size() && is_bare(units_[at]);
  }

  // "could not find" says that it was not found; "could not have found" is a guess.
  bool could_not(std::size_t at) const {
    if (!units_[at].is("could") || at + 1 >= units_.size() || !units_[at + 1].is(kNot))
      return false;
    return at + 2 >= units_.size() || !units_[at + 2].is("have");
  }

  void take_left() {
    while (group_.begin > 0 && group_.begin != subject_end_) {
      if (find_governor()) return;
      const std::size_t at = group_.begin - 1;
      const Unit& unit = units_[at];
      if (unit.is("'s") && at > 0 && units_[at - 1].is("let")) return;
      if (unit.is("longer") && at > 0 && units_[at - 1].is("no")) {
        group_.negative = true;
        group_.begin -= 2;
        continue;
      }
      if (!unit.is(kAuxiliary | kNot | kAdverb) && !in_relation(at)) return;
      if (unit.is(kTo) || (unit.is(kDeterminer) && !in_relation(at))) return;
      take(at);
      --group_.begin;
    }
  }

  bool find_governor() {
    const Unit& before = units_[group_.begin - 1];
    if (before.is(kTo)) return find_infinitive_governor();
    if (units_[group_.begin].text.ends_with("ing")) return find_gerund_governor();
    return false;
  }

  bool govern(std::size_t at) {
    group_.governor = at;
    return true;
  }

  bool find_infinitive_governor() {
    std::size_t at = group_.begin - 1;  // "to"
    while (at > 0 && !units_[at - 1].is(kTakesInfinitive) && units_[at - 1].is(kAdverb | kNot)) {
      --at;
      take(at);
    }
    group_.begin = at;
    if (at == 0) return true;
    if (units_[at - 1].is(kTakesInfinitive) && !is_name(at - 1)) return govern(at - 1);
    const std::size_t first = at < kReach ? 0 : at - kReach;
    for (--at; at > first; --at) {
      const Unit& unit = units_[at - 1];
      if (unit.is(kMark | kAuxiliary | kThat | kWh | kSubordinator)) return true;
      if (unit.is(kTakesObjectInfinitive) && !is_noun(units_, at - 1)) return govern(at - 1);
    }
    return true;
  }

  bool is_name(std::size_t at) const { return at > 0 && units_[at].capital && is_noun(units_, at); }

  bool find_gerund_governor() {
    const std::size_t at = group_.begin - 1;
    const Unit& before = units_[at];
    if (before.is("without")) {
      group_.negative = !group_.negative;
      group_.aside = true;
      return true;
    }
    if (before.is("from")) return find_governor_before(at, kFail);
    if (before.is("of") || before.is("about")) {
      if (at > 0 && units_[at - 1].is("instead")) {
        group_.negative = group_.aside = true;
        return true;
      }
      return find_governor_before(at, kAccuse | kThink | kWant);
    }
    if (!before.is(kFail | kWant | kDeny) || before.is(kAuxiliary) || before.is("keep") ||
        before.is("keeps") || before.is("kept"))
      return false;
    return govern(at);
  }

  bool find_governor_before(std::size_t end, Classes any) {
    for (std::size_t at = end; at > 0 && end - at < kReach; --at) {
      const Unit& unit = units_[at - 1];
      if (unit.is(kMark | kThat | kWh | kSubordinator)) return false;
      if (unit.is(any) && !unit.is(kAuxiliary)) return govern(at - 1);
      if (unit.is(kAuxiliary)) return false;
    }
    return false;
  }

  // "did not sing or | dance", "will sell the house and | buy a boat"
  void join_conjunct() {
    std::size_t at = group_.begin;
    while (at > 0 && units_[at - 1].is(kComma | kAdverb)) --at;
    if (at == 0 || at <= subject_end_ + 1 || !units_[at - 1].is(kAnd)) return;
    const Region between = {subject_end_, at - 1};
    std::size_t shared = kNowhere;
    if (units_[at - 1].is("or")) {
      shared = find_last(units_, between, kNot | kAuxiliary | kTo);
    } else if (units_[at - 1].is("and") && is_bare(units_[group_.begin])) {
      shared = find_last(units_, between, kDo | kWill | kModal | kTo);
    }
    if (shared == kNowhere || find_first(units_, between, kThat | kWh | kStop) < between.end)
      return;
    group_.begin = shared + 1;
    take_left();
  }

  Units units_;
  const std::vector<bool>& in_relation_;
  std::size_t subject_end_;
  VerbGroup group_;
};

}  // namespace

VerbGroup verb_group(Units units, std::size_t head, const std::vector<bool>& in_relation,
                     std::size_t subject_end) {
  return Builder(units, head, in_relation, subject_end).build();
}

bool denies(Units units, std::size_t at) {
  if (at + 1 >= units.size()) return true;
  const Unit& next = units[at + 1];
  if (units[at].is(kNo)) {
    if (units[at].is("no"))
      return !one_of(
          next, {"fewer", "less", "more", "doubt", "matter", "sooner", "later", "wonder", "."});
    if (units[at].is("none")) return !next.is("other");
    if (!units[at].is("nothing")) return true;
    return !one_of(next, {"but", "more", "less", "short"}) &&
           !(units[at].capital && next.capital);  // "Nothing Records": a name
  }
  if (one_of(next, {"only", "just", "merely", "simply", "least", "more", "less", "fewer", "until",
                    "far", "long", "surprisingly"}))
    return false;
  // "was not passed until 1990": it was.
  for (std::size_t right = at + 1; right < units.size() && !units[right].is(kMark | kAnd);
       ++right) {
    if (one_of(units[right], {"until", "till"})) return false;
  }
  return true;
}

}  // namespace diffie::facts
