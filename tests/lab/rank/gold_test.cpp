#include "lab/rank/gold.h"

#include <gtest/gtest.h>

namespace diffie::rank {
namespace {

const std::vector<std::string> kWords = {"Bach", "'s", "son", "met", "Ann", "and", "Bob", "."};

TEST(SentenceGold, SeesThroughSpellingAndPunctuation) {
  const SentenceGold gold(kWords, {{"bach's son", "met", "Ann ."}, {"", "is", "x"}});
  ASSERT_EQ(gold.size(), 1u);  // a triple without a subject says nothing
  const auto match = gold.match({{{{0, 1, 2}, {3}, {4}}}});
  EXPECT_TRUE(match.exact[0]);
  EXPECT_EQ(match.pairs[0].precision, 1);
  EXPECT_EQ(match.pairs[0].recall, 1);
  const auto longer = gold.match({{{{0, 1, 2}, {3}, {4, 5, 6, 7}}}});
  EXPECT_FALSE(longer.exact[0]);
  EXPECT_DOUBLE_EQ(longer.pairs[0].precision, 5.0 / 7);
  EXPECT_EQ(longer.pairs[0].recall, 1);
}

TEST(SentenceGold, ReadsImpliedVerbsFirst) {
  std::vector<std::string> words = kWords;
  words.insert(words.end(), {"has", "is"});
  const SentenceGold gold(words, {{"Ann", "is met", "Bob"}}, 2);
  EXPECT_TRUE(gold.match({{{{4}, {3, 9}, {6}}}}).exact[0]);
  EXPECT_FALSE(gold.match({{{{4}, {3, 8}, {6}}}}).exact[0]);
}

TEST(ShownTriples, CountWhatIsNew) {
  const SentenceGold gold(kWords, {{"Bach 's son", "met", "Ann"}, {"Bach 's son", "met", "Bob"}});
  const auto ann = gold.match({{{{0, 1, 2}, {3}, {4}}}});
  const auto bob = gold.match({{{{0, 1, 2}, {3}, {6}}}});
  ShownTriples shown(gold.size());
  const Worth first = shown.worth_of(ann);
  EXPECT_EQ(first.precision, 1);
  EXPECT_DOUBLE_EQ(first.recall, 1 + 0.8);  // four of five words of the other fact too
  EXPECT_EQ(first.exact, 1);
  shown.show(ann);
  const Worth again = shown.worth_of(ann);  // the same words can only match the other fact now
  EXPECT_DOUBLE_EQ(again.precision, 0.8);
  EXPECT_EQ(again.recall, 0);
  EXPECT_EQ(again.exact, 0);
  const Worth second = shown.worth_of(bob);
  EXPECT_EQ(second.precision, 1);
  EXPECT_NEAR(second.recall, 0.2, 1e-12);
  EXPECT_EQ(second.exact, 1);
}

TEST(ShownTriples, NoRelationInCommonIsWorthNothing) {
  const SentenceGold gold(kWords, {{"Ann", "met", "Bob"}});
  const Worth worth = ShownTriples(1).worth_of(gold.match({{{{4}, {5}, {6}}}}));
  EXPECT_EQ(worth.precision, 0);
  EXPECT_EQ(worth.recall, 0);
}

}  // namespace
}  // namespace diffie::rank
