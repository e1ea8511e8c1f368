// From a sentence's tag sequences to candidate triples, and from triples to what is scored.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "diffie/lab/score.h"
#include "diffie/lab/tag_pool.h"
#include "extract/selector.h"

namespace diffie::sweep {

// counts: as subset_counts.
extract::CandidateSet make_candidates(const TagPool& pool, std::span<const std::uint32_t> counts,
                                      const std::vector<std::string>& lower_words,
                                      extract::PoolRules rules);

// Words joined by a blank, in reading order; the confidence has the six digits that the output
// formats write.
PredictedTuple to_tuple(const extract::Triple& triple, double confidence,
                        const std::vector<std::string>& words, std::size_t num_implied = 0);

}  // namespace diffie::sweep
