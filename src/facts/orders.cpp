#include "facts/orders.h"

#include <algorithm>

namespace diffie::facts {
namespace {

// "Please", "Do" and "Let" are nobody who signs.
bool is_nobody(Units units, Region subject) {
  for (std::size_t at = subject.begin; at < subject.end; ++at) {
    if (!units[at].is(kGreeting | kDo | kNot) && !units[at].is("let")) return false;
  }
  return true;
}

// "Please", "However ,"
bool is_prelude(Units units, std::size_t at) {
  if (units[at].is(kComma)) return at > 0 && units[at - 1].is(kGreeting | kAdverb);
  return units[at].is(kGreeting | kAdverb);
}

// Whether nothing but a preface, another order or a condition stands before the verb.
bool opens_order(Units units, const Outline& outline, std::size_t begin) {
  while (begin > outline.start && is_prelude(units, begin - 1)) --begin;
  if (units[begin].is("please") || units[begin].is("kindly")) return true;
  while (begin > outline.start && units[begin - 1].is(kDo | kNot)) --begin;
  if (begin <= outline.start) return true;
  const std::size_t before = begin - 1;
  if (units[before].is(kComma | kAnd) && outline.begins_with_order) return true;
  if (units[before].is(kStop | kEnd | kQuote)) return true;
  return units[before].is(kComma) &&
         std::any_of(outline.conditions.begin(), outline.conditions.end(),
                     [&](const Condition& each) { return each.antecedent.end == before; });
}

// "Anna, bring the chairs"
bool is_called(Units units, const Outline& outline, const Clause& clause, std::size_t verb) {
  const std::size_t begin = clause.group.begin;
  return units[verb].is(kBaseVerb) && begin >= 2 && units[begin - 1].is(kComma) &&
         clause.subject.end == begin - 1 && clause.subject.begin == outline.start;
}

}  // namespace

bool is_order(Units units, const Outline& outline, const Clause& clause) {
  const std::size_t verb = first_verb(units, clause.group);
  if (!is_bare(units[verb]) || units[verb].is("thank")) return false;
  const std::size_t begin = clause.group.begin;
  if (begin >= 2 && units[begin - 2].is("let")) {
    return units[begin - 1].is("'s") || units[begin - 1].is("us");
  }
  if (begin >= 1 && units[begin - 1].is("'s")) return false;
  const bool joined = begin > 0 && units[begin - 1].is(kAnd) && outline.begins_with_order &&
                      clause.subject.begin > outline.start;
  if (is_nobody(units, clause.subject) || joined) return opens_order(units, outline, begin);
  return is_called(units, outline, clause, verb);
}

std::size_t first_verb(Units units, const VerbGroup& group) {
  std::size_t at = group.begin;
  while (at < group.head && units[at].is(kNot | kAdverb | kDo | kGreeting)) ++at;
  return at;
}

}  // namespace diffie::facts
