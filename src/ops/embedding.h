#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ops/cpu_kernels.h"

namespace diffie::ops {

// x[i] = x[i] + type + position[i - start of i's row], rows of columns floats. Row r has tokens
// offsets[r] .. offsets[r + 1], counted so that x starts with token offsets[0]. position [at least
// the longest row, columns], type [columns].
void add_positions(std::span<const std::uint32_t> offsets, std::span<const float> position,
                   std::span<const float> type, std::size_t columns, std::span<float> x);

// out[i] = context[i] + table[states[i]]; context, out [tokens, columns], table [states, columns].
void table_add(std::span<const float> context, std::span<const float> table,
               std::span<const std::uint8_t> states, std::size_t columns, std::span<float> out,
               const CpuKernels& kernels = cpu_kernels());

}  // namespace diffie::ops
