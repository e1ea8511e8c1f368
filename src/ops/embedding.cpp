#include "ops/embedding.h"

#include "core/assert.h"

namespace diffie::ops {

void embedding_sum(std::span<const std::int32_t> ids, std::span<const std::uint32_t> offsets,
                   const EmbeddingTables& tables, std::size_t columns, std::span<float> out) {
  DIFFIE_ASSERT(!offsets.empty() && offsets.back() - offsets.front() == ids.size());
  DIFFIE_ASSERT(out.size() == ids.size() * columns);
  DIFFIE_ASSERT(tables.type.size() == columns);
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    const std::size_t first = offsets[row] - offsets.front();
    const std::size_t length = offsets[row + 1] - offsets[row];
    for (std::size_t i = 0; i < length; ++i) {
      const auto id = static_cast<std::size_t>(ids[first + i]);
      const float* word = tables.word.data() + id * columns;
      const float* position = tables.position.data() + i * columns;
      float* to = out.data() + (first + i) * columns;
      for (std::size_t c = 0; c < columns; ++c) to[c] = word[c] + tables.type[c] + position[c];
    }
  }
}

void table_add(std::span<const float> context, std::span<const float> table,
               std::span<const std::uint8_t> states, std::size_t columns, std::span<float> out,
               const CpuKernels& kernels) {
  DIFFIE_ASSERT(context.size() == states.size() * columns);
  DIFFIE_ASSERT(out.size() == context.size());
  for (const std::uint8_t state : states) DIFFIE_ASSERT((state + 1) * columns <= table.size());
  kernels.table_add({.context = context.data(),
                     .table = table.data(),
                     .states = states.data(),
                     .out = out.data(),
                     .tokens = states.size(),
                     .columns = columns});
}

void table_add_reference(const TableAddCall& call) {
  for (std::size_t token = 0; token < call.tokens; ++token) {
    const float* row = call.table + call.states[token] * call.columns;
    for (std::size_t c = 0; c < call.columns; ++c) {
      const std::size_t at = token * call.columns + c;
      call.out[at] = call.context[at] + row[c];
    }
  }
}

}  // namespace diffie::ops
