#include "fma_peak.h"

#include <chrono>

namespace {

using Floats = float __attribute__((vector_size(32)));

// Twelve chains hide the latency of two multiply-add units.
constexpr int kChains = 12;
constexpr int kRounds = 2'000'000;

double one_run() {
  Floats sum[kChains] = {};
  Floats x = {1, 1, 1, 1, 1, 1, 1, 1};
  Floats y = x * 1e-3f;
  const auto begin = std::chrono::steady_clock::now();
  for (int round = 0; round < kRounds; ++round) {
    asm volatile("" : "+x"(x), "+x"(y));  // what changes cannot be computed ahead
#pragma GCC unroll 12
    for (int chain = 0; chain < kChains; ++chain) sum[chain] = x * y + sum[chain];
#pragma GCC unroll 12
    for (int chain = 0; chain < kChains; ++chain) asm volatile("" : "+x"(sum[chain]));
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  return 2.0 * 8 * kChains * kRounds / seconds.count() / 1e9;
}

}  // namespace

double measure_fma_peak_gflops() {
  double best = 0;
  for (int run = 0; run < 20; ++run) {
    const double gflops = one_run();
    best = gflops > best ? gflops : best;
  }
  return best;
}
