#include "ops/gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "ops/gelu.h"
#include "samples.h"

namespace diffie::ops {
namespace {

struct Problem {
  Problem(std::size_t rows, std::size_t outputs, std::size_t inputs)
      : m(rows),
        n(outputs),
        k(inputs),
        a(random_floats(m * k, 1)),
        w(random_floats(n * k, 2)),
        bias(random_floats(n, 3)),
        residual(random_floats(m * n, 4)),
        packed(w, n, k) {}

  std::vector<float> run(const CpuKernels& kernels, Epilogue epilogue) const {
    std::vector<float> c(m * n, NAN);
    const bool add = epilogue == Epilogue::kBiasResidual;
    gemm(a, m, packed, bias, c, epilogue, add ? residual : std::vector<float>(), kernels);
    return c;
  }

  std::size_t m, n, k;
  std::vector<float> a, w, bias, residual;
  PackedMatrix packed;
};

// Rounding errors grow with the terms, not with their sum.
void expect_close(const Problem& problem, std::span<const float> found, std::span<const float> want,
                  const char* name) {
  for (std::size_t row = 0; row < problem.m; ++row) {
    for (std::size_t column = 0; column < problem.n; ++column) {
      float terms = 0;
      for (std::size_t j = 0; j < problem.k; ++j) {
        terms += std::abs(problem.a[row * problem.k + j] * problem.w[column * problem.k + j]);
      }
      const std::size_t at = row * problem.n + column;
      ASSERT_NEAR(found[at], want[at], 5e-7 + 2e-7 * terms)
          << name << " m=" << problem.m << " n=" << problem.n << " k=" << problem.k << " at ("
          << row << ", " << column << ")";
    }
  }
}

TEST(PackedMatrix, KeepsEveryWeightAndPadsWithZeros) {
  const std::vector<float> w = random_floats(17 * 5, 9);
  const PackedMatrix packed(w, 17, 5);
  for (std::size_t i = 0; i < 32; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      EXPECT_EQ(packed.panels()[((i / 16) * 5 + j) * 16 + i % 16], i < 17 ? w[i * 5 + j] : 0.0f);
    }
  }
}

TEST(Gemm, ReferenceMatchesTheFormulaByHand) {
  const std::vector<float> a = {1, 2, 3, 4}, w = {1, 0, 10, 100, -1, 1}, bias = {0.5f, 0, 1};
  const std::vector<float> residual = {1, 1, 1, 2, 2, 2};
  std::vector<float> c(6);
  gemm(a, 2, PackedMatrix(w, 3, 2), bias, c, Epilogue::kBiasResidual, residual, kScalarKernels);
  EXPECT_EQ(c, (std::vector<float>{2.5f, 211, 3, 5.5f, 432, 4}));
}

TEST(Gemm, AgreesWithReferenceAtAwkwardSizes) {
  for (const std::size_t n : kAwkwardSizes) {
    for (const std::size_t k : kAwkwardSizes) {
      for (const std::size_t m : {1, 9, 13}) {
        if (n == 768 && k == 768 && m != 9) continue;
        const Problem problem(m, n, k);
        const std::vector<float> want = problem.run(kScalarKernels, Epilogue::kBias);
        for (const CpuKernels* kernels : runnable_kernels()) {
          expect_close(problem, problem.run(*kernels, Epilogue::kBias), want, kernels->name);
        }
      }
    }
  }
}

TEST(Gemm, AgreesWithReferenceForManyRows) {
  for (const std::size_t m : {5, 6, 7, 11, 12, 63, 64, 65, 191, 192, 193, 768}) {
    const Problem problem(m, 33, 300);
    const std::vector<float> want = problem.run(kScalarKernels, Epilogue::kBias);
    for (const CpuKernels* kernels : runnable_kernels()) {
      expect_close(problem, problem.run(*kernels, Epilogue::kBias), want, kernels->name);
    }
  }
}

TEST(Gemm, EpiloguesAgreeWithReference) {
  for (const std::size_t k : {8, 257, 768}) {
    const Problem problem(13, 65, k);
    for (const Epilogue epilogue : {Epilogue::kBiasGelu, Epilogue::kBiasResidual}) {
      const std::vector<float> want = problem.run(kScalarKernels, epilogue);
      for (const CpuKernels* kernels : runnable_kernels()) {
        expect_close(problem, problem.run(*kernels, epilogue), want, kernels->name);
      }
    }
  }
}

TEST(Gemm, FusedGeluIsTheUnfusedOneBitForBit) {
  const Problem problem(13, 65, 300);
  for (const CpuKernels* kernels : runnable_kernels()) {
    std::vector<float> unfused = problem.run(*kernels, Epilogue::kBias);
    gelu(unfused, unfused, *kernels);
    EXPECT_EQ(problem.run(*kernels, Epilogue::kBiasGelu), unfused) << kernels->name;
  }
}

TEST(Gemm, RowIsTheSameBitsWhereverItStands) {
  const std::size_t n = 65, k = 600;
  const Problem problem(400, n, k);
  for (const CpuKernels* kernels : runnable_kernels()) {
    const std::vector<float> together = problem.run(*kernels, Epilogue::kBiasGelu);
    for (const std::size_t count : {1, 2, 5, 6, 7, 12, 13, 31, 193}) {
      for (std::size_t first = 0; first + count <= problem.m; first += 3 * count + 5) {
        std::vector<float> alone(count * n);
        gemm(std::span(problem.a).subspan(first * k, count * k), count, problem.packed,
             problem.bias, alone, Epilogue::kBiasGelu, {}, *kernels);
        ASSERT_TRUE(std::equal(alone.begin(), alone.end(), together.begin() + first * n))
            << kernels->name << ": " << count << " rows from " << first;
      }
    }
  }
}

TEST(Gemm, NoRowsOrNoOutputsIsNothing) {
  const std::vector<float> w(8, 1), bias(2, 1), untouched(64, 7);
  for (const CpuKernels* kernels : runnable_kernels()) {
    std::vector<float> memory = untouched;  // c is empty, but its memory could be written
    const std::span<float> c(memory.data() + 32, 0);
    gemm({}, 0, PackedMatrix(w, 2, 4), bias, c, Epilogue::kBias, {}, *kernels);
    EXPECT_EQ(memory, untouched) << kernels->name << ", no rows";
    gemm(w, 2, PackedMatrix({}, 0, 4), {}, c, Epilogue::kBias, {}, *kernels);
    EXPECT_EQ(memory, untouched) << kernels->name << ", no outputs";
  }
}

}  // namespace
}  // namespace diffie::ops
