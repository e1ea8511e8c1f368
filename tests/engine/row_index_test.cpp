#include "engine/row_index.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace diffie::engine {
namespace {

TEST(RowIndex, NumbersClassesInOrderOfAppearance) {
  const std::vector<std::uint8_t> states = {1, 2, 1, 2, 0, 0, 1, 2, 3, 3, 0, 0};
  std::vector<std::uint32_t> slots(6);
  std::vector<std::uint8_t> distinct = {9};  // what is there stays
  RowIndex index;
  EXPECT_EQ(index.find(states, 2, slots, distinct), 3u);
  EXPECT_EQ(slots, (std::vector<std::uint32_t>{0, 0, 1, 0, 2, 1}));
  EXPECT_EQ(distinct, (std::vector<std::uint8_t>{9, 1, 2, 0, 0, 3, 3}));
}

TEST(RowIndex, AgreesWithAMapForManyRowsAndLengths) {
  std::mt19937 random(1);
  RowIndex index;
  for (const std::size_t length : {1u, 2u, 7u, 8u, 9u, 31u, 512u})
    for (const std::size_t rows : {1u, 2u, 33u, 500u}) {
      std::vector<std::uint8_t> states(rows * length);
      // Few states and late differences: many rows agree, or agree up to the end.
      for (std::size_t row = 0; row < rows; ++row) {
        states[row * length + random() % length] = static_cast<std::uint8_t>(random() % 4);
        states[(row + 1) * length - 1] = static_cast<std::uint8_t>(random() % 5);
      }
      std::vector<std::uint32_t> slots(rows);
      std::vector<std::uint8_t> distinct;
      const std::size_t count = index.find(states, length, slots, distinct);
      std::map<std::string, std::uint32_t> classes;
      for (std::size_t row = 0; row < rows; ++row) {
        const std::string key(reinterpret_cast<const char*>(&states[row * length]), length);
        const auto slot = classes.try_emplace(key, classes.size()).first->second;
        ASSERT_EQ(slots[row], slot);
        ASSERT_EQ(key,
                  std::string(reinterpret_cast<const char*>(&distinct[slot * length]), length));
      }
      ASSERT_EQ(count, classes.size());
      ASSERT_EQ(distinct.size(), count * length);
    }
}

}  // namespace
}  // namespace diffie::engine
