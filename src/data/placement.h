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
};

struct SlotToken {
  std::uint32_t slot = 0;                 // never falls from token to token
  std::optional<std::int32_t> skip_cost;  // nullopt: must be placed
  std::vector<Candidate> candidates;
};

// All costs are whole numbers, hundredths of a unit, so that equal placements compare as equal.
struct PlacementCosts {
  std::int32_t gap = 100;          // a step forward inside a slot that leaves words out ...
  std::int32_t gap_word = 20;      // ... for each such word
  std::int32_t back = 400;         // a step backward inside a slot ...
  std::int32_t back_word = 20;     // ... for each word on the way
  std::int32_t between_word = 10;  // from the end of a slot to the next one, for each word
  std::int32_t between_back = 50;  // the next slot stands before
  std::int32_t max_words = 40;     // longer ways cost no more
};

struct Placement {
  std::vector<std::optional<Candidate>> places;  // per token; nullopt: skipped
  std::int32_t cost = 0;
};

// The optimum over all placements in which every slot that has tokens gets at least one place:
// A* whose lower bound is the optimum without "no two tokens take the same place", found by dynamic
// programming. nullopt when there is none, or after `max_expansions` states.
std::optional<Placement> place_tokens(std::span<const SlotToken> tokens,
                                      const PlacementCosts& costs = {},
                                      std::size_t max_expansions = 20000);

}  // namespace diffie::data
