#include "facts/reader.h"

#include <algorithm>

#include "facts/governor.h"
#include "facts/orders.h"

namespace diffie::facts {
namespace {

constexpr int kDepth = 4;  // verbs that govern verbs that govern ...
constexpr std::size_t kReach = 8;

class Reader {
 public:
  Reader(Units units, const Outline& outline, const TripleUnits& triple)
      : units_(units), outline_(outline), triple_(triple) {}

  Reading read() {
    Clause clause;
    const std::size_t head = head_of_relation();
    clause.subject = subject_before(head);
    std::vector<bool> in_relation(units_.size());
    for (const std::size_t unit : triple_.relation) in_relation[unit] = true;
    clause.group = verb_group(units_, head, in_relation, clause.subject.end);
    Reading reading = read_clause(clause, 0);
    if (object_is_denied(clause.group)) reading.negative = true;
    if (object_is_contrasted(clause.group)) reading.negative = false;
    apply_outline(clause, reading);
    return reading;
  }

 private:
  bool is(std::size_t at, Classes any) const { return at < units_.size() && units_[at].is(any); }
  bool word(std::size_t at, std::string_view text) const {
    return at < units_.size() && units_[at].is(text);
  }

  // The last word that can be a verb or what it says ("is the capital of": "capital").
  std::size_t head_of_relation() const {
    constexpr Classes kNoHead =
        kPreposition | kDeterminer | kAnd | kNot | kTo | kMark | kThat | kWh | kSubordinator;
    for (std::size_t index = triple_.relation.size(); index-- > 0;) {
      const Unit& unit = units_[triple_.relation[index]];
      if (unit.is("like") && (index == 0 || units_[triple_.relation[index - 1]].is(kAuxiliary)))
        return triple_.relation[index];
      if (!unit.is(kNoHead) && (!unit.is(kAdverb) || unit.is(kBaseVerb))) {
        return triple_.relation[index];
      }
    }
    return triple_.relation.back();
  }

  // The last run of the subject's units before the head.
  Region subject_before(std::size_t head) const {
    Region region;
    for (const std::size_t unit : triple_.subject) {
      if (unit >= head) break;
      if (region.empty()) region.begin = unit;
      region.end = unit + 1;
    }
    return region;
  }

  // --- The verb, what governs it, what introduces its clause ---

  Reading read_clause(const Clause& clause, int depth) {
    const VerbGroup& group = clause.group;
    Reading reading;
    reading.negative = group.negative;
    if (group.possible) reading.modality = Modality::kPossible;
    if (group.aside) reading.adverbial = true;
    if (group.governor != kNowhere) {
      return depth < kDepth ? governed(reading, group.governor, false, depth) : reading;
    }
    if (in_relative_clause(clause) || is_participle(clause)) {
      reading.relative = true;
      return reading;
    }
    if (is_order(units_, outline_, clause)) reading.modality = Modality::kImperative;
    return introduced(reading, clause, depth);
  }

  bool in_relative_clause(const Clause& clause) const {
    std::size_t at = clause.group.begin;
    if (at == 0) return false;
    --at;
    if (units_[at].is(kComma | kAdverb) && at > 0) --at;
    if (!units_[at].is(kWh | kThat) || at == 0) return false;
    if (!clause.subject.has(at)) return !clause.subject.empty() || !units_[at - 1].is(kMark | kAnd);
    return at > outline_.start && !units_[at - 1].is(kMark | kAnd | kReports | kAsk);
  }

  // "the city, founded in 1291,"
  bool is_participle(const Clause& clause) const {
    const VerbGroup& group = clause.group;
    const std::size_t verb = first_verb(units_, group);
    if (clause.subject.empty() || clause.subject.end + 1 != group.begin) return false;
    return units_[group.begin - 1].is(kComma) &&
           (units_[verb].is(kPastVerb) || units_[verb].text.ends_with("ed")) &&
           !units_[verb].is(kAuxiliary);
  }

