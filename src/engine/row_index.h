#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace diffie::engine {

// Finds rows of equal states. A row's logits depend on nothing else, so those are computed once.
class RowIndex {
 public:
  // states [rows * length]. slot_of_row [rows] receives, for every row, the number of its class in
  // order of first appearance; the states of a class go to the end of `distinct`, class after
  // class. Returns the number of classes.
  std::size_t find(std::span<const std::uint8_t> states, std::size_t length,
                   std::span<std::uint32_t> slot_of_row, std::vector<std::uint8_t>& distinct);

 private:
  std::vector<std::uint32_t> table_;  // open addressing: slot + 1, 0 = free
  std::vector<std::uint64_t> hashes_;
};

}  // namespace diffie::engine
