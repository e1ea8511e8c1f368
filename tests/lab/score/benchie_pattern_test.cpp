#include "lab/score/benchie_pattern.h"

#include <gtest/gtest.h>

namespace diffie::score {
namespace {

bool matches(std::string_view slot, std::string_view text) {
  return BenchiePattern(slot).matches(text, true);
}

TEST(BenchiePattern, OptionalWordsMayBeThereOrNot) {
  for (const char* text : {"the old mill", "the mill", "old mill", "mill"}) {
    EXPECT_TRUE(matches("[the] [old] mill", text)) << text;
  }
  for (const char* text : {"old the mill", "The mill", "the", "", "the old mill ."}) {
    EXPECT_FALSE(matches("[the] [old] mill", text)) << text;
  }
}

TEST(BenchiePattern, GroupsComeAndGoAsAWhole) {
  EXPECT_TRUE(matches("bars [of a window]", "bars of a window"));
  EXPECT_TRUE(matches("bars [of a window]", "bars"));
  EXPECT_FALSE(matches("bars [of a window]", "bars of a"));
}

TEST(BenchiePattern, GluedBracketsMakeTheWholeWordOptional) {
  EXPECT_TRUE(matches("Crozier[,] sailed", "Crozier, sailed"));
  EXPECT_TRUE(matches("Crozier[,] sailed", "sailed"));
  EXPECT_FALSE(matches("Crozier[,] sailed", "Crozier sailed"));
}

TEST(BenchiePattern, UnbalancedBracketsAreReadAsTheReferenceDoes) {
  EXPECT_TRUE(matches("89] men", "men"));  // closing word outside a group: dropped
  EXPECT_FALSE(matches("89] men", "89 men"));
  EXPECT_TRUE(matches("men [of note", "men of note") == false &&
              matches("men [of note", "men note"));
  // The word that ends the group and opens another is read again as a word of its own.
  EXPECT_TRUE(matches("[a b][c] d", "a bc bc d"));
  EXPECT_TRUE(matches("[a b][c] d", "bc d"));
  EXPECT_TRUE(matches("[a b][c] d", "a bc d"));
  EXPECT_TRUE(matches("[a b][c] d", "d"));
}

TEST(BenchiePattern, DoubleBlanksStay) {
  EXPECT_TRUE(matches("sails  at", "sails  at"));
  EXPECT_FALSE(matches("sails  at", "sails at"));
  EXPECT_TRUE(matches(" sails [at] ", "sails"));  // outer blanks do not matter
  EXPECT_FALSE(BenchiePattern("sails").matches("sails ", false));
  EXPECT_TRUE(BenchiePattern("sails").matches("sails ", true));
}

TEST(BenchiePattern, ManyOptionalWordsCostNoMoreThanFew) {
  std::string slot;
  std::string text;
  for (int i = 0; i < 200; ++i) slot += "[a] ";
  for (int i = 0; i < 150; ++i) text += "a ";
  EXPECT_TRUE(matches(slot + "b", text + "b"));  // 2^200 strings if they were listed
  EXPECT_FALSE(matches(slot + "b", text + "c"));
}

}  // namespace
}  // namespace diffie::score
