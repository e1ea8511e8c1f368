#include "ops/gemm_int8.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "int8_dot256_twin.h"
#include "samples.h"

namespace diffie::ops {
namespace {

std::vector<std::int8_t> random_int8(std::size_t count, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::vector<std::int8_t> values(count);
  for (std::int8_t& value : values) value = static_cast<std::int8_t>(generator() % 255 - 127);
  return values;
}

// What this machine runs, and the kernel of AVX-VNNI in other clothes where that can be.
std::vector<const CpuKernels*> int8_tables() {
  std::vector<const CpuKernels*> tables(runnable_kernels().begin(), runnable_kernels().end());
#if defined(DIFFIE_DOT256_TWIN)
  static const CpuKernels twin = [] {
    CpuKernels table = kAvx2Kernels;
    table.name = "avxvnni's twin";
    table.gemm_int8 = gemm_int8_dot256_twin;
    return table;
  }();
  if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni")) {
    tables.push_back(&twin);
  }
#endif
  return tables;
}

struct Int8Problem {
  Int8Problem(std::size_t rows, std::size_t outputs, std::size_t inputs)
      : Int8Problem(rows, outputs, inputs, random_int8(outputs * inputs, 2)) {}
  Int8Problem(std::size_t rows, std::size_t outputs, std::size_t inputs, std::vector<std::int8_t> w)
      : m(rows),
        n(outputs),
        k(inputs),
        a(random_floats(m * k, 1)),
        scales(random_floats(n, 5, 0.01f)),
        bias(random_floats(n, 3)),
        residual(random_floats(m * n, 4)),
        weights(std::move(w)),
        packed(weights, scales, n, k) {}

  std::vector<float> run(const CpuKernels& kernels, Epilogue epilogue = Epilogue::kBias) const {
    return run_rows(0, m, kernels, epilogue);
  }

  std::vector<float> run_rows(std::size_t first, std::size_t count, const CpuKernels& kernels,
                              Epilogue epilogue) const {
    std::vector<float> c(count * n, NAN), scratch(gemm_int8_scratch(packed));
    const bool add = epilogue == Epilogue::kBiasResidual;
    gemm_int8(std::span(a).subspan(first * k, count * k), count, packed, bias, c, epilogue,
              add ? std::span(residual).subspan(first * n, count * n) : std::span<const float>(),
              scratch, kernels);
    return c;
  }

  std::size_t m, n, k;
  std::vector<float> a, scales, bias, residual;
  std::vector<std::int8_t> weights;
  PackedInt8 packed;
};

// Whole sums are exact; only the last few operations round.
void expect_close(const Int8Problem& problem, std::span<const float> found,
                  std::span<const float> want, const char* name, float bound) {
  ASSERT_EQ(found.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    ASSERT_NEAR(found[i], want[i], bound * (1 + std::abs(want[i])))
        << name << " m=" << problem.m << " n=" << problem.n << " k=" << problem.k << " at " << i;
  }
}

void expect_every_weight(const PackedInt8& packed, std::span<const std::int8_t> w) {
  const std::size_t n = packed.n(), k = packed.k(), groups = packed.padded_k() / 4;
  for (std::size_t i = 0; i < 32; ++i) {
    std::vector<int> seen(packed.padded_k());
    for (std::size_t at = 0; at < packed.padded_k(); ++at) {
      const std::size_t input = packed.order()[i / 16 * groups + at / 4] + at % 4;
      ++seen[input];
      const int found =
          packed.panels()[i / 16 * 16 * packed.padded_k() + at / 4 * 64 + i % 16 * 4 + at % 4];
      ASSERT_EQ(found, i < n && input < k ? w[i * k + input] : 0) << i << ", " << input;
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), std::ssize(seen));
  }
}

TEST(PackedInt8, KeepsEveryWeightAndPadsWithZeros) {
  for (const std::size_t k : {5, 64, 1537, 3100}) {
    const std::vector<std::int8_t> w = random_int8(17 * k, 9);
    for (const InputOrder order : {InputOrder::kPaired, InputOrder::kNatural}) {
      expect_every_weight(PackedInt8(w, std::vector<float>(17, 1), 17, k, order), w);
    }
  }
}

