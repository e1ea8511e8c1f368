#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace diffie::model {

// Calls run(first_row, end_row) for consecutive groups of rows of at most `max_tokens` tokens (a
// longer row is a group of its own). Activations of a group stay in cache from layer to layer, and
// scratch memory does not grow with the batch; rows do not influence each other, so the grouping
// changes no bit.
template <typename Run>
void for_row_groups(std::span<const std::uint32_t> offsets, std::size_t max_tokens, Run run) {
  const std::size_t rows = offsets.size() - 1;
  for (std::size_t first = 0; first < rows;) {
    std::size_t end = first + 1;
    while (end < rows && offsets[end + 1] - offsets[first] <= max_tokens) ++end;
    run(first, end);
    first = end;
  }
}

// The longest of the rows.
inline std::size_t longest_row(std::span<const std::uint32_t> offsets) {
  std::size_t longest = 0;
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    const std::size_t length = offsets[row + 1] - offsets[row];
    longest = length > longest ? length : longest;
  }
  return longest;
}

}  // namespace diffie::model
