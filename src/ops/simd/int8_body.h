// Quantised GEMM around the products of int8_pair16.h, int8_dot.h, int8_dot256.h or int8_neon.h. Included by one source file
// per instruction set; see math_body.h.
#pragma once

#include "ops/cpu_kernels.h"
#include "ops/simd/math_body.h"
#if defined(__aarch64__)
#include "ops/simd/int8_neon.h"
#elif defined(__AVXVNNI__) || defined(DIFFIE_INT8_DOT256)
#include "ops/simd/int8_dot256.h"
#elif defined(__AVX512VNNI__)
#include "ops/simd/int8_dot.h"
#else
#include "ops/simd/int8_pair16.h"
#endif

namespace diffie::ops {
namespace {

// The product of `rows` rows, at most kRows, all of them in registers.
template <int kRows = kInt8TileRows>
void multiply_int8_rows(std::size_t rows, const Int8Tile& in, std::int32_t* sums) {
  if constexpr (kRows > 1) {
    if (rows < kRows) return multiply_int8_rows<kRows - 1>(rows, in, sums);
  }
  multiply_int8<kRows>(in, sums);
}

// Sums [rows, 16] of one panel to c: scales, bias, GELU, residual. kWhole: the panel is full.
template <bool kWhole>
void finish_int8(const Int8GemmCall& call, const std::int32_t* sums, std::size_t row,
                 std::size_t rows, std::size_t column) {
  const std::size_t columns = kWhole ? kPanelColumns : call.n - column;
#pragma GCC unroll 2
  for (std::size_t i = 0; i < kPanelColumns; i += kLanes) {
    if (i >= columns) break;
    const std::size_t count = kWhole ? kLanes : columns - i;
    const Vec w_scale = load(call.w_scale + column + i);
    const Vec w_sum = load(call.w_sum + column + i);
    const Vec bias = load_some(call.bias + column + i, count);
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t at = (row + r) * call.n + column + i;
      const Vec scale = mul(w_scale, broadcast(call.a_scale[row + r]));
      const Vec base = fma(w_sum, broadcast(call.a_offset[row + r]), bias);
      Vec y = fma(scale, from_ints(sums + r * kPanelColumns + i), base);
      if (call.gelu) y = rough_gelu(y);
      if (call.residual != nullptr) y = add(y, load_some(call.residual + at, count));
      store_some(call.c + at, y, count);
    }
  }
}

// What finish_int8 will write to; it arrives while the tile before it is multiplied.
void prefetch_rows(const Int8GemmCall& call, std::size_t row, std::size_t column) {
  const std::size_t end = smaller(row + kInt8TileRows, call.m);
  for (; row < end; ++row) prefetch(call.c + row * call.n + column);
}

std::size_t next_int8_rows(std::size_t rows_left) {
  const std::size_t tiles = (rows_left + kInt8TileRows - 1) / kInt8TileRows;
  return (rows_left + tiles - 1) / tiles;
}

// One panel, all rows.
void gemm_int8_panel(const Int8GemmCall& call, std::size_t panel, std::int32_t* sums) {
  const std::size_t column = panel * kPanelColumns;
  const std::size_t groups = call.k / 4;
  const std::size_t blocks = (call.k + kInt8BlockInputs - 1) / kInt8BlockInputs;
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t first = block * kInt8BlockInputs / 4;
    Int8Tile in = {.a = nullptr,
                   .a_stride = call.k,
                   .w = call.panels + (panel * groups + first) * 4 * kPanelColumns,
                   .order = call.order + panel * groups + first,
                   .groups = smaller(kInt8BlockInputs / 4, groups - first),
                   .pairs = call.pairs[panel * blocks + block],
                   .add_to_sums = block > 0};
    std::size_t rows = 0;
    for (std::size_t row = 0; row < call.m; row += rows) {
      rows = next_int8_rows(call.m - row);
      in.a = call.a + row * call.k;
      prefetch_rows(call, row + rows, column);
      multiply_int8_rows(rows, in, sums + row * kPanelColumns);
      if (block + 1 < blocks) continue;
      if (column + kPanelColumns <= call.n) {
        finish_int8<true>(call, sums + row * kPanelColumns, row, rows, column);
      } else {
        finish_int8<false>(call, sums + row * kPanelColumns, row, rows, column);
      }
    }
  }
}

void gemm_int8(const Int8GemmCall& call) {
  alignas(64) std::int32_t sums[kInt8BlockRows * kPanelColumns];
  for (std::size_t panel = 0; panel * kPanelColumns < call.n; ++panel) {
    gemm_int8_panel(call, panel, sums);
  }
}

}  // namespace
}  // namespace diffie::ops
