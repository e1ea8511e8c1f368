#include <gtest/gtest.h>

#include "diffie/lab/score.h"

namespace diffie {
namespace {

GoldTuple gold(const char* subject, const char* relation, std::vector<std::string> objects) {
  GoldTuple tuple{{relation, {}, 0}, {{subject, {}, 0}}, 0};
  for (std::string& object : objects) tuple.arguments.push_back({std::move(object), {}, 0});
  return tuple;
}

TEST(StrictF1, WantsAllSlotsWordForWordEachGoldOnce) {
  const GoldStandard standard{
      {{"",
        "Ann sold Ben a car .",
        "",
        {gold("Ann", "sold", {"Ben", "a car"}), gold("Ben", "has", {"a car"})},
        2},
       {"", "It ran .", "", {gold("It", "ran", {})}, 1}},
      {}};
  SystemOutput output;
  output.sentences = {{"", "Ann sold Ben a car .", {}}};
  auto& tuples = output.sentences[0].tuples;
  EXPECT_EQ(strict_f1(standard, output), 0);
  tuples.push_back({"sold", {"ann", "Ben  A car"}, 1});
  EXPECT_DOUBLE_EQ(strict_f1(standard, output), 2.0 / 4);
  tuples.push_back({"sold", {"Ann", "Ben a car"}, 1});  // again: wrong
  EXPECT_DOUBLE_EQ(strict_f1(standard, output), 2.0 / 5);
  tuples.push_back({"has", {"Ben", "car"}, 1});  // one word less: wrong
  EXPECT_DOUBLE_EQ(strict_f1(standard, output), 2.0 / 6);
  EXPECT_EQ(strict_f1({}, {}), 0);
}

}  // namespace
}  // namespace diffie