TEST(PackedInt8, NaturalOrderIsThatOfTheInputs) {
  const PackedInt8 packed(random_int8(17 * 1600, 9), std::vector<float>(17, 1), 17, 1600,
                          InputOrder::kNatural);
  for (std::size_t i = 0; i < 800; ++i) ASSERT_EQ(packed.order()[i], i % 400 * 4);
  EXPECT_EQ(packed.paired_share(), 0);
}

// What the pairs promise, for the worst inputs: all the positive weights meet the largest input and
// the negative ones zero, and the other way round.
TEST(PackedInt8, PairsFit16Bits) {
  const std::size_t n = 48, k = 1600;
  const PackedInt8 packed(random_int8(n * k, 7), std::vector<float>(n, 1), n, k);
  EXPECT_GT(packed.paired_share(), 0.4);  // even though these weights are all large
  const std::size_t groups = k / 4, block_groups = kInt8BlockInputs / 4;
  for (std::size_t panel = 0; panel < n / 16; ++panel) {
    for (std::size_t block = 0; block < 2; ++block) {
      const std::size_t first = panel * groups + block * block_groups;
      for (std::size_t pair = 0; pair < packed.pairs()[panel * 2 + block]; ++pair) {
        const std::int8_t* w = packed.panels() + (first + 2 * pair) * 64;
        for (std::size_t i = 0; i < 64; i += 2) {
          int positive = 0, negative = 0;
          for (const int weight : {w[i], w[i + 1], w[i + 64], w[i + 65]}) {
            (weight > 0 ? positive : negative) += kInt8Levels * weight;
          }
          ASSERT_LE(positive, 32767);
          ASSERT_GE(negative, -32768);
        }
      }
    }
  }
}

TEST(PackedInt8, TrainedLikeWeightsAreNearlyAllPaired) {
  std::mt19937 generator(3);
  std::normal_distribution<float> normal(0, 40);
  std::vector<std::int8_t> w(256 * 256);
  for (auto& value : w) {
    value = static_cast<std::int8_t>(std::clamp(normal(generator), -127.0f, 127.0f));
  }
  EXPECT_GT(PackedInt8(w, std::vector<float>(256, 1), 256, 256).paired_share(), 0.9);
}

TEST(Quantize, SameBytesOnEveryMachineAndWithinHalfAStep) {
  for (const std::size_t columns : kAwkwardSizes) {
    const std::size_t rows = 3, stride = (columns + 3) / 4 * 4;
    const std::vector<float> x = random_floats(rows * columns, 6, 5);
    std::vector<std::uint8_t> want(rows * stride, 9);
    std::vector<float> scale(rows), offset(rows);
    for (const CpuKernels* kernels : runnable_kernels()) {
      std::vector<std::uint8_t> q(rows * stride + 1, 9);
      kernels->quantize({x.data(), q.data(), scale.data(), offset.data(), rows, columns, stride});
      EXPECT_EQ(q.back(), 9) << "wrote behind the end";
      q.pop_back();
      if (kernels == &kScalarKernels) want = q;
      EXPECT_EQ(q, want) << kernels->name << " columns=" << columns;
      for (std::size_t i = 0; i < q.size(); ++i) {
        const std::size_t row = i / stride, column = i % stride;
        ASSERT_LE(q[i], kInt8Levels);
        if (column >= columns) {
          EXPECT_EQ(q[i], 0);
          continue;
        }
        const float back = offset[row] + scale[row] * static_cast<float>(q[i]);
        ASSERT_NEAR(back, x[row * columns + column], 0.5001f * scale[row]);
      }
    }
  }
}

