// Int8 kernels for AMX, whose registers are tiles of 16 rows of 64 bytes: 16 rows of inputs times a
// panel's 16 columns, 64 inputs at a time. Compiled with its flags, called only where the machine
// has it. What does not fill tiles goes the way of VNNI; the sums are the same whole numbers.
#include "ops/cpu_kernels.h"
#include "ops/simd/amx_tiles.h"
#include "ops/simd/int8_body.h"

namespace diffie::ops {
namespace {

constexpr std::size_t kAmxRows = 16;
constexpr std::size_t kAmxInputs = 64;
constexpr std::size_t kTileSums = kAmxRows * kPanelColumns;

// One or two tiles of rows times one or two panels: sums [row tile, panel][16, 16].
template <bool kTwoRows, bool kTwoPanels>
void multiply_tiles(const std::uint8_t* a0, const std::uint8_t* a1, std::size_t a_stride,
                    const std::int8_t* w, std::size_t k, std::int32_t* sums) {
  const std::int8_t* w1 = w + k * kPanelColumns;
  _tile_zero(0);
  if constexpr (kTwoPanels) _tile_zero(1);
  if constexpr (kTwoRows) _tile_zero(2);
  if constexpr (kTwoRows && kTwoPanels) _tile_zero(3);
  for (std::size_t j = 0; j < k; j += kAmxInputs) {
    _tile_loadd(4, a0 + j, a_stride);
    _tile_loadd(6, w + j * kPanelColumns, 4 * kPanelColumns);
    _tile_dpbusd(0, 4, 6);
    if constexpr (kTwoPanels) {
      _tile_loadd(7, w1 + j * kPanelColumns, 4 * kPanelColumns);
      _tile_dpbusd(1, 4, 7);
    }
    if constexpr (kTwoRows) {
      _tile_loadd(5, a1 + j, a_stride);
      _tile_dpbusd(2, 5, 6);
      if constexpr (kTwoPanels) _tile_dpbusd(3, 5, 7);
    }
  }
  constexpr std::size_t kStride = kPanelColumns * sizeof(std::int32_t);
  _tile_stored(0, sums, kStride);
  if constexpr (kTwoPanels) _tile_stored(1, sums + kTileSums, kStride);
  if constexpr (kTwoRows) _tile_stored(2, sums + 2 * kTileSums, kStride);
  if constexpr (kTwoRows && kTwoPanels) _tile_stored(3, sums + 3 * kTileSums, kStride);
}

void finish_sums(const Int8GemmCall& call, const std::int32_t* sums, std::size_t row,
                 std::size_t column) {
  const bool whole = column + kPanelColumns <= call.n;
  const auto finish = whole ? finish_int8<8, true> : finish_int8<8, false>;
  finish(call, sums, row, column);
  finish(call, sums + 8 * kPanelColumns, row + 8, column);
}

// Up to 32 rows from `row` on times up to two panels. The last tile of rows ends with the last row,
// though some are then computed twice.
void amx_block(const Int8GemmCall& call, std::size_t row, std::size_t panel) {
  alignas(64) std::int32_t sums[4 * kTileSums];
  const std::size_t row0 = smaller(row, call.m - kAmxRows);
  const std::size_t row1 = smaller(row + kAmxRows, call.m - kAmxRows);
  const std::size_t column = panel * kPanelColumns;
  const bool two_rows = row + kAmxRows < call.m;
  const bool two_panels = column + kPanelColumns < call.n;
  const auto with_rows = two_rows ? multiply_tiles<true, true> : multiply_tiles<false, true>;
  const auto one_panel = two_rows ? multiply_tiles<true, false> : multiply_tiles<false, false>;
  const auto multiply = two_panels ? with_rows : one_panel;
  multiply(call.a + row0 * call.k, call.a + row1 * call.k, call.k, call.panels + column * call.k,
           call.k, sums);
  finish_sums(call, sums, row0, column);
  if (two_panels) finish_sums(call, sums + kTileSums, row0, column + kPanelColumns);
  if (!two_rows) return;
  finish_sums(call, sums + 2 * kTileSums, row1, column);
  if (two_panels) finish_sums(call, sums + 3 * kTileSums, row1, column + kPanelColumns);
}

}  // namespace

void gemm_int8_amx(const Int8GemmCall& call) {
  const bool fills_tiles = call.m >= kAmxRows && call.k % kAmxInputs == 0;
  if (call.input_order != InputOrder::kNatural || !fills_tiles) return gemm_int8(call);
  _tile_loadconfig(&kTileConfig);
  for (std::size_t panel = 0; panel * kPanelColumns < call.n; panel += 2) {
    for (std::size_t row = 0; row < call.m; row += 2 * kAmxRows) amx_block(call, row, panel);
  }
  _tile_release();
}

}  // namespace diffie::ops
