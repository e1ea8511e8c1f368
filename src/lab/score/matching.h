// One-to-one matchings between gold tuples (rows) and predictions (columns).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace diffie::score {

// Row-major table of pair values, none negative.
struct ValueTable {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;

  double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

struct Match {
  std::size_t row = 0;
  std::size_t column = 0;
};

// Takes the largest value among unused rows and columns again and again; among equal values the
// first in row-major order. Pairs of value 0 add nothing and are left out. The cells are sorted
// once, so that matching within a subset of the columns costs one walk over them.
class GreedyMatcher {
 public:
  explicit GreedyMatcher(const ValueTable& table);
  // `active[column]` says which columns take part.
  std::vector<Match> match(const std::vector<char>& active) const;

 private:
  std::size_t rows_;
  std::vector<Match> cells_;  // by falling value
};

// A matching of maximal total value (Hungarian algorithm, O(min^2 * max)); pairs of value 0 are
// left out.
std::vector<Match> optimal_matching(const ValueTable& table, const std::vector<char>& active);

double total(const ValueTable& table, std::span<const Match> matches);

}  // namespace diffie::score
