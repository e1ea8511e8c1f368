#include "base/workers.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

#include "diffie/error.h"

namespace diffie::base {
namespace {

TEST(Workers, VisitsEveryIndexOnce) {
  for (const std::size_t threads : {1, 2, 7}) {
    Workers pool(threads);
    for (const std::size_t count : {0, 1, 2, 100}) {
      std::vector<std::atomic<int>> visits(count);
      pool.parallel_for(count, [&](std::size_t worker, std::size_t index) {
        EXPECT_LT(worker, threads);
        ++visits[index];
      });
      for (const auto& visit : visits) EXPECT_EQ(visit, 1);
    }
  }
}

TEST(Workers, AWorkerRunsOneCallAtATime) {
  Workers pool(3);
  std::vector<std::atomic<int>> busy(3);
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      pool.parallel_for(50, [&](std::size_t worker, std::size_t) {
        EXPECT_EQ(busy[worker]++, 0);
        std::this_thread::yield();
        --busy[worker];
      });
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST(Workers, ThrowsTheFirstErrorAndStaysUsable) {
  Workers pool(2);
  std::atomic<int> calls = 0;
  EXPECT_THROW(pool.parallel_for(10000,
                                 [&](std::size_t, std::size_t index) {
                                   ++calls;
                                   if (index == 3) throw std::runtime_error("three");
                                 }),
               std::runtime_error);
  EXPECT_LT(calls, 10000);  // what had not started was skipped
  calls = 0;
  pool.parallel_for(5, [&](std::size_t, std::size_t) { ++calls; });
  EXPECT_EQ(calls, 5);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

// In a process of its own, whose address space has room for a few stacks only.
void expect_exhausted() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t limit = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + (64u << 20);
  const rlimit room{limit, limit};
  ::setrlimit(RLIMIT_AS, &room);
  try {
    const Workers workers(512);
  } catch (const Error& error) {
    const bool named =
        std::string_view(error.what()).find(" of 512 cannot be started") != std::string_view::npos;
    std::_Exit(error.code() == ErrorCode::kExhausted && named ? 0 : 2);
  }
  std::_Exit(1);
}

TEST(WorkersDeathTest, AThreadThatCannotStartIsAnError) {
  EXPECT_EXIT(expect_exhausted(), testing::ExitedWithCode(0), "");
}

#endif

}  // namespace
}  // namespace diffie::base
