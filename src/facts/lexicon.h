// What a list can tell of an English word: whether it denies, hedges, reports, asks, joins clauses.
#pragma once

#include <cstdint>
#include <string_view>

namespace diffie::facts {

// A word may have several.
using Classes = std::uint64_t;

enum Class : Classes {
  // Words of a verb group.
  kBe = 1ull << 0,
  kHave = 1ull << 1,
  kDo = 1ull << 2,
  kWill = 1ull << 3,   // will, can, shall: what follows is said to be so
  kModal = 1ull << 4,  // may, could, should: what follows is possible or wanted
  kNot = 1ull << 5,    // not, never, hardly
  kAdverb = 1ull << 6,
  kHedge = 1ull << 7,  // allegedly, perhaps
  kTo = 1ull << 8,
  // Nominal and joining words.
  kNo = 1ull << 9,  // no, none, nobody, nothing
  kDeterminer = 1ull << 10,
  kPronoun = 1ull << 11,
  kPreposition = 1ull << 12,
  kAnd = 1ull << 13,  // and, or, nor, but
  kThat = 1ull << 14,
  kWh = 1ull << 15,            // who, which, what
  kSubordinator = 1ull << 16,  // because, when: what follows is a fact beside the main clause
  kIf = 1ull << 17,
  kWhether = 1ull << 18,
  // Words that take a clause, an infinitive or a gerund, by what they make of it.
  kSay = 1ull << 19,       // said that p: somebody's claim
  kThink = 1ull << 20,     // as kSay; denied, it denies p
  kDeny = 1ull << 21,      // denied that p
  kDoubt = 1ull << 22,     // doubts that p: denied and open
  kKnow = 1ull << 23,      // knows that p: p holds
  kTrue = 1ull << 24,      // it is true that p
  kFalse = 1ull << 25,     // it is false that p
  kEvidence = 1ull << 26,  // evidence that p
  kGuess = 1ull << 27,     // rumours that p, it is possible that p
  kUnlikely = 1ull << 28,  // unlikely that p, unlikely to p
  kFail = 1ull << 29,      // failed to p, avoided p, prevented x from p
  kWant = 1ull << 30,      // wants to p, is expected to p
  kManage = 1ull << 31,    // managed to p: p holds
  kOrder = 1ull << 32,     // told x to p
  kForce = 1ull << 33,     // forced x to p: p holds
  kAsk = 1ull << 34,       // asks whether p
  kAccuse = 1ull << 35,    // accused x of p
  // Shapes.
  kBaseVerb = 1ull << 36,  // common verbs in their bare form
  kPastVerb = 1ull << 37,  // irregular past forms
  kGreeting = 1ull << 38,  // please, kindly: before an order
  // Marks.
  kComma = 1ull << 39,
  kStop = 1ull << 40,  // ; : and dashes
  kBracket = 1ull << 44,
  kQuote = 1ull << 41,
  kEnd = 1ull << 42,   // . ! ?
  kHint = 1ull << 43,  // verbs of kSay and kThink that leave p open: suspects that p
};

inline constexpr Classes kAuxiliary = kBe | kHave | kDo | kWill | kModal;
inline constexpr Classes kMark = kComma | kStop | kBracket | kQuote | kEnd;
inline constexpr Classes kReports = kSay | kThink | kDeny | kDoubt;
// What may stand before "that" or a clause without it.
inline constexpr Classes kTakesClause =
    kReports | kKnow | kTrue | kFalse | kEvidence | kGuess | kUnlikely | kAsk;
inline constexpr Classes kTakesInfinitive =
    kFail | kWant | kManage | kOrder | kForce | kUnlikely | kGuess | kSay | kThink;
inline constexpr Classes kTakesObjectInfinitive = kWant | kOrder | kForce | kThink;

// What a name cannot be: "United States", "in May".
inline constexpr Classes kNoName = kReports | kTakesInfinitive | kTakesClause | kBaseVerb |
                                   kPastVerb | kModal | kWill | kAccuse | kHint;

// Of a lower-cased word without contractions.
Classes classes_of(std::string_view word);

}  // namespace diffie::facts
