#include <immintrin.h>

#include <vector>

#include "chains.h"
#include "peaks.h"
#include "timing.h"

namespace diffie::bench {

namespace {

constexpr int kPairChains = 8;

void fma_loop() {
  run_chains(_mm256_set1_ps(1.0f), _mm256_set1_ps(1e-3f),
             [](__m256 sum, __m256 x, __m256 y) { return _mm256_fmadd_ps(x, y, sum); });
}

void pair16_loop() {
  __m256i sum[kPairChains] = {};
  __m256i a = _mm256_set1_epi8(1);
  __m256i w = _mm256_set1_epi8(2);
  const __m256i ones = _mm256_set1_epi16(1);
  for (int round = 0; round < kRounds; ++round) {
#pragma GCC unroll 8
    for (int chain = 0; chain < kPairChains; ++chain) {
      asm volatile("" : "+x"(a), "+x"(w));
      const __m256i p = _mm256_maddubs_epi16(a, w);
      asm volatile("" : "+x"(a), "+x"(w));
      const __m256i q = _mm256_maddubs_epi16(a, w);
      const __m256i both = _mm256_madd_epi16(_mm256_add_epi16(p, q), ones);
      sum[chain] = _mm256_add_epi32(sum[chain], both);
    }
#pragma GCC unroll 8
    for (int chain = 0; chain < kPairChains; ++chain) asm volatile("" : "+x"(sum[chain]));
  }
}

}  // namespace

const Peak kFmaPeak = {2.0 * 8 * kChains * kRounds, fma_loop};
const Peak kPair16Peak = {2.0 * 64 * kPairChains * kRounds, pair16_loop};

double stream_bandwidth(std::size_t bytes) {
  std::vector<float> values(bytes / sizeof(float), 1.0f);
  const double seconds = best_seconds([&] {
    for (std::size_t i = 0; i + 32 <= values.size(); i += 32) {
#pragma GCC unroll 4
      for (std::size_t j = 0; j < 32; j += 8) {
        __m256 x = _mm256_loadu_ps(values.data() + i + j);
        asm volatile("" : "+x"(x));
        _mm256_storeu_ps(values.data() + i + j, x);
      }
    }
  });
  return 2.0 * static_cast<double>(bytes) / seconds / 1e9;
}

}  // namespace diffie::bench
