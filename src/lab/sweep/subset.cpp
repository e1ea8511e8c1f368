#include "lab/sweep/subset.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/philox.h"
#include "diffusion/sampler.h"

namespace diffie::sweep {
namespace {

// In [0, limit); the bias of 2^-64 * limit does not matter here.
std::size_t below(std::uint64_t key, std::uint32_t repeat, std::size_t place, std::size_t limit) {
  const auto block =
      base::philox4x32({static_cast<std::uint32_t>(place), repeat, 0, 0x53574550}, key);
  const std::uint64_t word = std::uint64_t{block[0]} << 32 | block[1];
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::size_t>(static_cast<Wide>(word) * limit >> 64);
}

}  // namespace

std::vector<std::uint32_t> subset_counts(const TagPool& pool, std::size_t num_samples,
                                         std::uint64_t seed, std::uint32_t repeat) {
  std::vector<std::uint32_t> counts;
  for (const TagCount& entry : pool.tags) counts.push_back(entry.count);
  const std::size_t all = pool.num_samples();
  if (num_samples >= all) return counts;
  // The samples lie in the order of their tag sequences; a weighted pool has a million of them, so
  // only those that the shuffle has moved are written down.
  std::vector<std::uint64_t> ends(counts.begin(), counts.end());
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::unordered_map<std::size_t, std::size_t> moved;  // place -> sample
  const auto sample_at = [&](std::size_t place) {
    const auto found = moved.find(place);
    return found == moved.end() ? place : found->second;
  };
  std::fill(counts.begin(), counts.end(), 0);
  // The first steps of Fisher and Yates' shuffle: place i is settled by step i, whatever follows.
  const std::uint64_t key = diffusion::sentence_key(seed, pool.sentence);
  for (std::size_t place = 0; place < num_samples; ++place) {
    const std::size_t other = place + below(key, repeat, place, all - place);
    const std::size_t drawn = sample_at(other);
    moved[other] = sample_at(place);
    const auto tags = std::upper_bound(ends.begin(), ends.end(), drawn) - ends.begin();
    ++counts[static_cast<std::size_t>(tags)];
  }
  return counts;
}

}  // namespace diffie::sweep
