// The facts of a pool one after the other, each with the wordings it could be shown in.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "extract/features.h"
#include "extract/similarity.h"
#include "extract/tree_ensemble.h"

namespace diffie::extract {

struct Wording {
  std::size_t candidate = 0;
  FeatureRow features{};
};

struct Fact {
  std::size_t candidate = 0;      // that stands for it
  double gain = 0;                // what it adds to the cover
  std::vector<Wording> wordings;  // none shown before, the most frequent first; never empty
};

// Of each wording, as trees take them; borrowed.
std::vector<const float*> feature_rows(std::span<const Wording> wordings);

// The wording with the largest value, the first one on ties.
const Wording& best_wording(const TreeEnsemble& trees, std::span<const Wording> wordings);

// How the next fact is chosen.
enum class Walk {
  // As the coverage selector does with power 2: the candidate that covers most of what is not yet
  // covered.
  kCoverage,
  // The candidate that the judge finds likeliest to be exact, the more frequent one on ties, of
  // those that are not like one shown (F >= 0.8). Those that were not judged come last.
  kJudged,
};

// The wordings of a fact are its most frequent neighbours (F >= 0.75) and the candidate itself.
class FactWalk {
 public:
  explicit FactWalk(const CandidateSet& pool, Walk walk = Walk::kCoverage);  // borrows the pool
  FactWalk(const FactWalk&) = delete;
  FactWalk& operator=(const FactWalk&) = delete;

  // nullopt: no more facts. What is found is covered from then on; `show` says how it was worded.
  std::optional<Fact> next();
  void show(std::size_t candidate);

  const Candidate& candidate(std::size_t index) const { return candidates_[index]; }

 private:
  std::vector<std::size_t> wordings_of(std::size_t candidate) const;
  std::optional<Choice> choose();
  // Of a fact's wordings the largest, and what the fact gains at the power 1.
  struct Best {
    double share = 0;
    double exact = 0;
    double gain_1 = 0;
  };
  void fill(const Fact& fact, const Best& best, Wording& wording);
  // What does not depend on what was chosen before; the rest of the row is 0.
  const FeatureRow& fixed_features(std::size_t candidate);
  void cover(std::size_t candidate);
  std::array<double, 3> gains(std::size_t candidate) const;

  Walk walk_;
  std::span<const Candidate> candidates_;
  Bags bags_;
  Similarity similarity_;
  Similarity credit_;  // squared
  std::vector<double> weights_;
  PoolFeatures features_;
  double total_;                               // of the weights
  double uncovered_;                           // what of it is not covered yet, at the power 2
  GreedyCover cover_;                          // at the power 2
  std::vector<double> covered_1_, covered_4_;  // at the powers 1 and 4
  std::vector<double> like_chosen_words_;  // largest word overlap with a chosen one, any relation
  std::vector<bool> shown_;                // no wordings of a fact any more
  std::vector<bool> passed_;               // no facts any more (Walk::kJudged)
  std::vector<std::optional<FeatureRow>> fixed_;  // of the candidates that were asked for
  std::size_t step_ = 0;
};

}  // namespace diffie::extract
