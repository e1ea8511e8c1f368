#include <immintrin.h>

#include "peaks.h"

namespace diffie::bench {

namespace {

constexpr int kRounds = 20'000;
constexpr int kChains = 12;

void vnni_loop() {
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
}

}  // namespace

const Peak kVnniPeak = {2.0 * 64 * kChains * kRounds, vnni_loop};

}  // namespace diffie::bench
