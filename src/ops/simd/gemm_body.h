// Included by one source file per instruction set; see math_body.h.
#pragma once

#include "ops/cpu_kernels.h"
#include "ops/simd/math_body.h"

namespace diffie::ops {
namespace {

// Blocks that stay in the second-level cache: a panel's 768 x 16 weights and 96 x 768 inputs.
// Smaller blocks would fit the first level, but c would be read and written more often (measured: 3
// %).
constexpr std::size_t kBlockK = 768;
constexpr std::size_t kBlockRows = 96;
// A long chain of sums loses digits where one term is far larger than the others, as some are in
// BERT: bert-base's worst error on three sentences falls from 4e-5 to 2e-5 with chains of
// 128 instead of 256.
constexpr std::size_t kChain = 128;
constexpr std::size_t kTileColumns = 2 * kLanes;

// A few rows times one or two vectors of packed columns: out[r, v] = sum_j a[r, j] b[v][j].
// Vector v of input j lies at b + v * b_stride + j * b_step. Each sum is made of chains of
// kChain fused multiply-adds in the order of j, whatever kRows and kVecs are.
struct TileInput {
  const float* a;
  std::size_t a_stride;
  const float* b;
  std::size_t b_stride;
  std::size_t b_step;
  std::size_t k;
  std::size_t next_b;  // from b to the weights of the next tile of columns
};

// The next `count` inputs, at a and b.
template <int kRows, int kVecs>
void multiply_chain(const TileInput& in, const float* a, const float* b, std::size_t count,
                    bool add_to_out, float* out, std::size_t out_stride) {
  Vec sum[kRows][kVecs];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kVecs; ++v) sum[r][v] = zero();
  }
  const std::size_t a_stride = in.a_stride;
  const std::size_t b_stride = in.b_stride;
  const std::size_t b_step = in.b_step;
  const std::size_t next_b = in.next_b;
  for (std::size_t j = 0; j < count; ++j) {
    Vec weight[kVecs];
#pragma GCC unroll 2
    for (int v = 0; v < kVecs; ++v) {
      weight[v] = load(b + v * b_stride);
      if (v * kLanes % kPanelColumns == 0) prefetch_far(b + v * b_stride + next_b);
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const Vec input = broadcast(a[r * a_stride]);
#pragma GCC unroll 2
      for (int v = 0; v < kVecs; ++v) sum[r][v] = fma(input, weight[v], sum[r][v]);
    }
    a += 1;
    b += b_step;
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kVecs; ++v) {
      float* to = out + r * out_stride + v * kLanes;
      store(to, add_to_out ? add(load(to), sum[r][v]) : sum[r][v]);
    }
  }
}

template <int kRows, int kVecs>
void multiply(const TileInput& in, float* out, std::size_t out_stride) {
  for (std::size_t j = 0; j < in.k; j += kChain) {
    multiply_chain<kRows, kVecs>(in, in.a + j, in.b + j * in.b_step, smaller(kChain, in.k - j),
                                 j > 0, out, out_stride);
  }
}

// The product of `rows` rows, at most kRows, all of them in registers.
template <int kVecs, int kRows = kTileRows>
void multiply_rows(std::size_t rows, const TileInput& in, float* out, std::size_t out_stride) {
  if constexpr (kRows > 1) {
    if (rows < kRows) return multiply_rows<kVecs, kRows - 1>(rows, in, out, out_stride);
  }
  multiply<kRows, kVecs>(in, out, out_stride);
}

// panels: weights of a matrix with `k` inputs. The columns from `column` (a multiple of kLanes) on,
// as many as a tile takes. Returns how many that is.
std::size_t multiply_tile(const float* a, std::size_t a_stride, std::size_t rows,
                          const float* panels, std::size_t k, std::size_t k_begin,
                          std::size_t k_count, std::size_t column, std::size_t columns, float* out,
                          std::size_t out_stride) {
  TileInput in = {.a = a,
                  .a_stride = a_stride,
                  .b = panels + column * k + k_begin * kPanelColumns,
                  .b_stride = kLanes,
                  .b_step = kPanelColumns,
                  .k = k_count,
                  .next_b = kTileColumns * k};
  if constexpr (kLanes == kPanelColumns) {
    in.b_stride = k * kPanelColumns;
    if (column + kLanes >= columns) {  // the last panel has no right neighbour
      multiply_rows<1>(rows, in, out, out_stride);
      return kLanes;
    }
  }
  multiply_rows<2>(rows, in, out, out_stride);
  return kTileColumns;
}

// Rows are dealt out so that tiles differ by one row at most: a tile of one or two rows would wait
// for its own multiply-adds.
std::size_t next_tile_rows(std::size_t rows_left) {
  const std::size_t tiles = (rows_left + kTileRows - 1) / kTileRows;
  return (rows_left + tiles - 1) / tiles;
}

// Adds a tile's sums to c; after the last block bias, GELU and residual follow. kWhole: the tile
// has all its columns.
template <bool kWhole>
void finish_tile(const GemmCall& call, const float* tile, std::size_t row, std::size_t rows,
                 std::size_t column, std::size_t columns, bool first, bool last) {
#pragma GCC unroll 2
  for (std::size_t i = 0; i < kTileColumns; i += kLanes) {
    if (!kWhole && i >= columns) break;
    const std::size_t count = kWhole ? kLanes : columns - i;
    const Vec bias = last ? load_some(call.bias + column + i, count) : zero();
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t at = (row + r) * call.n + column + i;
      Vec sum = load(tile + r * kTileColumns + i);
      if (!first) sum = add(load_some(call.c + at, count), sum);
      if (last) {
        sum = add(sum, bias);
        if (call.gelu) sum = gelu(sum);
        if (call.residual != nullptr) sum = add(sum, load_some(call.residual + at, count));
      }
      store_some(call.c + at, sum, count);
    }
  }
}

// The part of c that a tile will add to; it arrives while the tile is multiplied.
void prefetch_tile(const float* c, std::size_t stride, std::size_t rows) {
  for (std::size_t r = 0; r < rows; ++r) {
    prefetch(c + r * stride);
    prefetch(c + r * stride + kTileColumns - 1);
  }
}

// One block of inputs for one block of rows, all columns.
void gemm_block(const GemmCall& call, std::size_t row_begin, std::size_t row_end,
                std::size_t k_begin, std::size_t k_end) {
  alignas(64) float tile[kTileRows * kTileColumns];
  std::size_t step = 0;
  for (std::size_t column = 0; column < call.n; column += step) {
    std::size_t rows = 0;
    for (std::size_t row = row_begin; row < row_end; row += rows) {
      rows = next_tile_rows(row_end - row);
      prefetch_tile(call.c + row * call.n + column, call.n, rows);
      step = multiply_tile(call.a + row * call.k + k_begin, call.k, rows, call.panels, call.k,
                           k_begin, k_end - k_begin, column, call.n, tile, kTileColumns);
      const std::size_t columns = smaller(step, call.n - column);
      const auto finish = columns == kTileColumns ? finish_tile<true> : finish_tile<false>;
      finish(call, tile, row, rows, column, columns, k_begin == 0, k_end == call.k);
    }
  }
}

void gemm(const GemmCall& call) {
  for (std::size_t row = 0; row < call.m; row += kBlockRows) {
    for (std::size_t k = 0; k < call.k; k += kBlockK) {
      gemm_block(call, row, smaller(row + kBlockRows, call.m), k, smaller(k + kBlockK, call.k));
    }
  }
}

}  // namespace
}  // namespace diffie::ops
