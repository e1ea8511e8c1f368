#include "diffusion/forward_noise.h"

#include <algorithm>

#include "base/assert.h"
#include "diffusion/random.h"

namespace diffie::diffusion {

void forward_noise(const Schedule& schedule, std::span<const std::uint8_t> clean, std::int32_t t,
                   std::uint64_t key, std::uint64_t trajectory, std::span<std::uint8_t> noisy) {
  DIFFIE_ASSERT(clean.size() == noisy.size());
  DIFFIE_ASSERT(0 <= t && t <= schedule.steps());
  const double keep = schedule.abar(t);
  const bool absorbing = schedule.kernel() == KernelKind::kAbsorbing;
  base::PhiloxBlock words{};
  for (std::size_t position = 0; position < clean.size(); ++position) {
    const std::size_t lane = position % kPositionsPerBlock;
    if (lane == 0)
      words = random_words(key, Stream::kForward, trajectory, static_cast<std::uint32_t>(t),
                           position / kPositionsPerBlock);
    const double uniform = to_uniform(words[lane]);
    if (uniform < keep) {
      noisy[position] = clean[position];
    } else if (absorbing) {
      noisy[position] = kMask;
    } else {  // what is left of the uniform number is uniform again: one draw is enough
      const auto tag = static_cast<int>((uniform - keep) / (1 - keep) * kNumTags);
      noisy[position] = static_cast<std::uint8_t>(std::min(tag, kNumTags - 1));
    }
  }
}

}  // namespace diffie::diffusion
