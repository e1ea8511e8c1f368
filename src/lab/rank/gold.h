// Gold triples of a sentence, and what chosen triples are worth against them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "diffie/lab/data.h"
#include "extract/selector.h"
#include "lab/score/pair_score.h"

namespace diffie::rank {

// Words as they are compared here: lower-cased, without punctuation, glued words cut
// (data/fine_words.h). Annotators are free in all that.
using Slots = std::array<std::vector<std::string>, 3>;  // subject, relation, object

class SentenceGold {
 public:
  // The last `num_implied` words do not stand in the sentence.
  SentenceGold(const std::vector<std::string>& words, const std::vector<data::Triple>& triples,
               std::size_t num_implied = 0);

  std::size_t size() const { return slots_.size(); }
  const Slots& slots(std::size_t fact) const { return slots_[fact]; }
  Slots slots_of(const extract::Triple& triple) const;

  // CaRB's precision and recall of a triple against each gold fact, and where it equals one.
  struct Match {
    std::vector<score::PairScore> pairs;
    std::vector<bool> exact;
  };
  Match match(const extract::Triple& triple) const;

 private:
  std::vector<std::string> words_;
  std::size_t num_implied_;
  std::vector<std::vector<std::string>> fine_;  // per word
  std::vector<Slots> slots_;
  std::vector<score::WordTuple> tuples_;
  mutable score::WordIds ids_;
};

// What a triple adds to those shown before it.
struct Worth {
  double precision = 0;  // one-to-one
  double recall = 0;     // many-to-one
  double exact = 0;      // 1: it equals a gold fact that no earlier one equals
};

class ShownTriples {
 public:
  explicit ShownTriples(std::size_t num_facts)
      : recalled_(num_facts, 0.0), exact_(num_facts, false) {}

  Worth worth_of(const SentenceGold::Match& match) const;
  void show(const SentenceGold::Match& match);

 private:
  double matched_precision(const SentenceGold::Match* extra) const;

  std::vector<SentenceGold::Match> shown_;
  std::vector<double> recalled_;  // per gold fact
  std::vector<bool> exact_;
  double precision_ = 0;
};

}  // namespace diffie::rank
