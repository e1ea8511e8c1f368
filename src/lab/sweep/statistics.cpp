// The samples of a pool in numbers: what the construction rule `longest` meets and throws away.
#include <string_view>

#include "diffie/lab/sweep.h"

namespace diffie {
namespace {

constexpr std::string_view kRoles = "SRO";

struct Runs {
  std::size_t number = 0;
  std::size_t words = 0;
  std::size_t longest = 0;
};

Runs runs_of(std::string_view tags, char role) {
  Runs runs;
  std::size_t length = 0;
  for (const char tag : tags) {
    length = tag == role ? length + 1 : 0;
    if (length == 1) ++runs.number;
    if (length > 0) ++runs.words;
    if (length > runs.longest) runs.longest = length;
  }
  return runs;
}

}  // namespace

PoolStatistics pool_statistics(std::span<const TagPool> pools) {
  PoolStatistics sums;
  for (const TagPool& pool : pools) {
    if (pool.tags.empty()) continue;
    ++sums.num_sentences;
    sums.num_samples += pool.num_samples();
    sums.distinct_per_sentence += static_cast<double>(pool.tags.size());
    for (const TagCount& entry : pool.tags) {
      bool complete = true;
      bool discontinuous = false;
      std::size_t discarded = 0;
      for (std::size_t role = 0; role < kRoles.size(); ++role) {
        const Runs runs = runs_of(entry.tags, kRoles[role]);
        complete = complete && runs.number > 0;
        discarded += runs.words - runs.longest;
        if (runs.number < 2) continue;
        discontinuous = true;
        sums.discontinuous_by_role[role] += entry.count;
      }
      if (!complete) sums.no_triple += entry.count;
      if (discontinuous) sums.discontinuous += entry.count;
      sums.discarded += static_cast<double>(discarded) * entry.count;
    }
  }
  if (sums.num_samples == 0) return sums;
  const auto num_samples = static_cast<double>(sums.num_samples);
  sums.distinct_per_sentence /= static_cast<double>(sums.num_sentences);
  if (sums.discontinuous > 0) {
    sums.discarded_when_discontinuous = sums.discarded / sums.discontinuous;
  }
  for (double* value :
       {&sums.no_triple, &sums.discontinuous, &sums.discarded, &sums.discontinuous_by_role[0],
        &sums.discontinuous_by_role[1], &sums.discontinuous_by_role[2]}) {
    *value /= num_samples;
  }
  return sums;
}

}  // namespace diffie
