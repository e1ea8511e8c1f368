// What the paper's filter keeps and loses, over several ways to divide the triples.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "diffie/lab/data.h"

namespace diffie::data {

// What became of one triple under both aligners.
struct Outcome {
  const Row* row = nullptr;
  std::size_t triple = 0;
  std::optional<Alignment> paper;
  std::optional<Alignment> recover;
};

std::vector<Outcome> audit_outcomes(std::span<const Row> rows);

// One group of triples; paper + recovered + lost = total.
struct Share {
  std::string name;
  std::string note;
  std::size_t total = 0;
  std::size_t paper = 0;      // kept by the paper's filter
  std::size_t recovered = 0;  // aligned by `recover` only
  std::size_t lost = 0;       // by neither
};

struct Breakdown {
  std::string title;
  std::string note;
  bool is_scale = false;  // the groups are steps of a quantity, in order
  std::vector<Share> shares;
};

// By the hardest relaxation that `recover` needed, from verbatim to not aligned.
Breakdown by_category(std::span<const Outcome> outcomes);
// Every combination of relaxations, the most frequent first, at most `limit`.
Breakdown by_combination(std::span<const Outcome> outcomes, std::size_t limit);
Breakdown by_relation_type(std::span<const Outcome> outcomes);
Breakdown by_construction(std::span<const Outcome> outcomes);
Breakdown by_role_order(std::span<const Outcome> outcomes);
// Of the aligned triples: in how many pieces each slot stands.
Breakdown by_pieces(std::span<const Outcome> outcomes);
// Of the aligned triples: words left out in the longest gap of any slot.
Breakdown by_longest_gap(std::span<const Outcome> outcomes);
// Of the aligned triples: words from the first to the last tagged one.
Breakdown by_extent(std::span<const Outcome> outcomes);
Breakdown by_sentence_length(std::span<const Outcome> outcomes);
Breakdown by_triple_count(std::span<const Outcome> outcomes);
Breakdown by_slot_length(std::span<const Outcome> outcomes, char role);

// The category of by_category that an outcome falls into.
std::string category_of(const Outcome& outcome);

}  // namespace diffie::data