  // From the subject to the left: what makes this clause part of another one.
  Reading introduced(Reading reading, const Clause& clause, int depth) {
    std::size_t begin = clause.subject.empty() ? clause.group.begin : clause.subject.begin;
    const std::size_t subject_begin = begin;
    while (begin > 0 && units_[begin - 1].is(kDeterminer | kNo) && !units_[begin - 1].is(kPronoun))
      --begin;
    if (subject_is_denied({begin, clause.subject.end})) reading.negative = !reading.negative;
    begin = take_inversion(begin, clause, reading);
    reading.inverted = begin < subject_begin && units_[begin].is(kAuxiliary);
    for (std::size_t at = begin; at > 0; --at) {
      const Unit& unit = units_[at - 1];
      if (unit.is(kHedge) && reading.modality == Modality::kCertain)
        reading.modality = Modality::kPossible;
      if (unit.is(kNot) && at == begin && denies(units_, at - 1)) reading.negative = true;
      if (unit.is(kMark)) return after_mark(reading, at - 1, depth);
      if (unit.is(kThat)) return after_that(reading, at - 1, depth);
      if (unit.is(kWhether) || (unit.is(kIf) && is_asked(at - 1))) return asked(reading);
      if (unit.is(kIf)) return reading;
      if (unit.is(kWh) && reading.inverted) return reading;
      if (unit.is(kWh) && !unit.is(kSubordinator)) {
        reading.relative = at - 1 > outline_.start && !units_[at - 2].is(kMark);
        reading.relative = reading.relative || (at > 1 && units_[at - 2].is(kComma));
        return reading;
      }
      if (unit.is(kSubordinator) && (!unit.is(kPreposition) || at == begin)) {
        reading.adverbial = !is_question_word(at - 1);
        return reading;
      }
      if (unit.is(kAnd)) {
        reading.negative = reading.negative || unit.is("nor");
        return reading;
      }
      if (takes_bare_clause(at - 1, begin)) return governed(reading, at - 1, true, depth);
    }
    return reading;
  }

  bool is_question_word(std::size_t at) const {
    return units_[at].is(kWh) && is(at + 1, kAuxiliary);
  }

  // "X said | the treaty was dead", "told reporters | the bank was safe"
  bool takes_bare_clause(std::size_t at, std::size_t clause_begin) const {
    if (!units_[at].is(kTakesClause) || is_noun(units_, at)) return false;
    const Unit& unit = units_[at];
    const bool far = unit.is(kOrder) || unit.text.starts_with("sa") || unit.text.starts_with("th");
    if (unit.is(kReports)) return clause_begin - at <= (far ? 5 : 1);
    return clause_begin - at == 1 && units_[at].is(kKnow);
  }

  // "Did | the minister sign", "Nor did | the bank inform"
  std::size_t take_inversion(std::size_t begin, const Clause& clause, Reading& reading) {
    std::size_t at = begin;
    if (clause.subject.empty() || at == 0) return begin;
    if (units_[at - 1].is(kNot) && at > 1) --at;
    if (at == 0 || !units_[at - 1].is(kAuxiliary)) return begin;
    if (at - 1 > 0 && is_finite_subject_before(at - 1)) return begin;
    if (at < begin && denies(units_, at)) reading.negative = !reading.negative;
    --at;
    if (units_[at].is(kModal) && reading.modality == Modality::kCertain)
      reading.modality = Modality::kPossible;
    if (begins_with_denial(at)) reading.negative = true;
    return at;
  }

  // "At no time | did", "Nor | did"
  bool begins_with_denial(std::size_t end) const {
    std::size_t begin = end;
    while (begin > 0 && end - begin < kReach && !units_[begin - 1].is(kMark | kAnd)) --begin;
    if (begin > 0 && units_[begin - 1].is("nor")) return true;
    if (begin < end && units_[begin].is(kPreposition)) ++begin;
    return begin < end && units_[begin].is(kNot | kNo) && denies(units_, begin);
  }

  // An auxiliary that has its own subject to the left is not inverted.
  bool is_finite_subject_before(std::size_t auxiliary) const {
    const Unit& before = units_[auxiliary - 1];
    return before.is(kPronoun) && !before.is(kWh);
  }

