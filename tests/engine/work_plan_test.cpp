#include "engine/work_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace diffie::engine {
namespace {

constexpr std::size_t kSamples = 64;

std::vector<Task> plan(const std::vector<std::size_t>& pieces, std::size_t cost,
                       std::size_t threads, std::size_t rows_per_branch = 1) {
  return plan_work(pieces, {kSamples, rows_per_branch, cost, threads});
}

bool is_part(const Task& task) { return task.front().rows < kSamples; }

std::vector<Task> groups_of(const std::vector<Task>& tasks) {
  std::vector<Task> groups;
  std::copy_if(tasks.begin(), tasks.end(), std::back_inserter(groups),
               [](const Task& task) { return !is_part(task); });
  return groups;
}

// Tasks of each passage that is cut into parts.
std::map<std::size_t, std::size_t> parts_of(const std::vector<Task>& tasks) {
  std::map<std::size_t, std::size_t> parts;
  for (const Task& task : tasks) {
    if (is_part(task)) ++parts[task.front().passage];
  }
  return parts;
}

TEST(WorkPlan, EveryRowOfEveryPassageIsPlannedOnce) {
  for (const std::size_t count : {0u, 1u, 2u, 63u, 1000u})
    for (const std::size_t cost : {1u, 20u, 128u, 8192u})
      for (const std::size_t threads : {1u, 2u, 64u})
        for (const std::size_t rows_per_branch : {1u, 8u, 48u, 64u, 100u}) {
          std::vector<std::size_t> pieces;
          for (std::size_t i = 0; i < count; ++i) pieces.push_back(1 + i * 37 % 510);
          std::vector<std::vector<bool>> planned(count, std::vector<bool>(kSamples, false));
          for (const Task& task : plan(pieces, cost, threads, rows_per_branch)) {
            ASSERT_FALSE(task.empty());
            ASSERT_TRUE(task.size() == 1 || !is_part(task)) << "a part is a task of its own";
            for (const Share& share : task) {
              ASSERT_GT(share.rows, 0u);
              ASSERT_EQ(share.first_row % rows_per_branch, 0u);
              for (std::size_t row = share.first_row; row < share.first_row + share.rows; ++row) {
                ASSERT_FALSE(planned[share.passage].at(row));
                planned[share.passage][row] = true;
              }
            }
          }
          for (const auto& rows : planned)
            ASSERT_EQ(std::count(rows.begin(), rows.end(), false), 0);
        }
}

TEST(WorkPlan, GroupsAreOfAboutEqualCostAndTheLongestPassagesComeFirst) {
  std::vector<std::size_t> pieces;
  for (std::size_t i = 0; i < 640; ++i) pieces.push_back(5 + i * 13 % 50);
  const std::size_t cost_per_piece = 60;
  const std::vector<Task> tasks = plan(pieces, cost_per_piece, 2);
  EXPECT_TRUE(parts_of(tasks).empty());
  std::size_t last_first = 1000;
  std::size_t most = 0;
  std::size_t total = 0;
  for (const Task& task : tasks) {
    EXPECT_LE(pieces[task.front().passage], last_first);
    last_first = pieces[task.front().passage];
    std::size_t cost = 0;
    for (const Share& share : task) cost += pieces[share.passage] * cost_per_piece;
    most = std::max(most, cost);
    total += cost;
  }
  EXPECT_LE(most, total / 4);
  EXPECT_GE(tasks.size(), 2u * 4);
}

TEST(WorkPlan, TheLastGroupsAreSmall) {
  const std::vector<std::size_t> pieces(256, 30);
  const std::size_t cost_per_piece = 40;
  const std::vector<Task> tasks = plan(pieces, cost_per_piece, 2);
  const auto cost = [&](const Task& task) { return task.size() * 30 * cost_per_piece; };
  EXPECT_LT(cost(tasks.back()) * 4, cost(tasks.front()));
  EXPECT_LT(cost(tasks.back()) * 40, 256 * 30 * cost_per_piece);
}

// Splitting hides equal rows from each other: many sentences keep every thread busy without it.
TEST(WorkPlan, ManyCostlySentencesStayWhole) {
  const std::vector<Task> tasks = plan(std::vector<std::size_t>(200, 30), 16 * 512, 2);
  EXPECT_TRUE(parts_of(tasks).empty());
  EXPECT_GE(tasks.size(), 40u);
}

// Four sentences in preset `paper`, of two, three, two and four shares of an eighth: each is as
// much work for one thread as for the other.
TEST(WorkPlan, AFewCostlySentencesAreSplitEvenly) {
  const std::vector<Task> tasks = plan({20, 52, 34, 28}, 8192, 2);
  EXPECT_EQ(parts_of(tasks), (std::map<std::size_t, std::size_t>{{0, 2}, {1, 4}, {2, 4}, {3, 2}}));
  EXPECT_TRUE(groups_of(tasks).empty());
}

// One thread encodes the first while another encodes the second.
TEST(WorkPlan, PartsOfAsManyPassagesAsThreadsTakeTurns) {
  std::vector<std::size_t> order;
  for (const Task& task : plan({20, 52, 34, 28}, 8192, 2)) order.push_back(task.front().passage);
  EXPECT_EQ(order, (std::vector<std::size_t>{1, 2, 1, 2, 1, 2, 1, 2, 3, 0, 3, 0}));
}

// Splitting would win nothing.
TEST(WorkPlan, OneThreadSplitsNothing) {
  EXPECT_TRUE(parts_of(plan({40, 30}, 16 * 512, 1)).empty());
}

TEST(WorkPlan, AFewSentencesStillGiveEveryThreadWork) {
  EXPECT_EQ(parts_of(plan({40}, 16 * 512, 2)).size(), 1u);
  EXPECT_GE(plan({40, 30, 30, 25}, 128, 2).size(), 2u);
}

TEST(WorkPlan, GroupsHoldEveryPassageOnceAndNoMoreTokensThanWanted) {
  const std::vector<std::size_t> pieces = {3, 510, 40, 40, 7, 200, 98, 1};
  std::vector<std::size_t> seen;
  for (const Task& task : plan_groups(pieces, kSamples, 300)) {
    std::size_t tokens = 0;
    for (const Share& share : task) {
      EXPECT_EQ(share.first_row, 0u);
      EXPECT_EQ(share.rows, kSamples);
      seen.push_back(share.passage);
      tokens += pieces[share.passage] + 2;
    }
    EXPECT_TRUE(tokens <= 300 || task.size() == 1) << tokens;
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_TRUE(plan_groups({}, kSamples, 300).empty());
}

}  // namespace
}  // namespace diffie::engine
