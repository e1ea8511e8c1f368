#include "facts/outline.h"

#include <algorithm>

namespace diffie::facts {
namespace {

class Outliner {
 public:
  explicit Outliner(Units units) : units_(units) {}

  Outline make() {
    while (out_.start < units_.size() && units_[out_.start].is(kMark)) ++out_.start;
    mark_quotes();
    for (std::size_t at = 0; at < units_.size(); ++at) {
      if (units_[at].is(kEnd) && units_[at].text.find('?') != std::string_view::npos)
        add_question(at);
      if (units_[at].is(kIf) && asks_whether(at)) out_.asked.push_back(at);
      if (const std::size_t words = opens_condition(at); words > 0) add_condition(at, words);
      if (word(at, "according") && word(at + 1, "to")) add_according(at);
      if (word(at, "view") || word(at, "opinion")) add_view(at);
      if (quotes(at)) add_said(at);
    }
    if (out_.questions.empty()) add_unmarked_question();
    if (out_.questions.empty()) add_inverted_condition();
    out_.begins_with_order = begins_with_order();
    return std::move(out_);
  }

 private:
  bool word(std::size_t at, std::string_view text) const {
    return at < units_.size() && units_[at].is(text);
  }
  bool is(std::size_t at, Classes any) const { return at < units_.size() && units_[at].is(any); }

  void mark_quotes() {
    out_.quoted.resize(units_.size());
    bool inside = false;
    for (std::size_t at = 0; at < units_.size(); ++at) {
      const Unit& unit = units_[at];
      if (unit.is(kQuote)) inside = unit.is("”") || unit.is("''") ? false : !inside;
      out_.quoted[at] = inside;
    }
  }

  // Whether a clause can begin here.
  bool at_clause(std::size_t at) const {
    return at <= out_.start || units_[at - 1].is(kMark | kAnd | kThat);
  }

  // An auxiliary before its subject, or a question word.
  bool opens_question(std::size_t at) const {
    if (!at_clause(at)) return false;
    const bool inverted = is(at, kAuxiliary) && !is(at + 1, kMark);
    if (!is(at, kWh)) return inverted;
    return !is(at, kSubordinator) || is(at + 1, kAuxiliary);
  }

  void add_question(std::size_t mark) {
    const bool in_quotes = out_.quoted[mark];
    std::size_t begin = mark;
    while (begin > 0 && !units_[begin - 1].is(kEnd) && !(in_quotes && units_[begin - 1].is(kQuote)))
      --begin;
    for (std::size_t at = begin; at < mark; ++at) {
      if (!opens_question(at)) continue;
      const bool is_tag = mark - at <= 4 && at > begin && units_[at - 1].is(kComma) &&
                          units_[mark - 1].is(kPronoun);
      if (!is_tag) begin = at;
      break;
    }
    out_.questions.push_back({begin, mark});
  }

  // Without its mark a question is told by its first words only.
  void add_unmarked_question() {
    std::size_t at = out_.start;
    if (is(at, kWh)) ++at;
    const bool wh = at > out_.start;
    if (!is(at, kBe | kHave | kDo | kWill | kModal)) return;
    if (word(at, "may") || word(at, "had") || word(at, "were") || word(at, "should") ||
        word(at, "being") || word(at, "having") || word(at, "be"))
      if (!wh) return;
    std::size_t next = at + 1;
    if (is(next, kNot)) ++next;
    const bool bare = word(at, "do") || word(at, "have");
    const bool person =
        word(next, "i") || word(next, "you") || word(next, "we") || word(next, "they");
    const bool subject = bare && !wh ? person : is(next, kPronoun | kDeterminer);
    if (subject) out_.questions.push_back({out_.start, units_.size()});
  }

