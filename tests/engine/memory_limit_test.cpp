#include "engine/memory_limit.h"

#include <gtest/gtest.h>

#include <shared_mutex>
#include <thread>

namespace diffie::engine {
namespace {

TEST(Gate, WhoIsAloneIsAlone) {
  Gate gate;
  int value = 0;  // written by one, read by many: a race would be seen with tsan
  std::atomic<int> inside = 0, torn = 0;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int turn = 0; turn < 500; ++turn) {
        if (turn % 10 == thread) {
          std::unique_lock alone(gate, std::defer_lock);
          if (turn % 20 == thread) {
            alone.lock();
          } else {
            while (!alone.try_lock()) std::this_thread::yield();
          }
          if (inside != 0) ++torn;
          ++value;
        } else {
          const std::shared_lock among(gate);
          ++inside;
          const int before = value;
          std::this_thread::yield();
          if (value != before) ++torn;
          --inside;
        }
      }
    });
  }
  threads.clear();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(value, 4 * 50);
}

TEST(Gate, IsHadAtOnceOrNotAtAll) {
  Gate gate;
  {
    const std::shared_lock among(gate);
    EXPECT_FALSE(gate.try_lock());
  }
  {
    const std::unique_lock alone(gate, std::try_to_lock);
    EXPECT_TRUE(alone.owns_lock());
    EXPECT_FALSE(gate.try_lock());
  }
  EXPECT_TRUE(gate.try_lock());
  gate.unlock();
}

// There is always somebody inside: each leaves when another one has come. A lock that lets readers
// pass would never be had.
TEST(Gate, ManyThatComeAndGoKeepNobodyOut) {
  Gate gate;
  std::atomic<bool> done = false;
  std::atomic<int> inside = 0;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 3; ++thread) {
    threads.emplace_back([&] {
      while (!done) {
        const std::shared_lock among(gate);
        ++inside;
        const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
        while (inside < 2 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        --inside;
      }
    });
  }
  for (int turn = 0; turn < 20; ++turn) {
    const std::unique_lock alone(gate);
    EXPECT_EQ(inside, 0);
  }
  done = true;
}

TEST(GroupLimit, OnlyFallsAndSaysTheFirstTime) {
  GroupLimit limit;
  EXPECT_GT(limit.tokens(), std::size_t{1} << 40);
  EXPECT_TRUE(limit.lower(100));
  EXPECT_FALSE(limit.lower(200));
  EXPECT_EQ(limit.tokens(), 100u);
  EXPECT_FALSE(limit.lower(50));
  EXPECT_EQ(limit.tokens(), 50u);
}

TEST(Notices, AreTakenOnceInTheirOrder) {
  Notices notices;
  notices.add("a");
  notices.add("b");
  EXPECT_EQ(notices.take(), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(notices.take().empty());
}

}  // namespace
}  // namespace diffie::engine
