// Included by one source file per instruction set; see math_body.h.
#pragma once

#include "ops/cpu_kernels.h"
#include "ops/simd/math_body.h"

namespace diffie::ops {
namespace {

constexpr std::size_t kTileColumns = 2 * kLanes;
// Sums of one chain of multiply-adds; a longer one loses digits where one term is far larger than
// the others, as some are in BERT, and a shorter one costs time (128: 2 %).
constexpr std::size_t kChain = 256;

// A few rows and one or two vectors of packed columns, for sum_j a[r, j] b[v][j]. Vector v of input
// j lies at b + v * b_stride + j * b_step.
struct TileInput {
  const float* a;
  std::size_t a_stride;
  const float* b;
  std::size_t b_stride;
  std::size_t b_step;
  std::size_t k;
  std::size_t next_b = 0;  // from b to the weights of the next tile of columns
};

// Where a tile's sums go and what becomes of them on their way.
struct TileOutput {
  float* out;
  std::size_t stride;
  bool add = false;             // to what earlier inputs left there
  const float* bias = nullptr;  // null: more inputs are to come, or there is nothing else to do
  bool gelu = false;
  const float* residual = nullptr;  // with the stride of `out`
};

template <int kRows, int kVecs>
using Sums = Vec[kRows][kVecs];

template <int kRows, int kVecs, typename Change>
inline void change_each(Sums<kRows, kVecs>& sums, Change change) {
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kVecs; ++v) sums[r][v] = change(sums[r][v], r, v * kLanes);
  }
}

// Earlier sums, bias, GELU and residual, all in registers.
template <int kRows, int kVecs>
inline void finish(Sums<kRows, kVecs>& sums, const TileOutput& to) {
  if (to.add) {
    change_each<kRows, kVecs>(sums, [&](Vec sum, int r, std::size_t column) {
      return add(load(to.out + r * to.stride + column), sum);
    });
  }
  if (to.bias == nullptr) return;
  change_each<kRows, kVecs>(
      sums, [&](Vec sum, int, std::size_t column) { return add(sum, load(to.bias + column)); });
  if (to.gelu) {
    change_each<kRows, kVecs>(sums, [](Vec sum, int, std::size_t) { return gelu(sum); });
  }
  if (to.residual != nullptr) {
    change_each<kRows, kVecs>(sums, [&](Vec sum, int r, std::size_t column) {
      return add(sum, load(to.residual + r * to.stride + column));
    });
  }
}

// At most kChain inputs. kAhead: the next tile's weights are on their way meanwhile.
template <int kRows, int kVecs, bool kAhead>
void multiply_chain(const TileInput& in, const TileOutput& to) {
  Sums<kRows, kVecs> sums;
  change_each<kRows, kVecs>(sums, [](Vec, int, std::size_t) { return zero(); });
  const float* a = in.a;
  const float* b = in.b;
  const std::size_t a_stride = in.a_stride;
  const std::size_t b_stride = in.b_stride;
  const std::size_t b_step = in.b_step;
  const std::size_t next_b = in.next_b;
  for (std::size_t j = 0; j < in.k; ++j) {
    Vec weight[kVecs];
#pragma GCC unroll 2
    for (int v = 0; v < kVecs; ++v) {
      weight[v] = load(b + v * b_stride);
      if (kAhead && v * kLanes % kPanelColumns == 0) prefetch_far(b + v * b_stride + next_b);
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const Vec input = broadcast(a[r * a_stride]);
#pragma GCC unroll 2
      for (int v = 0; v < kVecs; ++v) sums[r][v] = fma(input, weight[v], sums[r][v]);
    }
    a += 1;
    b += b_step;
  }
  finish<kRows, kVecs>(sums, to);
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kVecs; ++v) store(to.out + r * to.stride + v * kLanes, sums[r][v]);
  }
}

// All inputs, chain after chain, in the same order whatever kRows and kVecs are.
template <int kRows, int kVecs, bool kAhead>
void multiply(const TileInput& in, const TileOutput& to) {
  for (std::size_t j = 0; j < in.k; j += kChain) {
    TileInput chain = in;
    chain.a += j;
    chain.b += j * in.b_step;
    chain.k = smaller(kChain, in.k - j);
    TileOutput sums = to;
    sums.add = to.add || j > 0;
    if (j + chain.k < in.k) sums.bias = nullptr;
    multiply_chain<kRows, kVecs, kAhead>(chain, sums);
  }
}

// The product of `rows` rows, at most kRows, all of them in registers.
template <int kVecs, bool kAhead = false, int kRows = kTileRows>
void multiply_rows(std::size_t rows, const TileInput& in, const TileOutput& to) {
  if constexpr (kRows > 1) {
    if (rows < kRows) return multiply_rows<kVecs, kAhead, kRows - 1>(rows, in, to);
  }
  multiply<kRows, kVecs, kAhead>(in, to);
}

