// Shallow phrases over units: where a noun phrase begins and ends, whether a word is used as a
// verb.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "facts/units.h"

namespace diffie::facts {

inline constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

// Units [begin, end).
struct Region {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool empty() const { return begin >= end; }
  bool has(std::size_t unit) const { return unit >= begin && unit < end; }
};

using Units = std::span<const Unit>;

// A word of the lists that stands here as a noun: "the report", "no claim".
bool is_noun(Units units, std::size_t at);

// A form that can be the predicate of a clause: auxiliaries, irregular pasts, reporting verbs.
bool is_finite(Units units, std::size_t at);

// Could be an infinitive or an imperative.
bool is_bare(const Unit& unit);

// The noun phrase that ends before `end`, without what stands between commas behind it ("the
// minister, who resigned,"). Empty where there is none.
Region noun_phrase_before(Units units, std::size_t end);

// The noun phrase that begins at `begin`, up to a mark, a verb or a clause.
Region noun_phrase_after(Units units, std::size_t begin);

// The first unit in [begin, end) of one of the classes, else `end`.
std::size_t find_first(Units units, Region within, Classes any);

// The last one, else kNowhere.
std::size_t find_last(Units units, Region within, Classes any);

}  // namespace diffie::facts
