#include "ops/layer_norm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "samples.h"

namespace diffie::ops {
namespace {

TEST(LayerNorm, ReferenceMatchesTheFormulaByHand) {
  const std::vector<float> x = {1, 3}, gamma = {2, 2}, beta = {1, 0};
  std::vector<float> y(2);
  layer_norm(x, 1, {gamma, beta, 0}, y, kScalarKernels);  // mean 2, variance 1
  EXPECT_EQ(y, (std::vector<float>{-1, 2}));
  const std::vector<float> residual = {1, 3};
  add_layer_norm(x, residual, 1, {gamma, beta, 0}, y, kScalarKernels);  // mean 4, variance 4
  EXPECT_EQ(y, (std::vector<float>{-1, 2}));
}

TEST(LayerNorm, AgreesWithReferenceAtAwkwardSizes) {
  for (const std::size_t columns : kAwkwardSizes) {
    const std::size_t rows = 5;
    std::vector<float> x = random_floats(rows * columns, 1, 10);
    for (float& value : x) value += 30;  // a mean far from zero
    const std::vector<float> residual = random_floats(rows * columns, 2);
    const std::vector<float> gamma = random_floats(columns, 3), beta = random_floats(columns, 4);
    const LayerNormWeights weights = {gamma, beta, 1e-5f};
    std::vector<float> want(x.size()), found(x.size());
    for (const bool add : {false, true}) {
      const auto run = [&](const CpuKernels& kernels, std::vector<float>& y) {
        if (add) {
          add_layer_norm(x, residual, rows, weights, y, kernels);
        } else {
          layer_norm(x, rows, weights, y, kernels);
        }
      };
      run(kScalarKernels, want);
      for (const CpuKernels* kernels : runnable_kernels()) {
        run(*kernels, found);
        for (std::size_t i = 0; i < x.size(); ++i) {
          ASSERT_NEAR(found[i], want[i], 5e-6) << kernels->name << " columns=" << columns;
        }
      }
    }
  }
}

TEST(LayerNorm, ConstantRowGivesBeta) {
  for (const std::size_t columns : kAwkwardSizes) {
    const std::vector<float> gamma = random_floats(columns, 1), beta = random_floats(columns, 2);
    std::vector<float> y(columns);
    for (const CpuKernels* kernels : runnable_kernels()) {
      // Sums of 0.5 are exact, so nothing is left of the row but beta.
      layer_norm(std::vector<float>(columns, 0.5f), 1, {gamma, beta, 1e-12f}, y, *kernels);
      EXPECT_EQ(y, beta) << kernels->name << " columns=" << columns;
      // Sums of 0.1 are not: up to 24 roundings of a chain, 1.5e-7 of the mean, over sqrt(eps).
      layer_norm(std::vector<float>(columns, 0.1f), 1, {gamma, beta, 1e-5f}, y, *kernels);
      for (std::size_t i = 0; i < columns; ++i) {
        EXPECT_NEAR(y[i], beta[i], 5e-5) << kernels->name << " columns=" << columns;
      }
    }
  }
}

TEST(LayerNorm, RowIsTheSameBitsWhereverItStandsAndInPlace) {
  const std::size_t rows = 9, columns = 65;
  const std::vector<float> x = random_floats(rows * columns, 1), gamma(columns, 1), beta(columns);
  for (const CpuKernels* kernels : runnable_kernels()) {
    std::vector<float> y = x;
    layer_norm(y, rows, {gamma, beta, 1e-5f}, y, *kernels);
    for (std::size_t row = 0; row < rows; ++row) {
      std::vector<float> alone(columns);
      layer_norm(std::span(x).subspan(row * columns, columns), 1, {gamma, beta, 1e-5f}, alone,
                 *kernels);
      EXPECT_TRUE(std::equal(alone.begin(), alone.end(), y.begin() + row * columns));
    }
    layer_norm({}, 0, {gamma, beta, 1e-5f}, {}, *kernels);
  }
}

}  // namespace
}  // namespace diffie::ops
