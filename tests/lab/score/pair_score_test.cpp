#include "lab/score/pair_score.h"

#include <gtest/gtest.h>

namespace diffie::score {
namespace {

using Arguments = std::vector<std::string_view>;

PairScore pair(std::string_view gold_relation, const Arguments& gold_arguments,
               std::string_view relation, const Arguments& arguments) {
  WordIds ids;
  return carb_pair_score(make_word_tuple(ids, gold_relation, gold_arguments),
                         make_word_tuple(ids, relation, arguments));
}

TEST(CarbPair, CountsWordsOfEachSlotAsMultisets) {
  const PairScore score = pair("ate", {"the cat the cat", "fish"}, "ate", {"the the the", "fish"});
  EXPECT_DOUBLE_EQ(score.precision, 4.0 / 5);  // ate, the, the, fish of five
  EXPECT_DOUBLE_EQ(score.recall, 4.0 / 6);
}

TEST(CarbPair, NeedsACommonRelationWord) {
  EXPECT_EQ(pair("ate", {"cat", "fish"}, "eats", {"cat", "fish"}).precision, 0);
  EXPECT_EQ(pair("", {"cat"}, "", {"cat"}).recall, 0);
}

TEST(CarbPair, IsCaseSensitive) { EXPECT_EQ(pair("Ate", {}, "ate", {}).precision, 0); }

TEST(CarbPair, LeftOverBeMeetsAnyFormOnce) {
  EXPECT_DOUBLE_EQ(pair("is", {}, "be", {}).precision, 1);
  EXPECT_DOUBLE_EQ(pair("was", {}, "be be", {}).precision, 0.5);  // once only
  EXPECT_EQ(pair("be", {}, "is", {}).precision, 0);               // not the other way round
  // The gold's form may be one that has already been matched.
  EXPECT_DOUBLE_EQ(pair("is", {}, "is be", {}).precision, 1);
  EXPECT_DOUBLE_EQ(pair("is", {}, "is be", {}).recall, 2);  // so recall can pass 1
  EXPECT_DOUBLE_EQ(pair("be", {}, "be", {}).recall, 1);     // this "be" is not left over
}

TEST(CarbPair, FurtherArgumentsAreJoined) {
  const PairScore score = pair("gave", {"Jon", "Lia", "a hat"}, "gave", {"Jon", "a hat", "to Lia"});
  EXPECT_DOUBLE_EQ(score.precision, 5.0 / 6);
  EXPECT_DOUBLE_EQ(score.recall, 1);
}

TEST(CarbPair, MissingPredictedSlotIsNoMatch) {
  EXPECT_EQ(pair("fell", {"snow", "today"}, "fell", {"snow"}).recall, 0);
  EXPECT_EQ(pair("fell", {"snow"}, "fell", {}).recall, 0);
}

TEST(CarbPair, SlotsTheGoldLacksAreNotLookedAt) {
  EXPECT_DOUBLE_EQ(pair("fell", {"snow"}, "fell", {"snow", "a b c d"}).precision, 1);
  EXPECT_DOUBLE_EQ(pair("fell", {}, "fell", {"x"}).precision, 1);
}

TEST(CarbPair, SpeechVerbsAllowExchangedArguments) {
  EXPECT_DOUBLE_EQ(pair("said", {"Ruth", "we won"}, "said", {"we won", "Ruth"}).precision, 1);
  EXPECT_DOUBLE_EQ(pair("has unsaid", {"Ruth", "it"}, "has", {"it", "Ruth"}).precision, 1);
  EXPECT_LT(pair("sang", {"Ruth", "we won"}, "sang", {"we won", "Ruth"}).precision, 1);
  // It is the gold relation that says so, and one argument cannot be exchanged.
  EXPECT_LT(pair("spoke", {"Ruth", "a"}, "spoke said", {"a", "Ruth"}).precision, 1);
  EXPECT_DOUBLE_EQ(pair("said", {"Ruth"}, "said", {"Ruth"}).precision, 1);
}

}  // namespace
}  // namespace diffie::score