  bool subject_is_denied(Region subject) const {
    for (std::size_t at = subject.begin; at < subject.end && at < subject.begin + 2; ++at) {
      if (units_[at].is(kNo) && denies(units_, at)) return true;
    }
    if (subject.begin == 0 || subject.empty()) return false;
    const Unit& before = units_[subject.begin - 1];
    if (subject.begin > 1 && units_[subject.begin - 2].is(kAuxiliary)) return false;  // "didn't he"
    if (before.is("no") && units_[subject.begin].is(kPronoun)) return false;  // "no, you can"
    return before.is(kNo | kNot) && denies(units_, subject.begin - 1) && !before.is("n't");
  }

  // --- What stands before the clause ---

  Reading after_mark(Reading reading, std::size_t mark, int depth) {
    std::size_t at = mark;
    bool speech = false;  // said: "p"
    while (at > 0 && units_[at].is(kMark)) {
      speech = speech || units_[at].is(kQuote) || units_[at].is(":");
      if (units_[at].is(kEnd)) return reading;
      --at;
    }
    if (units_[at].is(kHedge) && (at == 0 || units_[at - 1].is(kMark))) {
      if (reading.modality == Modality::kCertain) reading.modality = Modality::kPossible;
    }
    speech = speech || (units_[at].text.starts_with("sa") && mark == at + 1);  // says, p
    if (units_[at].is(kThat) && speech) return after_that(reading, at, depth);
    if (speech && at < mark && units_[at].is(kSay) && !is_noun(units_, at))
      return governed(reading, at, true, depth);
    for (const Condition& condition : outline_.conditions) {  // said that if q, p
      const std::size_t first = condition.antecedent.begin;
      if (condition.antecedent.end == mark && first > 0 && is(first - 1, kThat))
        return after_that(reading, first - 1, depth);
      if (condition.antecedent.end == mark && first > 0 && is(first - 1, kReports))
        return governed(reading, first - 1, true, depth);
    }
    return reading;
  }

  Reading after_that(Reading reading, std::size_t that, int depth) {
    for (std::size_t at = that; at > 0 && that - at < kReach; --at) {
      const Unit& unit = units_[at - 1];
      if (unit.is(kAnd) && at == that) return joined_that(reading, at - 1, depth);
      const bool beyond = at < that && !units_[that - 1].is(kComma | kAdverb);
      const bool fits =
          beyond ? unit.is(kReports) && !is_noun(units_, at - 1) : unit.is(kTakesClause);
      if (fits) return governed(reading, at - 1, true, depth);
      if (unit.is(kEnd | kStop | kWh | kThat | kAuxiliary)) break;
    }
    if (that == 0 || units_[that - 1].is(kMark)) return reading;
    const bool introduces = std::any_of(
        outline_.conditions.begin(), outline_.conditions.end(),
        [&](const Condition& condition) { return condition.antecedent.begin + 1 == that; });
    if (!introduces) reading.relative = true;  // not "provided that"
    return reading;
  }

  // "said that p and | that q"
  Reading joined_that(Reading reading, std::size_t conjunction, int depth) {
    const std::size_t first = find_last(units_, {0, conjunction}, kThat);
    return first == kNowhere ? reading : after_that(reading, first, depth);
  }

  bool is_asked(std::size_t at) const {
    return std::find(outline_.asked.begin(), outline_.asked.end(), at) != outline_.asked.end();
  }

  static Reading asked(Reading reading) {
    reading.modality = Modality::kQuestion;
    reading.adverbial = true;
    return reading;
  }

  // --- What a governor makes of it ---

  Reading governed(Reading inner, std::size_t governor, bool clause, int depth) {
    Clause outer;
    outer.group = verb_group(units_, governor, {}, 0);
    outer.subject = subject_of(outer.group);
    const bool noun = is_noun(units_, governor) || units_[governor].is(kEvidence);
    Reading said;
    if (noun) {
      const Region before = {governor < 4 ? 0 : governor - 4, governor};
      said.negative = find_last(units_, before, kNo | kNot) != kNowhere;
    } else if (depth < kDepth) {
      said = read_clause(outer, depth + 1);
    }
    if (!outer.subject.empty() && word(outer.subject.begin, "few")) said.negative = !said.negative;
    if (!clause) {
      put_infinitive_under(units_, outer, said, inner);
    } else if (noun) {
      put_under_noun(units_[governor], said, inner);
    } else {
      put_under_verb(units_, outer, said, inner);
    }
    inner.relative = inner.relative || said.relative;
    inner.adverbial = inner.adverbial || said.adverbial;
    return inner;
  }