TEST(Quantize, RowsWithoutRangeOrNumbersStayInBounds) {
  const float inf = INFINITY;
  const std::vector<float> x = {3,   3, 3, 3,   3, 3, 3, 3, 3,     // all equal
                                NAN, 1, 2, inf, 0, 0, 0, 0, -inf,  // no numbers
                                0,   0, 0, 0,   0, 0, 0, 0, 0};
  for (const CpuKernels* kernels : runnable_kernels()) {
    std::vector<std::uint8_t> q(3 * 12);
    std::vector<float> scale(3), offset(3);
    kernels->quantize({x.data(), q.data(), scale.data(), offset.data(), 3, 9, 12});
    for (const std::uint8_t value : q) EXPECT_LE(value, kInt8Levels);
    EXPECT_EQ(scale[0], 0);
    EXPECT_EQ(offset[0], 3);
    EXPECT_EQ(scale[2], 0);
    EXPECT_EQ(offset[2], 0);
  }
}

// Inputs 0 .. 127 and a scale of 1: nothing is rounded anywhere, so every kernel must find the
// product's whole numbers, the largest there are included.
TEST(GemmInt8, WholeNumbersAreExact) {
  for (const std::size_t k : {8, 100, 1000}) {
    const std::size_t m = 9, n = 40;
    std::vector<std::int8_t> w = random_int8(n * k, 11);
    for (std::size_t i = 0; i < 8 * k; ++i) w[i] = i < 4 * k ? 127 : -128;
    Int8Problem problem(m, n, k, w);
    problem.packed = PackedInt8(w, std::vector<float>(n, 1), n, k);
    std::mt19937 generator(12);
    for (float& value : problem.a) {
      value = static_cast<float>(generator() % 2 == 0 ? 127 : generator() % 128);
    }
    for (std::size_t row = 0; row < m; ++row) problem.a[row * k] = 0;
    for (std::size_t row = 0; row < m; ++row) problem.a[row * k + 1] = 127;
    std::fill(problem.bias.begin(), problem.bias.end(), 0.0f);
    for (const CpuKernels* kernels : int8_tables()) {
      const std::vector<float> found = problem.run(*kernels);
      for (std::size_t i = 0; i < found.size(); ++i) {
        std::int64_t sum = 0;
        for (std::size_t j = 0; j < k; ++j) {
          sum += static_cast<std::int64_t>(problem.a[i / n * k + j]) * w[i % n * k + j];
        }
        ASSERT_EQ(found[i], static_cast<float>(sum)) << kernels->name << " k=" << k << " at " << i;
      }
    }
  }
}

TEST(GemmInt8, ApproximatesTheProduct) {
  const Int8Problem problem(7, 33, 384);
  const std::vector<float> found = problem.run(cpu_kernels());
  double error = 0, size = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    double want = problem.bias[i % 33];
    for (std::size_t j = 0; j < 384; ++j) {
      want += static_cast<double>(problem.a[i / 33 * 384 + j]) * problem.scales[i % 33] *
              problem.weights[i % 33 * 384 + j];
    }
    error += (found[i] - want) * (found[i] - want);
    size += want * want;
  }
  EXPECT_LT(std::sqrt(error / size), 0.01);
}

TEST(GemmInt8, AgreesWithReferenceAtAwkwardSizes) {
  for (const std::size_t n : kAwkwardSizes) {
    for (const std::size_t k : kAwkwardSizes) {
      for (const std::size_t m : {1, 9, 13}) {
        if (n == 768 && k == 768 && m != 9) continue;
        const Int8Problem problem(m, n, k);
        const std::vector<float> want = problem.run(kScalarKernels);
        for (const CpuKernels* kernels : int8_tables()) {
          expect_close(problem, problem.run(*kernels), want, kernels->name, 5e-6f);
        }
      }
    }
  }
}

TEST(GemmInt8, AgreesWithReferenceForManyRowsAndInputs) {
  for (const std::size_t m : {3, 4, 5, 8, 127, 128, 129, 300}) {
    const Int8Problem problem(m, 33, m == 129 ? 3100 : 132);
    const std::vector<float> want = problem.run(kScalarKernels);
    for (const CpuKernels* kernels : int8_tables()) {
      expect_close(problem, problem.run(*kernels), want, kernels->name, 1e-5f);
    }
  }
}

