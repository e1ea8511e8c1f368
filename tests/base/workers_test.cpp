#include "base/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

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

}  // namespace
}  // namespace diffie::base
