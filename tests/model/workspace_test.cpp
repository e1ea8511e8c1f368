#include "model/workspace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace diffie::model {
namespace {

TEST(Workspace, MemoryIsAlignedAndUsable) {
  Workspace workspace;
  for (const std::size_t count : {0, 1, 7, 1000}) {
    for (const std::size_t slot : {0, 3, 1}) {
      float* memory = workspace.floats(slot, count);
      ASSERT_NE(memory, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0u);
      std::fill_n(memory, count, 1.0f);
    }
  }
}

TEST(Workspace, GrowsToTheLargestAndThenStays) {
  Workspace workspace;
  EXPECT_EQ(workspace.bytes(), 0u);
  float* large = workspace.floats(0, 1000);
  const std::size_t bytes = workspace.bytes();
  EXPECT_GE(bytes, 4000u);
  EXPECT_EQ(workspace.floats(0, 10), large);
  EXPECT_EQ(workspace.bytes(), bytes);
}

TEST(Workspace, NewSlotsLeaveOldOnesWhereTheyAre) {
  Workspace workspace;
  float* first = workspace.floats(0, 100);
  first[99] = 5;
  workspace.floats(20, 100);
  EXPECT_EQ(workspace.floats(0, 100), first);
  EXPECT_EQ(first[99], 5);
}

}  // namespace
}  // namespace diffie::model
