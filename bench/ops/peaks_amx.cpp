#include <immintrin.h>

#include "ops/simd/amx_tiles.h"
#include "peaks.h"

namespace diffie::bench {

namespace {

constexpr int kRounds = 4'000;

void amx_loop() {
  _tile_loadconfig(&ops::kTileConfig);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_zero(4);
  _tile_zero(5);
  for (int round = 0; round < kRounds; ++round) {
    _tile_dpbusd(0, 4, 5);
    _tile_dpbusd(1, 4, 5);
    _tile_dpbusd(2, 4, 5);
    _tile_dpbusd(3, 4, 5);
  }
  _tile_release();
}

}  // namespace

const Peak kAmxPeak = {2.0 * 4 * 16 * 16 * 64 * kRounds, amx_loop};

}  // namespace diffie::bench
