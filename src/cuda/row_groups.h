// What the ways to the networks share: rows by token, and rows on the GPU group by group.
#pragma once

#include <cstdint>
#include <span>

#include "cuda/row_network.h"
#include "model/row_groups.h"

namespace diffie::cuda {

// Of each token its place in its row.
inline void fill_positions(std::span<const std::uint32_t> row_offsets, std::uint32_t* positions) {
  for (std::size_t row = 0; row + 1 < row_offsets.size(); ++row) {
    for (std::uint32_t token = row_offsets[row]; token < row_offsets[row + 1]; ++token) {
      positions[token] = token - row_offsets[row];
    }
  }
}

// Of each token the one of the context that it is about.
inline void fill_context_tokens(const model::RowBatch& rows, std::uint32_t* context_token) {
  for (std::size_t row = 0; row < rows.context_begin.size(); ++row) {
    for (std::uint32_t token = rows.offsets[row]; token < rows.offsets[row + 1]; ++token) {
      context_token[token] = rows.context_begin[row] + token - rows.offsets[row];
    }
  }
}

// All rows of a call on the GPU, from the first on.
struct RowsOnDevice {
  const std::uint8_t* states;
  const std::uint32_t* context_token;
  const std::uint32_t* offsets;
};

// Calls run(first, group) for groups of consecutive rows of at most `max_tokens` tokens, the first
// of which is `first`. offsets: the same on the host.
template <typename Run>
void for_groups(std::span<const std::uint32_t> offsets, const RowsOnDevice& rows,
                std::size_t max_tokens, Run run) {
  model::for_row_groups(offsets, max_tokens, [&](std::size_t first, std::size_t end) {
    const std::size_t begin = offsets[first];
    const RowGroup group{
        rows.states + begin,  rows.context_token + begin,
        rows.offsets + first, end - first,
        offsets[end] - begin, model::longest_row(offsets.subspan(first, end - first + 1))};
    if (group.tokens > 0) run(first, group);
  });
}

}  // namespace diffie::cuda
