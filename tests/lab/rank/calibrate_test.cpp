#include "lab/rank/calibrate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace diffie::rank {
namespace {

// Right with probability score^2.
std::vector<Judged> make_judged(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Judged> judged;
  for (std::size_t i = 0; i < size; ++i) {
    const double score = uniform(random);
    judged.push_back({score, uniform(random) < score * score});
  }
  return judged;
}

TEST(Calibrate, FindsTheProbabilityAndKeepsTheOrder) {
  const auto calibration = calibrate(make_judged(20000, 1));
  for (const double score : {0.1, 0.3, 0.5, 0.7, 0.9})
    EXPECT_NEAR(calibration(score), score * score, 0.04);
  for (double score = -0.5; score < 1.5; score += 0.01)
    EXPECT_LT(calibration(score), calibration(score + 0.01));
}

TEST(Calibrate, WhatItGivesIsReliableOnOtherSentences) {
  const auto calibration = calibrate(make_judged(20000, 1));
  std::vector<Judged> judged = make_judged(20000, 2);
  EXPECT_GT(reliability_of(judged).error, 0.1);
  for (Judged& entry : judged) entry.score = calibration(entry.score);
  EXPECT_LT(reliability_of(judged).error, 0.02);
}

TEST(Calibrate, LevelDataStillRise) {
  const auto calibration = calibrate(std::vector<Judged>(100, {0.5, true}));
  EXPECT_LE(calibration(100), 1);
  EXPECT_GE(calibration(-100), 0);
  const auto falling = calibrate({{0, true}, {1, false}, {2, true}, {3, false}});
  EXPECT_LT(falling(0), falling(3));
  EXPECT_NEAR(falling(1.5), 0.5, 0.01);
}

TEST(Reliability, ByHand) {
  const Reliability reliability =
      reliability_of(std::vector<Judged>{{0.95, true}, {0.85, false}, {1.0, true}, {0.05, false}});
  EXPECT_EQ(reliability.bins[9].count, 2u);  // 1.0 too
  EXPECT_DOUBLE_EQ(reliability.bins[9].confidence, 0.975);
  EXPECT_DOUBLE_EQ(reliability.bins[9].right, 1);
  EXPECT_NEAR(reliability.error, (0.05 + 0.85 + 0.05) / 4, 1e-12);
}

TEST(Reliability, OfNothing) { EXPECT_EQ(reliability_of({}).error, 0); }

}  // namespace
}  // namespace diffie::rank
