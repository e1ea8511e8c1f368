#include "diffusion/softmax4.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace diffie::diffusion {
namespace {

TEST(ExpNonpositive, StaysWithinItsErrorBound) {
  double worst = 0;
  for (double x = 0; x > -87; x -= 0.000731) {
    const auto argument = static_cast<float>(x);
    const double exact = std::exp(static_cast<double>(argument));
    worst = std::max(worst, std::abs(exp_nonpositive(argument) - exact) / exact);
  }
  EXPECT_LT(worst, 3e-7);
  EXPECT_EQ(exp_nonpositive(0.0f), 1.0f);
  EXPECT_EQ(exp_nonpositive(-0.0f), 1.0f);
}

TEST(ExpNonpositive, EndsInZeroAndKeepsNan) {
  EXPECT_GT(exp_nonpositive(-86.9f), 0.0f);
  EXPECT_EQ(exp_nonpositive(-87.1f), 0.0f);
  EXPECT_EQ(exp_nonpositive(-1e30f), 0.0f);
  EXPECT_EQ(exp_nonpositive(-std::numeric_limits<float>::infinity()), 0.0f);
  EXPECT_TRUE(std::isnan(exp_nonpositive(std::numeric_limits<float>::quiet_NaN())));
}

TEST(SoftmaxWeights, AreTheSoftmaxUpToOneFactor) {
  const float logits[] = {1.5f, -0.25f, 3.0f, 2.5f};
  for (const double temperature : {0.3, 1.0, 4.0}) {
    double weights[4];
    softmax_weights(logits, 1 / temperature, weights);
    EXPECT_EQ(weights[2], 1.0);
    for (int k = 0; k < 4; ++k)
      EXPECT_NEAR(weights[k], std::exp((logits[k] - 3.0) / temperature), 1e-6);
  }
}

TEST(SoftmaxWeights, TheLargestIsOneWhereverItStands) {
  for (int top = 0; top < 4; ++top) {
    float logits[] = {0.5f, -1.25f, 0.25f, 1.0f};
    logits[top] = 3.75f;
    double weights[4];
    softmax_weights(logits, 2.0, weights);
    for (int k = 0; k < 4; ++k)
      EXPECT_NEAR(weights[k], std::exp((logits[k] - 3.75) * 2), 1e-6) << top;
    EXPECT_EQ(weights[top], 1.0);
  }
}

TEST(SoftmaxWeights, AtTemperatureOneAreTheSameBits) {
  std::mt19937 random(3);
  for (int round = 0; round < 200000; ++round) {
    float logits[4];
    for (float& logit : logits) {
      const int exponent = static_cast<int>(random() % 60) - 50;  // differences of any rounding
      logit = std::ldexp(static_cast<float>(static_cast<std::int32_t>(random())), exponent);
    }
    double any[4], one[4];
    softmax_weights(logits, 1.0, any);
    softmax_weights(logits, one);
    for (int k = 0; k < 4; ++k) ASSERT_EQ(any[k], one[k]) << logits[k];
  }
  const float huge[] = {3e38f, -3e38f, 3e38f, 0.0f};
  double weights[4];
  softmax_weights(huge, weights);
  EXPECT_EQ(weights[0], 1.0);
  EXPECT_EQ(weights[1], 0.0);
  EXPECT_EQ(weights[2], 1.0);
  EXPECT_EQ(weights[3], 0.0);
}

TEST(SoftmaxWeights, SurviveHugeLogitsAndTinyTemperatures) {
  const float logits[] = {3e38f, -3e38f, 3e38f, 0.0f};
  double weights[4];
  softmax_weights(logits, 1e30, weights);
  EXPECT_EQ(weights[0], 1.0);
  EXPECT_EQ(weights[1], 0.0);
  EXPECT_EQ(weights[2], 1.0);
  EXPECT_EQ(weights[3], 0.0);
}

}  // namespace
}  // namespace diffie::diffusion
