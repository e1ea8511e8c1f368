#include "diffusion/random.h"

#include <algorithm>
#include <string_view>

#include "diffusion/sampler.h"

namespace diffie::diffusion {
namespace {

// The finaliser of SplitMix64: a bijection in which every input bit moves every output bit.
constexpr std::uint64_t mix(std::uint64_t bits) {
  bits ^= bits >> 30;
  bits *= 0xBF58476D1CE4E5B9;
  bits ^= bits >> 27;
  bits *= 0x94D049BB133111EB;
  return bits ^ bits >> 31;
}

// Up to eight bytes, little-endian whatever the machine.
std::uint64_t load(std::string_view bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return word;
}

}  // namespace

// Every step is a bijection of the state for a fixed word and of the word for a fixed state: equal
// sentences under two seeds, and sentences that differ in one word only, never share a key.
std::uint64_t sentence_key(std::uint64_t seed, std::string_view sentence) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
  std::uint64_t state = mix(seed + kGolden);
  for (std::size_t begin = 0; begin < sentence.size(); begin += 8)
    state = mix((state ^ load(sentence.substr(begin, 8))) + kGolden);
  return mix(state ^ sentence.size());
}

}  // namespace diffie::diffusion
