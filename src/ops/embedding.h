#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ops/cpu_kernels.h"

namespace diffie::ops {

struct EmbeddingTables {
  std::span<const float> word;      // [vocabulary, columns]
  std::span<const float> position;  // [max_positions, columns]
  std::span<const float> type;      // [columns], the row of token type 0
};

// out[i] = word[ids[i]] + type + position[i - start of i's row], rows of columns floats. Row r has
// tokens offsets[r] .. offsets[r + 1], counted so that ids and out start with token offsets[0]. The
// caller has checked that ids and lengths fit the tables.
void embedding_sum(std::span<const std::int32_t> ids, std::span<const std::uint32_t> offsets,
                   const EmbeddingTables& tables, std::size_t columns, std::span<float> out);

// out[i] = context[i] + table[states[i]]; context, out [tokens, columns], table [states, columns].
void table_add(std::span<const float> context, std::span<const float> table,
               std::span<const std::uint8_t> states, std::size_t columns, std::span<float> out,
               const CpuKernels& kernels = cpu_kernels());

}  // namespace diffie::ops
