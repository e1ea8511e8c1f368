#pragma once

#include <cstdint>
#include <vector>

#include "diffie/lab/tag_pool.h"

namespace diffie::sweep {

// How often each of the pool's tag sequences is among `num_samples` of its samples, drawn without
// replacement (all of them where it has no more). The samples of a smaller number are among those
// of a larger one.
std::vector<std::uint32_t> subset_counts(const TagPool& pool, std::size_t num_samples,
                                         std::uint64_t seed, std::uint32_t repeat);

}  // namespace diffie::sweep
