#pragma once

#include <cstdint>
#include <span>

#include "diffusion/sampler.h"

namespace diffie::diffusion {

// Trajectories first .. of one sentence of `length` tokens, as many as `tags` has rows.
inline void sample(const Sampler& sampler, Predictor& predictor, std::uint64_t key,
                   std::uint64_t first_trajectory, std::size_t length,
                   std::span<std::uint8_t> tags) {
  const SampleBlock block{key, first_trajectory, length, tags};
  Prediction prediction;
  sampler.sample({&block, 1}, predictor, prediction);
}

}  // namespace diffie::diffusion
