// Word multisets as bit sets, so that the overlap of two triples is a few ANDs and bit counts.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "extract/selector.h"

namespace diffie::extract {

// Every (word, k) - the k-th time a role holds that word - has its own bit. A multiset with c
// copies of a word has the bits (word, 1) .. (word, c), so two multisets have min(c, c') of them in
// common: |A n B| is the number of common bits. A sentence of L words needs at most L bits.
class Bags {
 public:
  // Bag i is candidate i. A word index may occur once per role only.
  Bags(std::span<const Candidate> candidates, std::span<const std::string> words);

  std::size_t size() const { return sizes_.size(); }
  std::uint32_t num_words(std::size_t bag) const { return sizes_[bag]; }  // n_i, over all roles

  // m_ij, the overlap summed over the roles.
  std::uint32_t overlap(std::size_t a, std::size_t b) const {
    return common_bits(role_bits(a, 0), role_bits(b, 0), 3 * blocks_);
  }
  std::uint32_t role_overlap(std::size_t a, std::size_t b, std::size_t role) const {
    return common_bits(role_bits(a, role), role_bits(b, role), blocks_);
  }
  bool share_relation_word(std::size_t a, std::size_t b) const;

 private:
  static std::uint32_t common_bits(const std::uint64_t* a, const std::uint64_t* b,
                                   std::size_t blocks) {
    std::uint32_t common = 0;
    for (std::size_t block = 0; block < blocks; ++block)
      common += static_cast<std::uint32_t>(std::popcount(a[block] & b[block]));
    return common;
  }
  const std::uint64_t* role_bits(std::size_t bag, std::size_t role) const {
    return bits_.data() + (bag * 3 + role) * blocks_;
  }

  std::size_t blocks_ = 0;           // 64-bit blocks per role
  std::vector<std::uint64_t> bits_;  // [bag, role, block]
  std::vector<std::uint32_t> sizes_;
};

}  // namespace diffie::extract
