// The random numbers of a sentence: pure functions of (key, stream, trajectory, step, position).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/philox.h"

namespace diffie::diffusion {

// Numbers for different purposes never share a counter.
enum class Stream : std::uint32_t { kReverse = 0, kStrata = 2 };

// Four positions share one Philox block: position p has word p % 4 of block p / 4.
inline constexpr std::size_t kPositionsPerBlock = 4;

// The words of positions 4 * group .. 4 * group + 3. step: 1..T for the jump that leaves step t,
// 0 for the initial noise. Steps are below 2^24 (kMaxSteps in schedule.h).
constexpr base::PhiloxBlock random_words(std::uint64_t key, Stream stream, std::uint64_t trajectory,
                                         std::uint32_t step, std::size_t group) {
  return base::philox4x32(
      {static_cast<std::uint32_t>(trajectory), static_cast<std::uint32_t>(trajectory >> 32),
       static_cast<std::uint32_t>(group), static_cast<std::uint32_t>(stream) << 24 | step},
      key);
}

// Midpoint of the word's interval: in (0, 1), never either end, exact in double.
constexpr double to_uniform(std::uint32_t word) {
  return (static_cast<double>(word) + 0.5) * (1.0 / 4294967296.0);
}

}  // namespace diffie::diffusion
