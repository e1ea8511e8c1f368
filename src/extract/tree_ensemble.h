// Boosted regression trees: a sum of small complete binary trees over a feature vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace diffie::extract {

// All trees have the same depth. Node i of a tree has the children 2i + 1 (value <= threshold) and
// 2i + 2; the leaves follow the inner nodes. A node that does not split sends everything left:
// its threshold is the largest float.
struct TreeEnsemble {
  std::size_t depth = 0;
  double base = 0;                      // added to the sum of the leaves
  std::vector<std::uint16_t> features;  // [tree, 2^depth - 1]
  std::vector<float> thresholds;        // [tree, 2^depth - 1]
  std::vector<float> leaves;            // [tree, 2^depth]

  std::size_t num_inner() const { return (std::size_t{1} << depth) - 1; }
  std::size_t num_trees() const { return leaves.size() >> depth; }

  // `row` holds at least as many values as the largest feature wants.
  double predict(std::span<const float> row) const;

  // values[i]: what predict gives for rows[i]. A few trees at a time are gone through for all rows
  // before the next, so they are fetched from memory once.
  void predict(std::span<const float* const> rows, std::span<double> values) const;
};

}  // namespace diffie::extract
