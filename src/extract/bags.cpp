#include "extract/bags.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"

namespace diffie::extract {
namespace {

// first_bit[i]: where the bits of the i-th word's string begin; a string that occurs c times in the
// sentence has c bits.
std::vector<std::uint32_t> assign_bits(std::span<const std::string> words) {
  std::vector<std::uint32_t> order(words.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return words[a] < words[b]; });
  std::vector<std::uint32_t> first_bit(words.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const bool is_new = i == 0 || words[order[i]] != words[order[i - 1]];
    first_bit[order[i]] = is_new ? i : first_bit[order[i - 1]];
  }
  return first_bit;
}

}  // namespace

Bags::Bags(std::span<const Candidate> candidates, std::span<const std::string> words)
    : blocks_((words.size() + 63) / 64), bits_(candidates.size() * 3 * blocks_) {
  const std::vector<std::uint32_t> first_bit = assign_bits(words);
  sizes_.reserve(candidates.size());
  std::uint64_t* bits = bits_.data();
  for (const Candidate& candidate : candidates) {
    std::size_t size = 0;
    for (const auto& role : candidate.triple.words) {
      for (const std::uint32_t word : role) {
        DIFFIE_ASSERT(word < words.size());
        std::uint32_t bit = first_bit[word];
        while (bits[bit / 64] >> (bit % 64) & 1) ++bit;  // the next copy of the same word
        bits[bit / 64] |= std::uint64_t{1} << (bit % 64);
      }
      size += role.size();
      bits += blocks_;
    }
    sizes_.push_back(static_cast<std::uint32_t>(size));
  }
}

bool Bags::share_relation_word(std::size_t a, std::size_t b) const {
  const std::uint64_t* bits_a = role_bits(a, 1);
  const std::uint64_t* bits_b = role_bits(b, 1);
  for (std::size_t block = 0; block < blocks_; ++block)
    if (bits_a[block] & bits_b[block]) return true;
  return false;
}

double lenient_f1(const Triple& a, const Triple& b, std::span<const std::string> words) {
  const std::array<Candidate, 2> pair = {Candidate{a, 1}, Candidate{b, 1}};
  const Bags bags(pair, words);
  const std::uint32_t total = bags.num_words(0) + bags.num_words(1);
  return total == 0 ? 0.0 : 2.0 * bags.overlap(0, 1) / total;
}

}  // namespace diffie::extract
