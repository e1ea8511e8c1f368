#include "lab/score/matching.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace diffie::score {
namespace {

ValueTable table(std::size_t rows, std::size_t columns, std::vector<double> values) {
  return {rows, columns, std::move(values)};
}

std::vector<char> all(std::size_t size) { return std::vector<char>(size, 1); }

// The reference's wording: take the largest cell, first in row-major order, and strike it out.
double greedy_by_definition(const ValueTable& values, const std::vector<char>& active) {
  std::vector<char> row_used(values.rows, 0);
  std::vector<char> column_used(values.columns, 0);
  double sum = 0;
  const auto left = static_cast<std::size_t>(std::count(active.begin(), active.end(), 1));
  for (std::size_t round = 0; round < std::min(values.rows, left); ++round) {
    double best = -1;
    Match at;
    for (std::size_t row = 0; row < values.rows; ++row) {
      for (std::size_t column = 0; column < values.columns; ++column) {
        if (row_used[row] || column_used[column] || !active[column]) continue;
        if (values.at(row, column) > best) {
          best = values.at(row, column);
          at = {row, column};
        }
      }
    }
    row_used[at.row] = column_used[at.column] = 1;
    sum += best;
  }
  return sum;
}

// Every way to give each row a column of its own or none.
double best_by_trying(const ValueTable& values, std::vector<char>& free, std::size_t row = 0) {
  if (row == values.rows) return 0;
  double best = best_by_trying(values, free, row + 1);
  for (std::size_t column = 0; column < values.columns; ++column) {
    if (!free[column]) continue;
    free[column] = 0;
    best = std::max(best, values.at(row, column) + best_by_trying(values, free, row + 1));
    free[column] = 1;
  }
  return best;
}

TEST(GreedyMatching, TakesTheFirstOfEqualsInRowMajorOrder) {
  const auto matches = GreedyMatcher(table(2, 2, {0.5, 0.5, 0.5, 0.1})).match(all(2));
  ASSERT_EQ(matches.size(), 2u);
  EXPECT_EQ(matches[0].column, 0u);  // so the second row is left with 0.1
  EXPECT_EQ(matches[1].column, 1u);
}

TEST(Matching, EmptyTablesMatchNothing) {
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{0, 0}, {0, 3}, {3, 0}}) {
    const ValueTable empty = table(rows, columns, {});
    EXPECT_TRUE(GreedyMatcher(empty).match(all(columns)).empty());
    EXPECT_TRUE(optimal_matching(empty, all(columns)).empty());
  }
  EXPECT_TRUE(optimal_matching(table(2, 2, {0, 0, 0, 0}), all(2)).empty());
}

TEST(Matching, RandomTablesAgreeWithTheDefinitions) {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    ValueTable values = table(1 + random() % 5, 1 + random() % 5, {});
    // Few distinct values, so that ties and zeros are common.
    for (std::size_t i = 0; i < values.rows * values.columns; ++i) {
      values.values.push_back(static_cast<double>(random() % 5) / 4);
    }
    std::vector<char> active;
    for (std::size_t i = 0; i < values.columns; ++i) active.push_back(random() % 4 != 0);
    const auto greedy = GreedyMatcher(values).match(active);
    const auto optimal = optimal_matching(values, active);
    ASSERT_NEAR(total(values, greedy), greedy_by_definition(values, active), 1e-12) << round;
    std::vector<char> free = active;
    ASSERT_NEAR(total(values, optimal), best_by_trying(values, free), 1e-12) << round;
    std::vector<char> rows(values.rows, 0);
    std::vector<char> columns(values.columns, 0);
    for (const Match& match : optimal) {
      EXPECT_TRUE(active[match.column]);
      EXPECT_EQ(rows[match.row]++, 0);
      EXPECT_EQ(columns[match.column]++, 0);
    }
  }
}

}  // namespace
}  // namespace diffie::score
