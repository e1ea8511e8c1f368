#include "ops/embedding.h"

#include <gtest/gtest.h>

#include <vector>

#include "samples.h"

namespace diffie::ops {
namespace {

TEST(AddPositions, PositionsStartAgainInEveryRow) {
  const std::vector<float> position = {1, 2}, type = {0.5f};
  const std::vector<std::uint32_t> offsets = {4, 6, 7};  // a batch's rows from token 4 on
  std::vector<float> x = {30, 10, 20};
  add_positions(offsets, position, type, 1, x);
  EXPECT_EQ(x, (std::vector<float>{31.5f, 12.5f, 21.5f}));
}

TEST(AddPositions, NoRowsIsNothing) {
  const std::vector<float> position = {1, 2}, type = {0.5f}, untouched = {30, 10};
  std::vector<float> memory = untouched;  // x is empty, but its memory could be written
  const std::span<float> x(memory.data(), 0);
  add_positions(std::vector<std::uint32_t>{4}, position, type, 1, x);
  EXPECT_EQ(memory, untouched);
  add_positions(std::vector<std::uint32_t>{4, 4}, position, type, 1, x);  // a row without tokens
  EXPECT_EQ(memory, untouched);
}

TEST(TableAdd, EqualsReferenceBitForBit) {
  for (const std::size_t columns : kAwkwardSizes) {
    const std::vector<float> context = random_floats(7 * columns, 1);
    const std::vector<float> table = random_floats(5 * columns, 2);
    const std::vector<std::uint8_t> states = {0, 4, 3, 1, 1, 2, 0};
    std::vector<float> want(context.size()), found(context.size());
    table_add(context, table, states, columns, want, kScalarKernels);
    EXPECT_EQ(want[columns], context[columns] + table[4 * columns]);
    for (const CpuKernels* kernels : runnable_kernels()) {
      table_add(context, table, states, columns, found, *kernels);
      EXPECT_EQ(found, want) << kernels->name;
    }
  }
}

}  // namespace
}  // namespace diffie::ops
