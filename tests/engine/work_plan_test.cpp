#include "engine/work_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace diffie::engine {
namespace {

std::vector<std::size_t> planned(const WorkPlan& plan) {
  std::vector<std::size_t> units;
  for (const UnitSplit& split : plan.alone) {
    EXPECT_GE(split.parts, 2u);
    units.push_back(split.unit);
  }
  for (const UnitGroup& group : plan.groups) {
    EXPECT_FALSE(group.empty());
    units.insert(units.end(), group.begin(), group.end());
  }
  std::sort(units.begin(), units.end());
  return units;
}

std::vector<std::size_t> up_to(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

TEST(WorkPlan, EveryUnitIsPlannedOnce) {
  for (const std::size_t count : {0u, 1u, 2u, 63u, 1000u})
    for (const std::size_t cost : {1u, 20u, 128u, 8192u})
      for (const std::size_t threads : {1u, 2u, 64u}) {
        std::vector<std::size_t> pieces;
        for (std::size_t i = 0; i < count; ++i) pieces.push_back(1 + i * 37 % 510);
        const WorkPlan plan = plan_work(pieces, cost, threads);
        EXPECT_EQ(planned(plan), up_to(count));
      }
}

TEST(WorkPlan, GroupsAreOfAboutEqualCostAndTheLargestUnitsComeFirst) {
  std::vector<std::size_t> pieces;
  for (std::size_t i = 0; i < 640; ++i) pieces.push_back(5 + i * 13 % 50);
  const std::size_t cost_per_piece = 60;
  const WorkPlan plan = plan_work(pieces, cost_per_piece, 2);
  EXPECT_TRUE(plan.alone.empty());
  std::size_t last_first = 1000;
  std::size_t most = 0;
  std::size_t total = 0;
  for (const UnitGroup& group : plan.groups) {
    EXPECT_LE(pieces[group.front()], last_first);
    last_first = pieces[group.front()];
    std::size_t cost = 0;
    for (const std::size_t unit : group) cost += pieces[unit] * cost_per_piece;
    most = std::max(most, cost);
    total += cost;
  }
  EXPECT_LE(most, total / 4);
  EXPECT_GE(plan.groups.size(), 2u * 4);
}

TEST(WorkPlan, TheLastGroupsAreSmall) {
  const std::vector<std::size_t> pieces(256, 30);
  const std::size_t cost_per_piece = 40;
  const WorkPlan plan = plan_work(pieces, cost_per_piece, 2);
  const auto cost = [&](const UnitGroup& group) { return group.size() * 30 * cost_per_piece; };
  EXPECT_LT(cost(plan.groups.back()) * 4, cost(plan.groups.front()));
  EXPECT_LT(cost(plan.groups.back()) * 40, 256 * 30 * cost_per_piece);
}

// Splitting hides equal rows from each other: many sentences keep every thread busy without it.
TEST(WorkPlan, ManyDearSentencesStayWhole) {
  const std::vector<std::size_t> pieces(200, 30);
  const WorkPlan plan = plan_work(pieces, 16 * 512, 2);
  EXPECT_TRUE(plan.alone.empty());
  EXPECT_GE(plan.groups.size(), 40u);
}

// Four sentences in preset `paper`, of two, three, two and four shares of an eighth: each is as
// much work for one thread as for the other.
TEST(WorkPlan, AFewDearSentencesAreSplitEvenly) {
  const std::vector<std::size_t> pieces = {20, 52, 34, 28};
  const WorkPlan plan = plan_work(pieces, 8192, 2);
  EXPECT_EQ(plan.alone, (std::vector<UnitSplit>{{1, 4}, {2, 4}, {3, 2}, {0, 2}}));
  EXPECT_TRUE(plan.groups.empty());
}

// Splitting would win nothing.
TEST(WorkPlan, OneThreadSplitsNothing) {
  const std::vector<std::size_t> pieces = {40, 30};
  EXPECT_TRUE(plan_work(pieces, 16 * 512, 1).alone.empty());
}

TEST(WorkPlan, AFewSentencesStillGiveEveryThreadWork) {
  const std::vector<std::size_t> one = {40};
  EXPECT_EQ(plan_work(one, 16 * 512, 2).alone.size(), 1u);
  const std::vector<std::size_t> four = {40, 30, 30, 25};
  const WorkPlan plan = plan_work(four, 128, 2);
  EXPECT_GE(plan.groups.size() + plan.alone.size(), 2u);
}

}  // namespace
}  // namespace diffie::engine
