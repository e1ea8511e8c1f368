// Training examples: the facts of many pools with their wordings' features and worth.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/workers.h"
#include "diffie/lab/rank.h"
#include "extract/fact_walk.h"
#include "extract/features.h"
#include "extract/selector.h"
#include "lab/rank/calibrate.h"
#include "lab/rank/gold.h"

namespace diffie::rank {

// A sentence's pool at one number of samples.
struct Draw {
  std::size_t pool = 0;  // of the pool files
  std::size_t samples = 0;
  std::size_t fold = 0;
  const TagPool* tags = nullptr;
  extract::CandidateSet candidates;
  std::shared_ptr<const data::Row> gold;
};

// All draws that have gold and candidates, file after file.
std::vector<Draw> make_draws(std::span<const RankPool> pools, std::span<const data::Row> gold,
                             const RankOptions& options, base::Workers& threads);

struct Examples {
  std::vector<extract::FeatureRow> rows;
  std::vector<Worth> worths;
  std::vector<char> folds;
};

// A few wordings of every fact with several, their worth less that of the candidate that stands for
// the fact; what is shown is drawn among them.
Examples wording_examples(std::span<const Draw> draws, extract::Walk walk, std::uint64_t seed,
                          base::Workers& threads);

// What a selector with these wording trees shows.
Examples shown_examples(std::span<const Draw> draws, extract::Walk walk,
                        const extract::TreeEnsemble& wording, base::Workers& threads);

// A selector's triples, by falling confidence, against the gold.
struct JudgedTriple {
  extract::RankedTriple triple;
  bool right = false;  // as RankOptions::right_f1 says
  bool exact = false;  // equals a gold fact that none before it equals
};
std::vector<JudgedTriple> judge(const Draw& draw, const extract::Selector& selector,
                                double right_f1);

}  // namespace diffie::rank