  // The noun phrase before the verb; for "wants to say" that of "wants"; for "who" what it stands
  // for.
  Region subject_of(const VerbGroup& group) const {
    if (group.governor != kNowhere && group.governor < group.begin) {
      return subject_of(verb_group(units_, group.governor, {}, 0));
    }
    if (units_[group.begin].is(kTo)) return {};
    Region subject = noun_phrase_before(units_, group.begin);
    if (group.begin > 0 && units_[group.begin - 1].is(kWh | kThat)) {
      std::size_t end = group.begin - 1;
      if (end > 0 && units_[end - 1].is(kComma)) --end;
      const Region antecedent = noun_phrase_before(units_, end);
      if (!antecedent.empty()) subject = antecedent;
    }
    if (subject.empty() && group.begin > 0 && units_[group.begin - 1].is(kAnd)) {
      subject = noun_phrase_after(units_, outline_.start);
    }
    return subject;
  }

  // --- The object ---

  // "found nothing", "has no school", "by the Greeks, not by the Romans"
  bool object_is_denied(const VerbGroup& group) const {
    if (triple_.object.empty() || triple_.object.front() <= group.head) return false;
    std::size_t at = triple_.object.front();
    std::size_t first = at;
    while (first < triple_.object.back() && units_[first].is(kAdverb)) ++first;
    if (units_[first].is(kNo) && denies(units_, first)) return true;
    if (at > 1 && units_[at - 1].is("but") && units_[at - 2].is("anything")) return true;
    while (at > group.head + 1 && units_[at - 1].is(kPreposition | kDeterminer) &&
           !units_[at - 1].is(kNo))
      --at;
    const Unit& before = units_[at - 1];
    return at - 1 > group.head && before.is(kNo | kNot) && denies(units_, at - 1);
  }

  // "are not fish but | mammals", "anything but"
  bool object_is_contrasted(const VerbGroup& group) const {
    if (triple_.object.empty() || triple_.object.front() <= group.head + 1) return false;
    const std::size_t object = triple_.object.front();
    std::size_t but = object - 1;
    while (but > group.head && units_[but].is(kPreposition | kDeterminer | kAdverb)) --but;
    return units_[but].is("but") && find_first(units_, {group.begin, but}, kNot) < but;
  }

  // --- What the outline adds ---

  void apply_outline(const Clause& clause, Reading& reading) const {
    const std::size_t head = clause.group.head;
    if (reading.relative) return;
    reading.modality = outlined(head, reading);
    if (!reading.source) reading.source = source_at(clause);
  }

  // A condition is one also in a question; what follows from it may be asked.
  Modality outlined(std::size_t head, const Reading& reading) const {
    const bool settled =
        reading.modality == Modality::kQuestion || reading.modality == Modality::kImperative;
    const bool asked = std::any_of(outline_.questions.begin(), outline_.questions.end(),
                                   [&](const Region& question) { return question.has(head); });
    for (const Condition& condition : outline_.conditions) {
      if (condition.antecedent.has(head) && !(reading.inverted && asked) && !settled)
        return Modality::kConditional;
    }
    if (reading.adverbial) return reading.modality;
    if (reading.modality == Modality::kImperative &&
        find_first(units_, {0, head}, kGreeting) < head)
      return reading.modality;
    if (asked) return Modality::kQuestion;
    for (const Condition& condition : outline_.conditions) {
      if (condition.consequent.has(head) && !settled) return Modality::kConditional;
    }
    return reading.modality;
  }

  std::optional<Region> source_at(const Clause& clause) const {
    const std::size_t head = clause.group.head;
    for (const Source& source : outline_.sources) {
      if (!source.scope.has(head) || source.phrase.has(head)) continue;
      if (source.quoted_only && !outline_.quoted[head]) continue;
      return source.name;
    }
    return {};
  }

  Units units_;
  const Outline& outline_;
  const TripleUnits& triple_;
};

}  // namespace

Reading read_triple(Units units, const Outline& outline, const TripleUnits& triple) {
  return Reader(units, outline, triple).read();
}

}  // namespace diffie::facts
