#include "lab/score/matching.h"

#include <algorithm>
#include <limits>

namespace diffie::score {
namespace {

// assigned[column] = row, for a cost table with rows <= columns; both counted from 1, 0 is "none".
// Shortest augmenting paths with potentials u (rows) and v (columns), one row at a time.
template <typename Cost>
std::vector<std::size_t> assign(std::size_t rows, std::size_t columns, const Cost& cost) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<double> u(rows + 1, 0);
  std::vector<double> v(columns + 1, 0);
  std::vector<std::size_t> assigned(columns + 1, 0);
  std::vector<std::size_t> previous(columns + 1, 0);
  for (std::size_t row = 1; row <= rows; ++row) {
    assigned[0] = row;
    std::size_t column = 0;
    std::vector<double> distance(columns + 1, kInfinity);
    std::vector<char> done(columns + 1, 0);
    do {
      done[column] = 1;
      const std::size_t here = assigned[column];
      double delta = kInfinity;
      std::size_t next = 0;
      for (std::size_t j = 1; j <= columns; ++j) {
        if (done[j]) continue;
        const double reduced = cost(here - 1, j - 1) - u[here] - v[j];
        if (reduced < distance[j]) {
          distance[j] = reduced;
          previous[j] = column;
        }
        if (distance[j] < delta) {
          delta = distance[j];
          next = j;
        }
      }
      for (std::size_t j = 0; j <= columns; ++j) {
        if (done[j]) {
          u[assigned[j]] += delta;
          v[j] -= delta;
        } else {
          distance[j] -= delta;
        }
      }
      column = next;
    } while (assigned[column] != 0);
    for (; column != 0; column = previous[column]) assigned[column] = assigned[previous[column]];
  }
  return assigned;
}

}  // namespace

GreedyMatcher::GreedyMatcher(const ValueTable& table) : rows_(table.rows) {
  for (std::size_t row = 0; row < table.rows; ++row) {
    for (std::size_t column = 0; column < table.columns; ++column) {
      if (table.at(row, column) > 0) cells_.push_back({row, column});
    }
  }
  std::stable_sort(cells_.begin(), cells_.end(), [&](const Match& a, const Match& b) {
    return table.at(a.row, a.column) > table.at(b.row, b.column);
  });
}

std::vector<Match> GreedyMatcher::match(const std::vector<char>& active) const {
  std::vector<char> row_used(rows_, 0);
  std::vector<char> column_free = active;
  std::vector<Match> matches;
  for (const Match& cell : cells_) {
    if (row_used[cell.row] || !column_free[cell.column]) continue;
    row_used[cell.row] = 1;
    column_free[cell.column] = 0;
    matches.push_back(cell);
    if (matches.size() == rows_) break;
  }
  return matches;
}

std::vector<Match> optimal_matching(const ValueTable& table, const std::vector<char>& active) {
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column < table.columns; ++column) {
    if (active[column]) columns.push_back(column);
  }
  const auto value = [&](std::size_t row, std::size_t i) { return table.at(row, columns[i]); };
  const bool tall = table.rows > columns.size();
  const auto assigned =
      tall ? assign(columns.size(), table.rows,
                    [&](std::size_t i, std::size_t row) { return -value(row, i); })
           : assign(table.rows, columns.size(),
                    [&](std::size_t row, std::size_t i) { return -value(row, i); });
  std::vector<Match> matches;
  for (std::size_t j = 1; j < assigned.size(); ++j) {
    if (assigned[j] == 0) continue;
    const std::size_t row = tall ? j - 1 : assigned[j] - 1;
    const std::size_t i = tall ? assigned[j] - 1 : j - 1;
    if (value(row, i) > 0) matches.push_back({row, columns[i]});
  }
  std::sort(matches.begin(), matches.end(),
            [](const Match& a, const Match& b) { return a.row < b.row; });
  return matches;
}

double total(const ValueTable& table, std::span<const Match> matches) {
  double sum = 0;
  for (const Match& match : matches) sum += table.at(match.row, match.column);
  return sum;
}

}  // namespace diffie::score
