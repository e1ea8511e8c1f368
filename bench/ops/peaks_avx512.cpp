#include <immintrin.h>

#include "chains.h"
#include "peaks.h"

namespace diffie::bench {

namespace {

void fma512_loop() {
  run_chains(_mm512_set1_ps(1.0f), _mm512_set1_ps(1e-3f),
             [](__m512 sum, __m512 x, __m512 y) { return _mm512_fmadd_ps(x, y, sum); });
}

void vnni_loop() {
  run_chains(_mm512_set1_epi32(0x01010101), _mm512_set1_epi32(0x01010101),
             [](__m512i sum, __m512i a, __m512i w) { return _mm512_dpbusd_epi32(sum, a, w); });
}

}  // namespace

const Peak kFma512Peak = {2.0 * 16 * kChains * kRounds, fma512_loop};
const Peak kVnniPeak = {2.0 * 64 * kChains * kRounds, vnni_loop};

}  // namespace diffie::bench
