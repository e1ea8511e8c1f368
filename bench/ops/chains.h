#pragma once

namespace diffie::bench {
namespace {

constexpr int kRounds = 20'000;
constexpr int kChains = 12;  // hide the latency of two multiply-add units

// kRounds times kChains independent sums, each changed by step(sum, x, y).
template <typename Vec, typename Step>
inline void run_chains(Vec x, Vec y, Step step) {
  Vec sum[kChains] = {};
  for (int round = 0; round < kRounds; ++round) {
    asm volatile("" : "+v"(x), "+v"(y));  // what changes cannot be computed ahead
#pragma GCC unroll 12
    for (int chain = 0; chain < kChains; ++chain) sum[chain] = step(sum[chain], x, y);
#pragma GCC unroll 12
    for (int chain = 0; chain < kChains; ++chain) asm volatile("" : "+v"(sum[chain]));
  }
}

}  // namespace
}  // namespace diffie::bench
