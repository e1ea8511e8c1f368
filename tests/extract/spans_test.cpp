#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "extract/pools.h"

namespace diffie::extract {
namespace {

using testing::ElementsAre;

TEST(ConstructTriple, RelationsHaveAllTheirImpliedWordsWhateverTheRule) {
  for (const Rule rule : {Rule::kLongest, Rule::kRelationRuns, Rule::kAllRuns}) {
    Triple triple;
    ASSERT_TRUE(construct_triple(roles_of("SRBOORBRS"), rule, triple, 3));
    EXPECT_THAT(triple.words[0], ElementsAre(0));
    EXPECT_THAT(triple.words[2], ElementsAre(3, 4));
    EXPECT_EQ(triple.words[1].back(), 7u);
    ASSERT_TRUE(construct_triple(roles_of("SBOR"), rule, triple, 1));
    EXPECT_THAT(triple.words[1], ElementsAre(3));
    EXPECT_FALSE(construct_triple(roles_of("BROS"), rule, triple, 1));
  }
}

TEST(PieceRolesToWords, ImpliedWordsAreRelationOrBackground) {
  const std::vector<std::uint8_t> tags = {1, 2, 3, 1, 2};
  const std::vector<std::uint32_t> counts = {1, 1, 1, 1, 1};
  std::vector<Role> roles(5);
  piece_roles_to_words(tags, counts, roles, 3);
  EXPECT_EQ(roles, roles_of("SRBBR"));
}

TEST(ReadingOrder, PutsImpliedVerbsFirst) {
  const std::vector<std::string> words = {"x", "born", "is", "of", "is", "was", "in"};
  EXPECT_THAT(reading_order(std::vector<std::uint32_t>{1, 2, 3, 4, 6}, words, 4),
              ElementsAre(4, 1, 2, 3, 6));
}

TEST(ConstructTriple, LongestTakesTheLongestRunOfEveryRole) {
  Triple triple;
  ASSERT_TRUE(construct_triple(roles_of("SBSSRBRROOBO"), Rule::kLongest, triple));
  EXPECT_THAT(triple.words[0], ElementsAre(2, 3));
  EXPECT_THAT(triple.words[1], ElementsAre(6, 7));
  EXPECT_THAT(triple.words[2], ElementsAre(8, 9));
}

TEST(ConstructTriple, LongestTakesTheFirstOnTies) {
  Triple triple;
  ASSERT_TRUE(construct_triple(roles_of("SBSRBRBRBOOBOO"), Rule::kLongest, triple));
  EXPECT_THAT(triple.words[0], ElementsAre(0));
  EXPECT_THAT(triple.words[1], ElementsAre(3));
  EXPECT_THAT(triple.words[2], ElementsAre(9, 10));
}

TEST(ConstructTriple, RelationRunsKeepsTheRelationWhole) {
  Triple triple;
  ASSERT_TRUE(construct_triple(roles_of("SBSSRBRROOBO"), Rule::kRelationRuns, triple));
  EXPECT_THAT(triple.words[0], ElementsAre(2, 3));
  EXPECT_THAT(triple.words[1], ElementsAre(4, 6, 7));
  EXPECT_THAT(triple.words[2], ElementsAre(8, 9));
}

TEST(ConstructTriple, AllRunsKeepsEverything) {
  Triple triple;
  ASSERT_TRUE(construct_triple(roles_of("OSBSSRBRROOBO"), Rule::kAllRuns, triple));
  EXPECT_THAT(triple.words[0], ElementsAre(1, 3, 4));
  EXPECT_THAT(triple.words[1], ElementsAre(5, 7, 8));
  EXPECT_THAT(triple.words[2], ElementsAre(0, 9, 10, 12));
}

TEST(ConstructTriple, AnAbsentRoleGivesNoTriple) {
  Triple triple;
  for (const char* roles : {"", "B", "SSRR", "RROO", "SSOO", "BBBB", "SR"})
    for (const auto rule : {Rule::kLongest, Rule::kRelationRuns, Rule::kAllRuns})
      EXPECT_FALSE(construct_triple(roles_of(roles), rule, triple)) << roles;
}

TEST(ConstructTriple, ForgetsWhatTheTripleHeldBefore) {
  Triple triple;
  ASSERT_TRUE(construct_triple(roles_of("SSSRRROOO"), Rule::kAllRuns, triple));
  ASSERT_TRUE(construct_triple(roles_of("SRO"), Rule::kAllRuns, triple));
  EXPECT_EQ(triple, (Triple{{{{0}, {1}, {2}}}}));
}

TEST(ConstructTriple, RolesAreAscendingDisjointTrueToTheTagsAndNested) {
  std::mt19937 random(1);
  int built = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::string letters;
    for (std::size_t length = random() % 20; letters.size() < length;)
      letters += "BSRO"[random() % 4];
    const std::vector<Role> roles = roles_of(letters);
    std::array<Triple, 3> triples;  // longest, relation runs, all runs
    const bool exists = construct_triple(roles, Rule::kLongest, triples[0]);
    EXPECT_EQ(construct_triple(roles, Rule::kRelationRuns, triples[1]), exists);
    EXPECT_EQ(construct_triple(roles, Rule::kAllRuns, triples[2]), exists);
    if (!exists) continue;
    ++built;
    for (const Triple& triple : triples) {
      std::set<std::uint32_t> seen;
      for (std::size_t role = 0; role < 3; ++role) {
        ASSERT_FALSE(triple.words[role].empty());
        ASSERT_TRUE(std::is_sorted(triple.words[role].begin(), triple.words[role].end()));
        for (const std::uint32_t word : triple.words[role]) {
          ASSERT_TRUE(seen.insert(word).second);
          ASSERT_EQ(letters[word], "SRO"[role]);
        }
      }
    }
    for (std::size_t role = 0; role < 3; ++role)
      for (const int narrow : {0, 1})
        ASSERT_TRUE(std::includes(
            triples[narrow + 1].words[role].begin(), triples[narrow + 1].words[role].end(),
            triples[narrow].words[role].begin(), triples[narrow].words[role].end()));
  }
  EXPECT_GT(built, 1000);
}

std::vector<Role> to_words(std::vector<std::uint8_t> tags, std::vector<std::uint32_t> counts) {
  std::vector<Role> roles(counts.size(), Role::kObject);
  piece_roles_to_words(tags, counts, roles);
  return roles;
}

TEST(PieceRoles, AWordHasARoleWhenAllItsPiecesHaveIt) {
  EXPECT_EQ(to_words({1, 1, 2, 2, 3, 0, 3, 3, 3}, {2, 1, 2, 1, 3}), roles_of("SRBBO"));
  EXPECT_EQ(to_words({3, 3, 2}, {3}), roles_of("B"));
  EXPECT_EQ(to_words({2, 3, 3}, {3}), roles_of("B"));
  EXPECT_EQ(to_words({3, 2, 3}, {3}), roles_of("B"));
  EXPECT_EQ(to_words({}, {}), roles_of(""));
}

TEST(PieceRoles, StatesThatAreNoTagsAreBackground) {
  EXPECT_EQ(to_words({4, 4, 255, 1}, {2, 1, 1}), roles_of("BBS"));
}

}  // namespace
}  // namespace diffie::extract
