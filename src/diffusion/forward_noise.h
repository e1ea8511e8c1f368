#pragma once

#include <cstdint>
#include <span>

#include "diffusion/schedule.h"

namespace diffie::diffusion {

// Draws y_t ~ q(y_t | y_0) position by position, t in 0..T. clean and noisy have the same size and
// may be the same memory. A pure function of (key, trajectory, t, position); its numbers are
// independent of those of the sampler under the same key.
void forward_noise(const Schedule& schedule, std::span<const std::uint8_t> clean, std::int32_t t,
                   std::uint64_t key, std::uint64_t trajectory, std::span<std::uint8_t> noisy);

}  // namespace diffie::diffusion