  // The number of words that open an antecedent here, 0 for none.
  std::size_t opens_condition(std::size_t at) const {
    if (units_[at].is(kIf)) return asks_whether(at) ? 0 : 1;
    if (word(at, "in") && word(at + 1, "case") && !word(at + 2, "of")) return 2;
    if ((word(at, "provided") || word(at, "providing")) && (is(at + 1, kThat) || at_clause(at)))
      return is(at + 1, kThat) ? 2 : 1;
    if ((word(at, "as") || word(at, "so")) && word(at + 1, "long") && word(at + 2, "as")) return 3;
    if ((word(at, "assuming") || word(at, "suppose") || word(at, "supposing")) && at == out_.start)
      return 1;
    if (word(at, "as") && word(at + 1, "though")) return 2;
    return 0;
  }

  // "asked him if", "see if".
  bool asks_whether(std::size_t at) const {
    if (at == 0 || units_[at].is("unless")) return false;
    if (units_[at - 1].is("sure") && find_first(units_, {at < 4 ? 0 : at - 4, at}, kNot) == at)
      return false;  // "make sure if"
    if (units_[at - 1].is(kAsk) && !is_noun(units_, at - 1)) return true;
    return at > 1 && units_[at - 2].is(kAsk) && units_[at - 2].is(kOrder) &&
           !units_[at - 1].is(kMark);
  }

  // Where the clause of the sentence that holds `at` ends: a stop, or a comma with "but".
  std::size_t clause_end(std::size_t at) const {
    for (; at < units_.size(); ++at) {
      if (units_[at].is(kEnd | kStop)) return at;
      if (units_[at].is(kComma) && (word(at + 1, "but") || word(at + 1, "yet"))) return at;
    }
    return at;
  }

  std::size_t clause_begin(std::size_t at) const {
    for (; at > 0; --at) {
      const Unit& unit = units_[at - 1];
      if (unit.is(kEnd | kStop)) return at;
      if ((unit.is("but") || unit.is("yet")) && at > 1 && units_[at - 2].is(kComma)) return at;
    }
    return at;
  }

  void add_condition(std::size_t at, std::size_t words) {
    const bool concedes = at > 0 && (units_[at - 1].is("even") || units_[at - 1].is("as"));
    const bool compares = concedes || word(at, "as");
    const std::size_t before = concedes ? at - 1 : at;
    // A condition in quotation marks ends with them.
    const Classes ends = out_.quoted[at] ? kComma | kStop | kEnd | kQuote : kComma | kStop | kEnd;
    Condition condition;
    condition.antecedent = {at, find_first(units_, {at + words, units_.size()}, ends)};
    const bool is_short = condition.antecedent.end - at <= words + 1 || word(at + 1, "not");
    if (is_short && at > out_.start) return;  // "if any"
    const bool is_comparison = compares && words != 3;
    const bool leads = leads_clause(before);
    const std::size_t end = condition.antecedent.end;
    if (leads && !is_comparison && is(end, kComma)) {
      condition.consequent = {end, clause_end(end + 1)};
    } else if (!is_comparison && before > out_.start && !is(end, kQuote)) {
      const bool comma = units_[before - 1].is(kComma);
      condition.consequent = {consequent_begin(comma ? before - 1 : before), before};
    }
    out_.conditions.push_back(condition);
  }

  // Only adverbs stand between here and the beginning of a clause.
  bool leads_clause(std::size_t at) const {
    while (at > out_.start && units_[at - 1].is(kAdverb | kGreeting)) --at;
    return at <= out_.start || units_[at - 1].is(kMark | kAnd | kThat | kReports);
  }

  // Of a consequent that ends where its condition begins.
  std::size_t consequent_begin(std::size_t end) const {
    constexpr Classes kBoundary = kComma | kStop | kQuote | kEnd | kThat | kSubordinator;
    for (std::size_t at = end; at > 0; --at) {
      if (units_[at - 1].is(kBoundary) || units_[at - 1].is("but")) return at;
      const bool reports = units_[at - 1].is(kReports) && !units_[at - 1].text.ends_with("ing");
      if (reports && is_finite(units_, at - 1)) return at;
    }
    return 0;
  }

