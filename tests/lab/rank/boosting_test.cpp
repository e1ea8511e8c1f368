#include "lab/rank/boosting.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace diffie::rank {
namespace {

struct Problem {
  std::vector<extract::FeatureRow> rows;
  std::vector<float> targets;
  std::vector<char> use;
};

// y = [x0 > 0.3] + 2 x1 [x2 > 0.5]; all other features are noise or constant.
Problem make_problem(std::size_t size) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(0, 1);
  Problem problem;
  for (std::size_t i = 0; i < size; ++i) {
    extract::FeatureRow row{};
    for (std::size_t j = 0; j < 6; ++j) row[j] = uniform(random);
    problem.rows.push_back(row);
    problem.targets.push_back((row[0] > 0.3f ? 1.0f : 0.0f) + (row[2] > 0.5f ? 2 * row[1] : 0.0f));
    problem.use.push_back(1);
  }
  return problem;
}

double error_of(const extract::TreeEnsemble& trees, const Problem& problem, std::size_t begin) {
  double sum = 0;
  for (std::size_t i = begin; i < problem.rows.size(); ++i)
    sum += std::pow(trees.predict(problem.rows[i]) - problem.targets[i], 2);
  return std::sqrt(sum / static_cast<double>(problem.rows.size() - begin));
}

TEST(Boosting, LearnsWhatItIsShownAndHoldsBeyondIt) {
  Problem problem = make_problem(4000);
  for (std::size_t i = 3000; i < 4000; ++i) problem.use[i] = 0;
  base::Workers threads(2);
  BoostOptions options;
  options.depth = 3;
  options.rate = 0.15;
  options.min_rows = 10;
  const auto trees =
      boost(BinnedRows(problem.rows), problem.targets, problem.use, options, threads);
  EXPECT_EQ(trees.num_trees(), options.trees);
  EXPECT_LT(error_of(trees, problem, 3000), 0.12);  // the targets' deviation is 0.79
}

TEST(Boosting, DoesNotReadRowsThatAreNotUsed) {
  Problem problem = make_problem(500);
  for (std::size_t i = 250; i < 500; ++i) problem.use[i] = 0;
  base::Workers threads(1);
  const BinnedRows rows(problem.rows);
  const auto trees = boost(rows, problem.targets, problem.use, {}, threads);
  for (std::size_t i = 250; i < 500; ++i) problem.targets[i] = 1000;
  const auto again = boost(rows, problem.targets, problem.use, {}, threads);
  EXPECT_EQ(trees.leaves, again.leaves);
}

TEST(Boosting, ThreadsDoNotMatterAndSeedsDo) {
  const Problem problem = make_problem(1000);
  const BinnedRows rows(problem.rows);
  base::Workers one(1), three(3);
  const auto a = boost(rows, problem.targets, problem.use, {}, one);
  const auto b = boost(rows, problem.targets, problem.use, {}, three);
  EXPECT_EQ(a.leaves, b.leaves);
  EXPECT_EQ(a.thresholds, b.thresholds);
  BoostOptions other;
  other.seed = 1;
  EXPECT_NE(boost(rows, problem.targets, problem.use, other, one).leaves, a.leaves);
}

TEST(Boosting, TooFewRowsToSplitGiveTheMean) {
  const Problem problem = make_problem(20);
  base::Workers threads(1);
  const auto trees = boost(BinnedRows(problem.rows), problem.targets, problem.use, {}, threads);
  EXPECT_EQ(trees.predict(problem.rows[0]), trees.predict(problem.rows[7]));
  extract::FeatureRow huge;
  huge.fill(std::numeric_limits<float>::max());
  EXPECT_EQ(trees.predict(huge), trees.predict(problem.rows[0]));
}

TEST(BinnedRows, ValuesFallIntoBinsByTheirEdges) {
  std::vector<extract::FeatureRow> rows(200);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i][0] = static_cast<float>(i % 2);
    rows[i][1] = static_cast<float>(i);
  }
  const BinnedRows binned(rows);
  EXPECT_EQ(binned.num_bins(0), 2u);
  EXPECT_EQ(binned.num_bins(2), 1u);  // constant
  EXPECT_LE(binned.num_bins(1), 64u);
  EXPECT_GT(binned.num_bins(1), 50u);
  for (std::size_t feature : {0u, 1u}) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t bin = binned.column(feature)[i];
      if (bin + 1 < binned.num_bins(feature)) {
        EXPECT_LE(rows[i][feature], binned.upper_edge(feature, bin));
      }
      if (bin > 0) {
        EXPECT_GT(rows[i][feature], binned.upper_edge(feature, bin - 1));
      }
    }
  }
}

}  // namespace
}  // namespace diffie::rank
