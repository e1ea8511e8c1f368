#include "extract/bags.h"

#include <bit>
#include <string_view>
#include <unordered_map>

#include "base/assert.h"

namespace diffie::extract {
namespace {

// first_bit[i]: where the bits of the i-th word's string begin; a string that occurs c times in the
// sentence has c bits.
std::vector<std::uint32_t> assign_bits(std::span<const std::string> words) {
  std::unordered_map<std::string_view, std::uint32_t> occurrences;
  for (const std::string& word : words) ++occurrences[word];
  std::unordered_map<std::string_view, std::uint32_t> first;
  std::uint32_t next = 0;
  std::vector<std::uint32_t> first_bit;
  first_bit.reserve(words.size());
  for (const std::string& word : words) {
    const auto [entry, is_new] = first.try_emplace(word, next);
    if (is_new) next += occurrences[word];
    first_bit.push_back(entry->second);
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

std::uint32_t Bags::overlap(std::size_t a, std::size_t b) const {
  const std::uint64_t* bits_a = role_bits(a, 0);
  const std::uint64_t* bits_b = role_bits(b, 0);
  int common = 0;
  for (std::size_t block = 0; block < 3 * blocks_; ++block)
    common += std::popcount(bits_a[block] & bits_b[block]);
  return static_cast<std::uint32_t>(common);
}

std::uint32_t Bags::role_overlap(std::size_t a, std::size_t b, std::size_t role) const {
  const std::uint64_t* bits_a = role_bits(a, role);
  const std::uint64_t* bits_b = role_bits(b, role);
  int common = 0;
  for (std::size_t block = 0; block < blocks_; ++block)
    common += std::popcount(bits_a[block] & bits_b[block]);
  return static_cast<std::uint32_t>(common);
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
