// The cheapest way to give the words of three slots different places in a sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace diffie::data {

// A place that a token may take.
struct Candidate {
  std::uint32_t id = 0;   // no two tokens may take the same
  std::int32_t at = 0;    // position on the line along which distances are measured
  std::int32_t cost = 0;  // of taking it
  bool leads_on = false;  // stands right before the next slot: reached at the price of a new slot
};

struct SlotToken {
  std::uint32_t slot = 0;                 // never falls from token to token
  std::optional<std::int32_t> skip_cost;  // nullopt: must be placed
  bool auxiliary = false;                 // belongs to the word after it
  std::vector<Candidate> candidates;
};

// All costs are whole numbers, hundredths of a unit, so that equal placements compare as equal.
struct PlacementCosts {
  std::int32_t gap = 100;          // a step forward inside a slot that leaves words out ...
  std::int32_t gap_word = 20;      // ... for each such word
  std::int32_t back = 400;         // a step backward inside a slot ...
  std::int32_t back_word = 20;     // ... for each word on the way
  std::int32_t between_word = 10;  // from the end of a slot to the next one, for each word
  std::int32_t between_back = 60;  // the next slot stands before
  std::int32_t leads_on = 150;     // back to a place that leads on, on top of the way between slots
  std::int32_t max_words = 40;     // longer ways cost no more
  // In `was built and later torn down`, (was; torn down) is better than (was torn; down): a gap
  // costs this more for every word of the slot before it.
  std::int32_t late_gap = 3;
  // An auxiliary away from its verb is likely to be another verb's: before the slot in front of
  // it, behind the word it belongs to, or before a word in another form than the slot has.
  std::int32_t auxiliary_first = 150;
  std::int32_t auxiliary_back = 300;
  std::int32_t auxiliary_other_form = 200;
};

struct Placement {
  std::vector<std::optional<Candidate>> places;  // per token; nullopt: skipped
  std::int32_t cost = 0;
};

// The optimum over all placements in which every slot that has tokens gets at least one place:
// A* whose lower bound is the optimum without "no two tokens take the same place", found by dynamic
// programming. nullopt when there is none, when there are more than kMaxPlaces candidates in all,
// or after `max_expansions` states: bounds on the work for input that no one would write.
inline constexpr std::size_t kMaxPlaces = 4000;
std::optional<Placement> place_tokens(std::span<const SlotToken> tokens,
                                      const PlacementCosts& costs = {},
                                      std::size_t max_expansions = 20000);

}  // namespace diffie::data
