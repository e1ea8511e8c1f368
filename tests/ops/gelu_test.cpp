#include "ops/gelu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "samples.h"

namespace diffie::ops {
namespace {

TEST(Gelu, ReferenceKnowsAFewValues) {
  const std::vector<float> x = {0, 1, -1, 3, -10};
  std::vector<float> y(x.size());
  gelu(x, y, kScalarKernels);
  EXPECT_FLOAT_EQ(y[0], 0);
  EXPECT_FLOAT_EQ(y[1], 0.841344746f);  // Phi(1)
  EXPECT_FLOAT_EQ(y[2], -0.158655254f);
  EXPECT_FLOAT_EQ(y[3], 3 * 0.998650102f);
  EXPECT_NEAR(y[4], 0, 1e-20);
}

TEST(Gelu, AgreesWithReferenceEverywhere) {
  std::vector<float> x;
  for (int i = -120'000; i <= 120'000; ++i) x.push_back(static_cast<float>(i) * 1e-4f);
  for (const float far : {1e-30f, 50.0f, 1e10f, 3e38f}) x.insert(x.end(), {far, -far});
  std::vector<float> want(x.size()), found(x.size());
  gelu(x, want, kScalarKernels);
  for (const CpuKernels* kernels : runnable_kernels()) {
    gelu(x, found, *kernels);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double bound = 2e-7 + (x[i] > 0 ? 1e-7 * x[i] : 0);
      ASSERT_NEAR(found[i], want[i], bound) << kernels->name << " at " << x[i];
    }
  }
}

TEST(Gelu, TakesAnyCountAndWorksInPlace) {
  for (const CpuKernels* kernels : runnable_kernels()) {
    gelu({}, {}, *kernels);
    for (const std::size_t count : kAwkwardSizes) {
      std::vector<float> x = random_floats(count + 1, 5, 4), y(count + 1, 7);
      gelu(std::span(x).first(count), std::span(y).first(count), *kernels);
      EXPECT_EQ(y[count], 7) << "wrote behind the end";
      gelu(std::span(x).first(count), std::span(x).first(count), *kernels);
      EXPECT_TRUE(std::equal(x.begin(), x.end() - 1, y.begin()));
    }
  }
}

}  // namespace
}  // namespace diffie::ops
