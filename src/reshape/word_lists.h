// The closed lists that the rules of this room go by. Words are lower-cased.
#pragma once

#include <cstdint>
#include <string_view>

namespace diffie::reshape {

enum class WordList {
  kPronouns,
  // Coordination.
  kGivenNames,
  kTitles,        // Mr, Professor: before a name
  kPluralTitles,  // Presidents Bush and Clinton
  kAdjectives,    // those that no ending tells
  kInstitutions,  // of whose names "and" may be a part: Ministry, Commission
  kOneThing,      // "rock and roll", "Trinidad and Tobago": first and last word with "and" between
  kNameEndings,   // Inc, Jr: behind a comma that joins
  kPartners,      // a noun of which the parts are no examples: mixture, pair, border
  kTogether,      // words that make the parts act as one: between, together
  kMutualVerbs,   // with a plural subject: met, married
  kJoiningVerbs,  // with a plural object: combine, compare
  kNumberWords,
  kLargeNumbers,  // hundred, million
  // Time.
  kMonths,
  kWeekdays,
  kSeasons,
  kDayParts,
  kTimeUnits,
  kNow,         // today, recently
  kWhichTime,   // last, next, this
  kQuantities,  // several, few
  kHolidays,
  kTimePrepositions,
  kAges,  // antiquity, childhood
  // Place.
  kPlacePrepositions,
  kHere,         // here, abroad
  kPlaceNouns,   // city, river
  kBarePlaces,   // home, school: without an article
  kNamedPlaces,  // countries, states, cities
  kStates,       // behind the comma of "Portland, Oregon"
  kCountries,    // behind that of "Paris, France"
  kDirections,   // north, southwest
  kPlaceParts,   // coast, outskirts: followed by "of"
  kPeoples,      // German, Latin: no place though a name
  kNoPlaces,     // names that "in" goes with and that are no place
  kMotion,       // verbs before "to" and "from"
};

// The lists that a word is on, a bit each.
using WordLists = std::uint64_t;
WordLists lists_of(std::string_view word);

inline bool has(WordLists lists, WordList list) {
  return (lists >> static_cast<unsigned>(list) & 1) != 0;
}

}  // namespace diffie::reshape
