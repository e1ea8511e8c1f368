#include "lab/sweep/spread.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace diffie::sweep {
namespace {

TEST(Spread, OfOneValueHasNoDeviation) {
  const std::array<double, 1> values = {0.25};
  EXPECT_EQ(spread_of(values).mean, 0.25);
  EXPECT_FALSE(spread_of(values).deviation);
}

TEST(Spread, DeviationIsThatOfASample) {
  const std::array<double, 4> values = {2, 4, 4, 6};
  EXPECT_DOUBLE_EQ(spread_of(values).mean, 4);
  EXPECT_DOUBLE_EQ(*spread_of(values).deviation, std::sqrt(8.0 / 3.0));
  const std::array<double, 3> equal = {0.5, 0.5, 0.5};
  EXPECT_NEAR(*spread_of(equal).deviation, 0, 1e-15);
}

TEST(Spread, OfScoresGoesFieldByField) {
  std::array<SweepScore, 2> runs;
  runs[0] = {{0.1, {}}, {0.2, {}}, {0.3, {}}, Spread{0.4, {}}};
  runs[1] = {{0.3, {}}, {0.2, {}}, {0.5, {}}, Spread{0.8, {}}};
  const SweepScore score = spread_of(runs);
  EXPECT_DOUBLE_EQ(score.precision.mean, 0.2);
  EXPECT_DOUBLE_EQ(*score.recall.deviation, 0);
  EXPECT_DOUBLE_EQ(score.f1.mean, 0.4);
  EXPECT_DOUBLE_EQ(score.auc->mean, 0.6);
  EXPECT_DOUBLE_EQ(*score.auc->deviation, 0.4 / std::sqrt(2.0));
}

}  // namespace
}  // namespace diffie::sweep
