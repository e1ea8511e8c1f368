#include "ops/attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "samples.h"

namespace diffie::ops {
namespace {

// qkv of rows with these lengths.
struct Rows {
  Rows(std::vector<std::uint32_t> lengths, std::size_t num_heads, std::size_t dim, float range = 2)
      : heads(num_heads), head_dim(dim), offsets{0} {
    for (const std::uint32_t length : lengths) {
      offsets.push_back(offsets.back() + length);
      longest = std::max<std::size_t>(longest, length);
    }
    qkv = random_floats(offsets.back() * 3 * d(), 1, range);
  }

  std::size_t d() const { return heads * head_dim; }

  std::vector<float> run(const CpuKernels& kernels) const {
    std::vector<float> out(offsets.back() * d(), NAN),
        scratch(attention_scratch(longest, head_dim));
    attention(qkv, offsets, heads, head_dim, out, scratch, kernels);
    return out;
  }

  std::size_t heads, head_dim, longest = 0;
  std::vector<std::uint32_t> offsets;
  std::vector<float> qkv;
};

void expect_close(const Rows& rows, float bound) {
  const std::vector<float> want = rows.run(kScalarKernels);
  for (const CpuKernels* kernels : runnable_kernels()) {
    const std::vector<float> found = rows.run(*kernels);
    for (std::size_t i = 0; i < want.size(); ++i) {
      ASSERT_NEAR(found[i], want[i], bound)
          << kernels->name << " longest=" << rows.longest << " head_dim=" << rows.head_dim;
    }
  }
}

TEST(Attention, EqualKeysGiveTheMeanOfTheValues) {
  const std::vector<float> qkv = {5, 1, 2, -3, 1, 4};  // two tokens, one head of one: q, k, v
  const std::vector<std::uint32_t> offsets = {4, 6};  // a batch's rows from token 4 on
  for (const CpuKernels* kernels : runnable_kernels()) {
    std::vector<float> out(2), scratch(attention_scratch(2, 1));
    attention(qkv, offsets, 1, 1, out, scratch, *kernels);
    EXPECT_EQ(out, (std::vector<float>{3, 3})) << kernels->name;
  }
}

TEST(Attention, AgreesWithReferenceAtAwkwardSizes) {
  for (const std::size_t head_dim : {1, 4, 8, 17, 32, 64}) {
    for (const std::uint32_t length : {1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65}) {
      expect_close(Rows({length, 3}, 2, head_dim), 2e-6f);
    }
  }
  expect_close(Rows({512}, 1, 32), 2e-6f);
}

// Scores of thousands: a float's own spacing there moves the weights by a thousandth.
TEST(Attention, SurvivesLargeScores) { expect_close(Rows({30, 5}, 2, 32, 60), 0.05f); }

TEST(Attention, RowIsTheSameBitsInAnyBatch) {
  const Rows rows({5, 0, 31, 1, 64, 17}, 3, 8);
  for (const CpuKernels* kernels : runnable_kernels()) {
    const std::vector<float> together = rows.run(*kernels);
    for (std::size_t row = 0; row + 1 < rows.offsets.size(); ++row) {
      const std::uint32_t begin = rows.offsets[row], length = rows.offsets[row + 1] - begin;
      Rows alone({length}, rows.heads, rows.head_dim);
      std::copy_n(rows.qkv.begin() + begin * 3 * rows.d(), length * 3 * rows.d(),
                  alone.qkv.begin());
      const std::vector<float> out = alone.run(*kernels);
      EXPECT_TRUE(std::equal(out.begin(), out.end(), together.begin() + begin * rows.d()))
          << kernels->name << " row " << row;
    }
  }
}

TEST(Attention, NoRowsIsNothing) {
  for (const CpuKernels* kernels : runnable_kernels()) {
    EXPECT_TRUE(Rows({}, 2, 8).run(*kernels).empty());
    EXPECT_TRUE(Rows({0, 0}, 2, 8).run(*kernels).empty());
  }
}

}  // namespace
}  // namespace diffie::ops
