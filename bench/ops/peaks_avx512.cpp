#include <immintrin.h>

#include "peaks.h"

namespace diffie::bench {

namespace {

constexpr int kRounds = 20'000;
constexpr int kChains = 12;

void fma512_loop() {
  __m512 sum[kChains] = {};
  __m512 x = _mm512_set1_ps(1.0f);
  __m512 y = _mm512_set1_ps(1e-3f);
  for (int round = 0; round < kRounds; ++round) {
    asm volatile("" : "+v"(x), "+v"(y));
#pragma GCC unroll 12
    for (int chain = 0; chain < kChains; ++chain) sum[chain] = _mm512_fmadd_ps(x, y, sum[chain]);
#pragma GCC unroll 12
    for (int chain = 0; chain < kChains; ++chain) asm volatile("" : "+v"(sum[chain]));
  }
}

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

const Peak kFma512Peak = {2.0 * 16 * kChains * kRounds, fma512_loop};
const Peak kVnniPeak = {2.0 * 64 * kChains * kRounds, vnni_loop};

}  // namespace diffie::bench
