#include "base/timeline.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace diffie::base {
namespace {

using std::chrono::microseconds;

TEST(Timeline, WhatFollowsCloselyMakesASpanLonger) {
  const TimedSpan::Clock::time_point zero;
  const char* const name = "a";
  TimedRow row(RowKind::kWorker, "row");
  row.add({name, zero, zero + microseconds(10), 0.25});
  row.add({name, zero + microseconds(11), zero + microseconds(20), 0.5});  // at once
  row.add({"b", zero + microseconds(20), zero + microseconds(21), 0});     // of another name
  row.add({name, zero + microseconds(21), zero + microseconds(30), 0});
  row.add({name, zero + microseconds(40), zero + microseconds(50), 0});  // later
  ASSERT_EQ(row.spans().size(), 4u);
  EXPECT_EQ(row.spans()[0].end, zero + microseconds(20));
  EXPECT_EQ(row.spans()[0].cpu_s, 0.75);
}

TEST(Timeline, AClockTellsSleepFromWork) {
  TimedRow row(RowKind::kThread, "row");
  SpanClock sleeping(&row, "sleeping");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const double slept_s = sleeping.stop();
  SpanClock working(&row, "working");
  while (thread_cpu_s() < 0.02) continue;
  working.stop();
  ASSERT_EQ(row.spans().size(), 2u);
  EXPECT_GE(slept_s, 0.02);
  EXPECT_LT(row.spans()[0].cpu_s, 0.01);
  EXPECT_LE(row.spans()[0].end, row.spans()[1].begin);
}

TEST(Timeline, WithoutARowAClockOnlyMeasures) {
  SpanClock clock(nullptr, "nothing");
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_GE(clock.stop(), 0.002);
}

TEST(Timeline, RowsOfManyThreadsStayWhereTheyAre) {
  Timeline timeline;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&timeline] {
      TimedRow& row = timeline.add_row(RowKind::kWorker, "row");
      for (int span = 0; span < 100; ++span) {
        row.add({span % 2 == 0 ? "even" : "odd", TimedSpan::Clock::now(), TimedSpan::Clock::now()});
      }
    });
  }
  threads.clear();
  ASSERT_EQ(timeline.rows().size(), 8u);
  for (const TimedRow& row : timeline.rows()) EXPECT_EQ(row.spans().size(), 100u);
}

}  // namespace
}  // namespace diffie::base
