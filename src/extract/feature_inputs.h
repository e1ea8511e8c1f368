// What features are computed from, gathered once and read by many of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "extract/word_kind.h"

namespace diffie::extract {

// A candidate i among the candidates j of its pool; w: share of the samples, F: lenient F1.
struct Place {
  double share = 0;              // w_i
  std::array<double, 4> mass{};  // sum_j w_j F^p, p = 1, 2, 4, 8
  std::array<double, 3> near{};  // sum of the w_j with F >= 0.5, 0.7, 0.85
  std::array<double, 3> any{};   // [role]: sum_j w_j F_role^2
  // Sums over j, weighted by w_j F^2.
  double weight = 0;
  double precision = 0;
  double recall = 0;
  std::array<double, 3> agree{};
  std::array<double, 3> equal{};
  std::array<double, 3> least{1, 1, 1};  // share of the neighbours that have a role's rarest word
  double missing_max = 0;                // words that neighbours have in a role and i has not
  double missing_sum = 0;
  double mass_rank = 0;  // mass_2 over the largest one of the pool
};

struct PoolShape {
  double num_samples = 0;
  double num_words = 0;  // the implied ones not counted
  double num_candidates = 0;
  double with_triple = 0;  // samples
  double num_marks = 0;
  double entropy = 0;
  double top_mass = 0;
  double facts = 0;  // effective number of facts: 1 / mean mass
};

// A candidate's words in their sentence; borrows all of them.
struct Phrase {
  using Words = std::span<const std::uint32_t>;

  std::span<const std::string> words;  // lower-cased, the implied ones at their end
  std::span<const WordKind> kinds;     // of each
  std::size_t in_sentence = 0;         // words, the implied ones not counted
  Words subject, relation, object;
  Words said;                        // of the relation, what stands in the sentence
  std::uint32_t relation_front = 0;  // a relation that the sentence does not say stands at the
  std::uint32_t relation_back = 0;   // end of its subject
  std::uint32_t first_read = 0;      // words of the relation, implied ones at their place
  std::uint32_t last_read = 0;

  std::uint32_t begin() const {
    return std::min({subject.front(), relation_front, object.front()});
  }
  std::uint32_t end() const { return std::max({subject.back(), relation_back, object.back()}); }
  std::string_view head() const {
    return said.empty() ? "" : std::string_view(words[said.front()]);
  }

  double kind_of(std::size_t word) const { return static_cast<double>(kinds[word]); }
  double kind_before(std::size_t word) const {
    return word > 0 ? kind_of(word - 1) : static_cast<double>(WordKind::kNone);
  }
  double kind_after(std::size_t word) const {
    return word + 1 < in_sentence ? kind_of(word + 1) : static_cast<double>(WordKind::kNone);
  }
  double count(Words role, WordKind kind) const {
    return static_cast<double>(std::count_if(
        role.begin(), role.end(), [&](std::uint32_t word) { return kinds[word] == kind; }));
  }
};

// What the judge says of a candidate i among the candidates j of its pool; zeros where it was not
// asked.
struct Opinion {
  bool is_judged = false;
  double exact = 0;
  double lenient = 0;
  double share = 0;       // w_i
  double best_exact = 0;  // largest of the pool
  double better = 0;      // candidates of the pool with a larger one
  double near = 0;        // sum of exact_j with F >= 0.75: some wording of the fact is exact
  double total = 0;       // sum of all exact_j: how many facts are to be expected
};

// A wording when it is looked at: what is chosen already, and the candidate that stands for the
// fact. Gains, likeness and mass are of w and F as in Place.
struct Moment {
  double step = 0;               // facts before this one
  std::array<double, 3> gain{};  // what the wording adds to the cover at the powers 1, 2, 4
  double mass_2 = 0;
  double like_chosen = 0;  // the largest F
  double like_chosen_words = 0;
  double uncovered = 0;
  double like_fact = 0;
  double share = 0;
  double best_share = 0;  // of the fact's wordings
  bool is_fact = false;
  double fact_gain_1 = 0;
  double fact_gain_2 = 0;
  double fact_mass_2 = 0;
  std::array<double, 3> more{};  // [role]: words beyond the fact's
  double implied = 0;            // words of the relation
  double said = 0;
  double exact = 0;       // what the judge says, 0: not asked
  double best_exact = 0;  // of the fact's wordings
};

}  // namespace diffie::extract
