// Lenient-match clustering (the paper's extractor).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "extract/selector.h"

namespace diffie::extract {

struct Cluster {
  std::vector<std::size_t>
      members;             // indices of candidates, rising: the first is the most frequent
  std::uint64_t mass = 0;  // summed counts
};

// Connected components under F >= tau; by falling mass, equal ones in the order of their first
// members.
std::vector<Cluster> lenient_clusters(const CandidateSet& pool, double tau);

}  // namespace diffie::extract