// Sizes around those of AMX's tiles: 16 rows, 64 inputs, one or two panels.
TEST(GemmInt8, NaturalOrderAgreesWithReference) {
  for (const std::size_t m : {15, 16, 17, 32, 33, 48, 129}) {
    for (const std::size_t n : {16, 17, 32, 40, 65}) {
      for (const std::size_t k : {60, 64, 384}) {
        Int8Problem problem(m, n, k);
        problem.packed = PackedInt8(problem.weights, problem.scales, n, k, InputOrder::kNatural);
        for (const Epilogue epilogue : {Epilogue::kBias, Epilogue::kBiasResidual}) {
          const std::vector<float> want = problem.run(kScalarKernels, epilogue);
          for (const CpuKernels* kernels : int8_tables()) {
            expect_close(problem, problem.run(*kernels, epilogue), want, kernels->name, 5e-6f);
          }
        }
      }
    }
  }
}

TEST(GemmInt8, NaturalOrderMakesNoDifference) {
  const Int8Problem paired(100, 65, 128);
  Int8Problem natural(100, 65, 128);
  natural.packed = PackedInt8(natural.weights, natural.scales, 65, 128, InputOrder::kNatural);
  for (const CpuKernels* kernels : int8_tables()) {
    EXPECT_EQ(natural.run(*kernels, Epilogue::kBiasGelu), paired.run(*kernels, Epilogue::kBiasGelu))
        << kernels->name;
  }
}

TEST(GemmInt8, EpiloguesAgreeWithReference) {
  const Int8Problem problem(13, 65, 300);
  for (const Epilogue epilogue : {Epilogue::kBiasGelu, Epilogue::kBiasResidual}) {
    const std::vector<float> want = problem.run(kScalarKernels, epilogue);
    for (const CpuKernels* kernels : int8_tables()) {
      const float bound = epilogue == Epilogue::kBiasGelu ? 2e-4f : 5e-6f;
      expect_close(problem, problem.run(*kernels, epilogue), want, kernels->name, bound);
    }
  }
}

// The bias is the only input, so that GELU sees the whole line.
TEST(GemmInt8, GeluIsWithinItsBoundEverywhere) {
  const std::size_t n = 4001;
  Int8Problem problem(1, n, 4, std::vector<std::int8_t>(4 * n));
  for (std::size_t i = 0; i < n; ++i) problem.bias[i] = (static_cast<float>(i) - 2000) / 250;
  problem.bias[0] = -3e38f;
  problem.bias[n - 1] = 3e38f;
  const std::vector<float> want = problem.run(kScalarKernels, Epilogue::kBiasGelu);
  for (const CpuKernels* kernels : int8_tables()) {
    const std::vector<float> found = problem.run(*kernels, Epilogue::kBiasGelu);
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(found[i], want[i], 2e-4) << problem.bias[i];
  }
}

TEST(GemmInt8, RowIsTheSameBitsWhereverItStands) {
  const std::size_t n = 65;
  const Int8Problem problem(400, n, 600);
  for (const CpuKernels* kernels : int8_tables()) {
    const std::vector<float> together = problem.run(*kernels, Epilogue::kBiasGelu);
    for (const std::size_t count : {1, 2, 3, 4, 5, 7, 8, 9, 31, 129}) {
      for (std::size_t first = 0; first + count <= problem.m; first += 3 * count + 5) {
        const std::vector<float> alone =
            problem.run_rows(first, count, *kernels, Epilogue::kBiasGelu);
        ASSERT_TRUE(std::equal(alone.begin(), alone.end(), together.begin() + first * n))
            << kernels->name << ": " << count << " rows from " << first;
      }
    }
  }
}

TEST(GemmInt8, NoRowsOrNoOutputsIsNothing) {
  for (const CpuKernels* kernels : int8_tables()) {
    EXPECT_TRUE(Int8Problem(0, 2, 4).run(*kernels).empty());
    EXPECT_TRUE(Int8Problem(2, 0, 4).run(*kernels).empty());
  }
}

}  // namespace
}  // namespace diffie::ops
