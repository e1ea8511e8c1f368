#include "ops/embedding.h"

#include "base/assert.h"

namespace diffie::ops {

void add_positions(std::span<const std::uint32_t> offsets, std::span<const float> position,
                   std::span<const float> type, std::size_t columns, std::span<float> x) {
  DIFFIE_ASSERT(!offsets.empty() && x.size() == (offsets.back() - offsets.front()) * columns);
  DIFFIE_ASSERT(type.size() == columns);
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    float* to = x.data() + (offsets[row] - offsets.front()) * columns;
    const std::size_t count = (offsets[row + 1] - offsets[row]) * columns;
    DIFFIE_ASSERT(count <= position.size());
    for (std::size_t i = 0; i < count; i += columns) {
      for (std::size_t c = 0; c < columns; ++c) {
        to[i + c] = to[i + c] + type[c] + position[i + c];
      }
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
