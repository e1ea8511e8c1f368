// The uniform numbers of one row in one jump: independent between rows, or stratified across them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "diffusion/random.h"

namespace diffie::diffusion {

// Rows whose numbers are spread over [0, 1) together.
inline constexpr std::uint32_t kLogStrata = 5;
inline constexpr std::uint32_t kStrata = 1u << kLogStrata;

// A permutation of 0..2^bits - 1 chosen by `word`, index by index: rounds of bijections. The last
// addition alone makes the image of an index uniform over the words.
constexpr std::uint32_t permuted(std::uint32_t index, std::uint32_t bits, std::uint32_t word) {
  const std::uint32_t mask = (1u << bits) - 1;
  for (int round = 0; round < 3; ++round) {
    index = (index ^ word) & mask;
    index = index * (word >> 7 | 1) & mask;
    index ^= index >> (bits + 1) / 2;
    word = word >> 11 | word << 21;
  }
  return (index + (word >> 3)) & mask;
}

// Which of the strata row `index` takes: each is taken once by 32 neighbours, and of 2^log_siblings
// neighbours each takes another of that many equal parts. `word` is the same for all the 32.
constexpr std::uint32_t stratum(std::uint32_t index, std::uint32_t log_siblings,
                                std::uint32_t word) {
  const std::uint32_t family = index >> log_siblings;
  const std::uint32_t rest = kLogStrata - log_siblings;
  const std::uint32_t family_word = (word ^ (family + 1) * 0x9E3779B9u) * 0x85EBCA6Bu;
  const std::uint32_t part =
      permuted(index & ((1u << log_siblings) - 1), log_siblings, family_word ^ family_word >> 15);
  const std::uint32_t part_word = (word ^ (part + 1) * 0xC2B2AE35u) * 0x27D4EB2Fu;
  return part << rest | permuted(family, rest, part_word ^ part_word >> 15);
}

// Which numbers a row takes: those of `trajectory` at `step`. `index` numbers the rows that take
// different ones, and places this one among the strata.
struct NoiseSource {
  std::uint64_t key = 0;
  std::uint64_t trajectory = 0;
  std::uint64_t index = 0;
  std::uint32_t step = 0;
  bool stratified = false;
  std::uint32_t log_siblings = 0;  // 2^this neighbours by index were one row before this jump
};

// The numbers of positions 4 * group .. 4 * group + 3.
constexpr std::array<double, kPositionsPerBlock> uniforms(const NoiseSource& source,
                                                          std::size_t group) {
  const base::PhiloxBlock words =
      random_words(source.key, Stream::kReverse, source.trajectory, source.step, group);
  std::array<double, kPositionsPerBlock> numbers{};
  if (!source.stratified) {
    for (std::size_t lane = 0; lane < kPositionsPerBlock; ++lane)
      numbers[lane] = to_uniform(words[lane]);
    return numbers;
  }
  const auto place = static_cast<std::uint32_t>(source.index % kStrata);
  const base::PhiloxBlock scrambles =
      random_words(source.key, Stream::kStrata, source.index / kStrata, source.step, group);
  for (std::size_t lane = 0; lane < kPositionsPerBlock; ++lane) {
    const std::uint32_t part = stratum(place, source.log_siblings, scrambles[lane]);
    numbers[lane] = (part + to_uniform(words[lane])) * (1.0 / kStrata);
  }
  return numbers;
}

// Calls visit(position, u) for every position, u uniform in (0, 1) and, over all positions and
// steps of one trajectory, independent: stratified or not, a row alone has the same law.
template <typename Visit>
void for_each_uniform(const NoiseSource& source, std::size_t length, Visit&& visit) {
  for (std::size_t begin = 0; begin < length; begin += kPositionsPerBlock) {
    const auto numbers = uniforms(source, begin / kPositionsPerBlock);
    const std::size_t lanes = std::min(kPositionsPerBlock, length - begin);
    for (std::size_t lane = 0; lane < lanes; ++lane) visit(begin + lane, numbers[lane]);
  }
}

}  // namespace diffie::diffusion
