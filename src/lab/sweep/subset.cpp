#include "lab/sweep/subset.h"

#include <utility>

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
  if (num_samples >= pool.num_samples()) return counts;
  std::vector<std::uint32_t> samples;  // which tag sequence each one is
  for (std::uint32_t i = 0; i < counts.size(); ++i) {
    samples.insert(samples.end(), counts[i], i);
    counts[i] = 0;
  }
  // The first steps of Fisher and Yates' shuffle: place i is settled by step i, whatever follows.
  const std::uint64_t key = diffusion::sentence_key(seed, pool.sentence);
  for (std::size_t place = 0; place < num_samples; ++place) {
    const std::size_t other = place + below(key, repeat, place, samples.size() - place);
    std::swap(samples[place], samples[other]);
    ++counts[samples[place]];
  }
  return counts;
}

}  // namespace diffie::sweep
