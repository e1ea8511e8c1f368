#include <immintrin.h>

#include "peaks.h"
#include "timing.h"

namespace diffie::bench {

double vnni_peak() {
  constexpr int kRounds = 20'000;
  constexpr int kChains = 12;
  const double seconds = best_seconds([] {
    __m512i sum[kChains] = {};
    __m512i a = _mm512_set1_epi32(0x01010101);
    __m512i w = a;
    for (int round = 0; round < kRounds; ++round) {
      asm volatile("" : "+v"(a), "+v"(w));
#pragma GCC unroll 12
      for (int chain = 0; chain < kChains; ++chain) {
        sum[chain] = _mm512_dpbusd_epi32(sum[chain], a, w);
      }
#pragma GCC unroll 12
      for (int chain = 0; chain < kChains; ++chain) asm volatile("" : "+v"(sum[chain]));
    }
  });
  return 2.0 * 64 * kChains * kRounds / seconds / 1e9;
}

}  // namespace diffie::bench