// Inputs k_begin .. k_begin + k_count of a matrix of k inputs, for the columns that begin with the
// panel. Where a vector is as wide as a panel, the second one is in the next panel.
TileInput packed_tile(const float* a, std::size_t a_stride, const float* panel, std::size_t k,
                      std::size_t k_begin, std::size_t k_count) {
  return {.a = a,
          .a_stride = a_stride,
          .b = panel + k_begin * kPanelColumns,
          .b_stride = kLanes < kPanelColumns ? kLanes : k * kPanelColumns,
          .b_step = kPanelColumns,
          .k = k_count,
          .next_b = kTileColumns * k};
}

// A block of rows and inputs of a GEMM. Rows that lie a multiple of 4 KB apart share a few places
// of the first-level cache; where they may, they are copied to where they do not.
class GemmBlock {
 public:
  GemmBlock(const GemmCall& call, std::size_t row_begin, std::size_t row_end, std::size_t k_begin)
      : call_(call),
        row_begin_(row_begin),
        row_end_(row_end),
        k_begin_(k_begin),
        k_count_(smaller(kGemmBlockK, call.k - k_begin)),
        a_(call.a + row_begin * call.k + k_begin),
        a_stride_(call.k) {
    if (call.k > kGemmBlockK) copy_rows();
  }

  void multiply() const {
    const std::size_t whole = call_.n / kTileColumns * kTileColumns;
    for (std::size_t column = 0; column < whole; column += kTileColumns) whole_tiles(column);
    if (whole < call_.n && k_begin_ + k_count_ == call_.k) last_tiles(whole);
  }

 private:
  void copy_rows() {
    for (std::size_t row = 0; row < row_end_ - row_begin_; ++row) {
      __builtin_memcpy(call_.scratch + row * kGemmCopyStride, a_ + row * call_.k,
                       k_count_ * sizeof(float));
    }
    a_ = call_.scratch;
    a_stride_ = kGemmCopyStride;
  }

  // All columns of a tile, from registers to c.
  void whole_tiles(std::size_t column) const {
    std::size_t rows = 0;
    for (std::size_t row = row_begin_; row < row_end_; row += rows) {
      rows = next_tile_rows<kTileRows>(row_end_ - row);
      const std::size_t at = row * call_.n + column;
      const bool last = k_begin_ + k_count_ == call_.k;
      const TileInput in =
          packed_tile(a_ + (row - row_begin_) * a_stride_, a_stride_,
                      call_.panels + column * call_.k, call_.k, k_begin_, k_count_);
      const TileOutput to = {.out = call_.c + at,
                             .stride = call_.n,
                             .add = k_begin_ > 0,
                             .bias = last ? call_.bias + column : nullptr,
                             .gelu = call_.gelu,
                             .residual = call_.residual == nullptr ? nullptr : call_.residual + at};
      const auto multiply = row == row_begin_ ? multiply_rows<2, true> : multiply_rows<2, false>;
      multiply(rows, in, to);
    }
  }

  // Fewer columns than a tile has, for all inputs at once: through memory of its own.
  void last_tiles(std::size_t column) const {
    alignas(64) float tile[kTileRows * kTileColumns];
    const bool two = kLanes < kPanelColumns || column + kLanes < call_.n;
    std::size_t rows = 0;
    for (std::size_t row = row_begin_; row < row_end_; row += rows) {
      rows = next_tile_rows<kTileRows>(row_end_ - row);
      const TileInput in = packed_tile(call_.a + row * call_.k, call_.k,
                                       call_.panels + column * call_.k, call_.k, 0, call_.k);
      const auto multiply = two ? multiply_rows<2, false> : multiply_rows<1, false>;
      multiply(rows, in, {.out = tile, .stride = kTileColumns});
      for (std::size_t r = 0; r < rows; ++r) finish_row(tile + r * kTileColumns, row + r, column);
    }
  }

  void finish_row(const float* sums, std::size_t row, std::size_t column) const {
    for (std::size_t i = column; i < call_.n; i += kLanes) {
      const std::size_t at = row * call_.n + i;
      const std::size_t count = call_.n - i;
      Vec sum = add(load(sums + i - column), load_some(call_.bias + i, count));
      if (call_.gelu) sum = gelu(sum);
      if (call_.residual != nullptr) sum = add(sum, load_some(call_.residual + at, count));
      store_some(call_.c + at, sum, count);
    }
  }

  const GemmCall& call_;
  std::size_t row_begin_, row_end_;
  std::size_t k_begin_, k_count_;
  const float* a_;
  std::size_t a_stride_;
};

// Rows of a block: whole tiles, all blocks alike.
std::size_t block_rows(const GemmCall& call) {
  const std::size_t most = kGemmBlockInputs / smaller(call.k, kGemmBlockK);
  const std::size_t blocks = (call.m + most - 1) / most;
  const std::size_t tiles = (call.m + blocks * kTileRows - 1) / (blocks * kTileRows);
  return tiles * kTileRows;
}

void gemm(const GemmCall& call) {
  const std::size_t rows = block_rows(call);
  for (std::size_t row = 0; row < call.m; row += rows) {
    const std::size_t row_end = smaller(row + rows, call.m);
    for (std::size_t k = 0; k < call.k; k += kGemmBlockK) {
      GemmBlock(call, row, row_end, k).multiply();
    }
  }
}

}  // namespace
}  // namespace diffie::ops
