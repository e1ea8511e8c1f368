#pragma once

#include <algorithm>
#include <ctime>

namespace diffie::bench {

inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Seconds of this thread's processor time that one call takes: the best of several runs of a few
// milliseconds each. What other programs do to the machine shows in most runs, seldom in all.
template <typename Call>
double best_seconds(Call call) {
  constexpr int kRuns = 25;
  constexpr double kRunSeconds = 3e-3;
  constexpr double kSeconds = 0.1;  // long calls have fewer runs, four at least
  call();                           // warm
  const double begin = thread_seconds();
  call();
  const double once = thread_seconds() - begin;
  const int calls = once > kRunSeconds ? 1 : static_cast<int>(kRunSeconds / (once + 1e-9)) + 1;
  double best = 1e30;
  for (int run = 0; run < kRuns; ++run) {
    if (run >= 4 && thread_seconds() - begin > kSeconds) break;
    const double start = thread_seconds();
    for (int i = 0; i < calls; ++i) call();
    best = std::min(best, (thread_seconds() - start) / calls);
  }
  return best;
}

}  // namespace diffie::bench
