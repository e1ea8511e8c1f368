#include "facts/governor.h"

namespace diffie::facts {
namespace {

void weaken(Reading& reading, Modality modality) {
  if (reading.modality == Modality::kCertain) reading.modality = modality;
}

void deny(Reading& reading) { reading.negative = !reading.negative; }

bool is_somebody(Units units, Region name) {
  if (name.empty()) return false;
  const Unit& first = units[name.begin];
  return !first.is(kNo | kWh | kGreeting) && !first.is("it") && !first.is("few");
}

void put_under_report(Units units, const Clause& outer, const Reading& said, Reading& inner) {
  const Unit& verb = units[outer.group.head];
  if (said.modality == Modality::kImperative) return;        // "Tell Anna that p"
  if (outer.group.passive && !verb.text.ends_with("ing")) {  // "it was reported that p"
    if (said.negative) deny(inner);
    weaken(inner, Modality::kPossible);
    return;
  }
  // A negated denial or statement leaves p open, a negated belief denies it.
  const bool denies = verb.is(kDeny | kDoubt);
  if (denies != said.negative) {
    denies || verb.is(kThink) ? deny(inner) : weaken(inner, Modality::kPossible);
  } else if (denies) {
    weaken(inner, Modality::kPossible);
  }
  if (verb.is(kDoubt | kHint)) weaken(inner, Modality::kPossible);
  weaken(inner, said.modality);
  if (is_somebody(units, outer.subject)) inner.source = outer.subject;
}

}  // namespace

void put_under_noun(const Unit& noun, const Reading& said, Reading& inner) {
  if (noun.is(kFalse) || (noun.is(kEvidence) && said.negative)) {
    deny(inner);
  } else if (noun.is(kEvidence | kGuess | kReports)) {
    weaken(inner, Modality::kPossible);
  }
}

void put_under_verb(Units units, const Clause& outer, const Reading& said, Reading& inner) {
  const Unit& verb = units[outer.group.head];
  if (verb.is(kReports)) return put_under_report(units, outer, said, inner);
  if (verb.is(kFalse | kUnlikely | kTrue | kGuess)) {
    if (verb.is(kFalse | kUnlikely) != said.negative) deny(inner);
    if (verb.is(kUnlikely) || (verb.is(kGuess) && !verb.is(kFalse | kTrue)))
      weaken(inner, Modality::kPossible);
  }
  if (!verb.is(kKnow)) weaken(inner, said.modality);
}

void put_infinitive_under(Units units, const Clause& outer, const Reading& said, Reading& inner) {
  const Unit& verb = units[outer.group.head];
  const bool passive = outer.group.passive;
  bool claims = false;  // the event is the subject's claim
  if (said.negative) deny(inner);
  if (verb.is(kAccuse)) {
    weaken(inner, Modality::kPossible);
    claims = true;
  } else if (verb.is(kDeny)) {
    deny(inner);
    claims = true;
  } else if (verb.is(kFail | kUnlikely)) {
    deny(inner);
    if (!verb.is(kFail)) weaken(inner, Modality::kPossible);
  } else if (verb.is(kSay) && !passive && !verb.is(kWant | kOrder)) {
    claims = true;
  } else if (verb.is(kWant | kOrder | kGuess) || (verb.is(kReports) && passive)) {
    if (!verb.is(kManage | kForce)) weaken(inner, Modality::kPossible);
  }
  weaken(inner, said.modality);
  if (claims && !passive && is_somebody(units, outer.subject)) inner.source = outer.subject;
}

}  // namespace diffie::facts