  // "Had he known, he would have left."
  void add_inverted_condition() {
    const std::size_t at = out_.start;
    if (!word(at, "had") && !word(at, "were") && !word(at, "should")) return;
    const std::size_t comma = find_first(units_, {at, units_.size()}, kComma | kEnd);
    if (is(comma, kComma)) out_.conditions.push_back({{at, comma}, {comma, clause_end(comma)}});
  }

  void add_according(std::size_t at) {
    const std::size_t end = find_first(units_, {at + 2, units_.size()}, kMark);
    out_.sources.push_back({{at + 2, end}, {at, end}, {clause_begin(at), clause_end(end)}});
  }

  // "in her view", "in the minister's opinion", "in the opinion of X".
  void add_view(std::size_t at) {
    const std::size_t in = find_last(units_, {at < 6 ? 0 : at - 6, at}, kPreposition | kMark);
    if (in == kNowhere || !units_[in].is("in") || in + 1 == at) return;
    Region name = {in + 1, units_[at - 1].is("'s") ? at - 1 : at};
    std::size_t end = at + 1;
    if (word(at + 1, "of")) {
      name = noun_phrase_after(units_, at + 2);
      end = name.end;
    } else if (units_[at - 1].is("the") || units_[at - 1].is("this") || units_[at - 1].is("a")) {
      return;
    }
    out_.sources.push_back({name, {in, end}, {clause_begin(in), clause_end(end)}});
  }

  // A verb that can stand beside what is said: no participle, no name.
  bool quotes(std::size_t at) const {
    const Unit& unit = units_[at];
    if (!unit.is(kSay | kThink) || unit.text.ends_with("ing") || is_noun(units_, at)) return false;
    return !units_[at].capital || at == out_.start;
  }

  // "p, X said", "p, said X", "p, X said, p".
  void add_said(std::size_t verb) {
    std::size_t group = verb;
    while (group > 0 && units_[group - 1].is(kAuxiliary | kAdverb)) --group;
    const std::size_t mark = find_first(units_, {verb, units_.size()}, kMark);
    for (std::size_t at = verb + 1; at < mark; ++at) {
      if (is_finite(units_, at) || units_[at].is(kThat | kIf | kWhether | kTo)) return;
    }
    Source source;
    // ", announced Monday," is no source, ", said Monday," would be.
    const bool inverts = units_[verb].text.starts_with("sa") || !is(mark, kComma);
    if (inverts && group > 0 && units_[group - 1].is(kComma | kQuote) && units_[verb].is(kSay)) {
      source.name = noun_phrase_after(units_, verb + 1);
      source.phrase = {group, mark};
    }
    if (source.name.empty()) {
      source.name = noun_phrase_before(units_, group);
      source.phrase = {source.name.begin, mark};
    }
    const std::size_t begin = source.phrase.begin;
    const Unit& last = units_[source.name.empty() ? 0 : source.name.end - 1];
    if (find_first(units_, {group, verb}, kBe) < verb || last.is(kWh)) return;
    if (last.is(kDeterminer) && !last.is(kPronoun)) return;  // "our proposed provisions"
    if (source.name.empty() || begin < 2 || !units_[begin - 1].is(kComma | kQuote)) return;
    if (units_[out_.start].is(kSubordinator | kIf | kPreposition) && !is(mark, kComma)) return;
    source.quoted_only = out_.quoted[begin - 2] || units_[begin - 1].is(kQuote);
    source.scope = {clause_begin(begin), is(mark, kComma) ? clause_end(mark + 1) : begin};
    if (source.quoted_only) source.scope = {0, units_.size()};
    out_.sources.push_back(source);
  }

  bool begins_with_order() const {
    std::size_t at = out_.start;
    while (is(at, kGreeting | kAdverb | kNot) || (word(at, "do") && is(at + 1, kNot))) ++at;
    if (at >= units_.size() || !units_[at].is(kBaseVerb)) return false;
    return !is_finite(units_, at) || units_[at].is(kBaseVerb);
  }

  Units units_;
  Outline out_;
};

}  // namespace

Outline make_outline(Units units) { return Outliner(units).make(); }

}  // namespace diffie::facts
