// Quantised GEMM around the products of int8_pair16.h, int8_dot.h, int8_dot256.h or int8_neon.h.
// Included by one source file per instruction set; see math_body.h.
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

// Sums [kRows, 16] of one panel to c: scales and bias, then `change`. kWhole: the panel is full.
template <int kRows, bool kWhole, typename Change>
void scale_int8(const Int8GemmCall& call, const std::int32_t* sums, std::size_t row,
                std::size_t column, Change change) {
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    const Vec a_scale = broadcast(call.a_scale[row + r]);
    const Vec a_offset = broadcast(call.a_offset[row + r]);
#pragma GCC unroll 2
    for (std::size_t i = 0; i < kPanelColumns; i += kLanes) {
      if (!kWhole && column + i >= call.n) break;
      const std::size_t count = kWhole ? kLanes : call.n - column - i;
      const std::size_t at = (row + r) * call.n + column + i;
      const Vec scale = mul(load(call.w_scale + column + i), a_scale);
      const Vec bias = load_some(call.bias + column + i, count);
      const Vec base = fma(load(call.w_sum + column + i), a_offset, bias);
      const Vec y = fma(scale, from_ints(sums + r * kPanelColumns + i), base);
      store_some(call.c + at, change(y, at, count), count);
    }
  }
}

template <int kRows, bool kWhole>
void finish_int8(const Int8GemmCall& call, const std::int32_t* sums, std::size_t row,
                 std::size_t column) {
  const auto finish = [&](auto change) {
    scale_int8<kRows, kWhole>(call, sums, row, column, change);
  };
  if (call.gelu) {
    finish([](Vec y, std::size_t, std::size_t) { return rough_gelu(y); });
  } else if (call.residual != nullptr) {
    finish([&](Vec y, std::size_t at, std::size_t count) {
      return add(y, load_some(call.residual + at, count));
    });
  } else {
    finish([](Vec y, std::size_t, std::size_t) { return y; });
  }
}

// The product of `rows` rows, at most kRows, all of them in registers; after a panel's last inputs
// it goes on to c.
template <int kRows = kInt8TileRows>
void int8_tile(const Int8GemmCall& call, const Int8Tile& in, std::size_t row, std::size_t rows,
               std::size_t column, bool last, std::int32_t* sums) {
  if constexpr (kRows > 1) {
    if (rows < kRows) return int8_tile<kRows - 1>(call, in, row, rows, column, last, sums);
  }
  multiply_int8<kRows>(in, sums);
  if (!last) return;
  const bool whole = column + kPanelColumns <= call.n;
  const auto finish = whole ? finish_int8<kRows, true> : finish_int8<kRows, false>;
  finish(call, sums, row, column);
}

// What a tile will write to; it arrives while the tile before it is multiplied.
void prefetch_rows(const Int8GemmCall& call, std::size_t row, std::size_t column) {
  const std::size_t end = smaller(row + kInt8TileRows, call.m);
  for (; row < end; ++row) prefetch(call.c + row * call.n + column);
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
      rows = next_tile_rows<kInt8TileRows>(call.m - row);
      in.a = call.a + row * call.k;
      prefetch_rows(call, row + rows, column);
      int8_tile(call, in, row, rows, column, block + 1 == blocks, sums + row * kPanelColumns);
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
