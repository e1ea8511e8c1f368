// What is left out, in which order things happen, and what a result looks like then.
#include "reshape/reshape.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "reshape/omissions.h"
#include "reshape/words.h"

namespace diffie::reshape {
namespace {

using extract::RankedTriple;

std::vector<std::string> reshaped(const Words& words, const std::vector<RankedTriple>& chosen,
                                  const Settings& settings) {
  std::vector<std::string> shown;
  for (const Statement& each : reshape(chosen, words.text, words.bytes, words.lower, settings)) {
    const auto& [subject, relation, object] = each.ranked.triple.words;
    shown.push_back(fmt::format("{} {} {}: {}; {}; {}", each.origin, each.ranked.confidence,
                                each.circumstances.size(), words.quote(subject),
                                words.quote(relation), words.quote(object)));
  }
  return shown;
}

TEST(Omissions, PronounCasesAreRight) {
  for (const auto& cells : read_cases("pronouns.tsv", 3)) {
    const Words words(cells[0]);
    const Line line(words.text, words.bytes, words.lower);
    EXPECT_EQ(is_pronoun(line, words.find(cells[1])), cells[2] == "skipped") << cells[0];
  }
}

// The other triple is the surer one.
TEST(Omissions, ContainedCasesAreRight) {
  Settings settings;
  settings.drop_contained = true;
  for (const auto& cells : read_cases("contained.tsv", 8)) {
    const Words words(cells[0]);
    const RankedTriple other = {words.triple(cells[4], cells[5], cells[6]), 0.8};
    RankedTriple triple = {words.triple(cells[1], cells[2], cells[3]), 0.5};
    const std::size_t left = reshaped(words, {other, triple}, settings).size();
    EXPECT_EQ(left, cells[7] == "dropped" ? 1U : 2U) << cells[0] << " " << cells[1];
    triple.confidence = 0.9;
    EXPECT_EQ(reshaped(words, {triple, other}, settings).size(),
              is_contained(other.triple, triple.triple) ? 1U : 2U);
  }
}

TEST(Omissions, WhatIsSaidOtherwiseContainsNothing) {
  Settings settings;
  settings.drop_contained = true;
  const Words words("He signed the first paper but did not sign the second one.");
  const RankedTriple signed_it = {words.triple("He", "signed", "the first paper"), 0.5};
  const RankedTriple denied = {
      words.triple("He", "signed did not sign", "the first paper the second one"), 0.9};
  EXPECT_EQ(reshaped(words, {denied, signed_it}, settings).size(), 2U);
}

TEST(Reshape, NothingChangesWithoutSettings) {
  const Words words("Anna and Ben sold the farm in 1990.");
  const std::vector<RankedTriple> chosen = {
      {words.triple("Anna and Ben", "sold", "the farm in 1990"), 0.75},
      {words.triple("Anna", "sold", "the farm"), 0.5}};
  EXPECT_EQ(reshaped(words, chosen, {}),
            (std::vector<std::string>{"0 0.75 0: Anna and Ben; sold; the farm in 1990",
                                      "1 0.5 0: Anna; sold; the farm"}));
}

TEST(Reshape, PartsStandWhereTheirTripleStoodAndNoneTwice) {
  Settings settings;
  settings.split_coordination = true;
  const Words words("Anna and Ben sold the farm and the mill.");
  const std::vector<RankedTriple> chosen = {
      {words.triple("Anna and Ben", "sold", "the farm"), 0.75},
      {words.triple("Anna", "sold", "the farm and the mill"), 0.5}};
  EXPECT_EQ(
      reshaped(words, chosen, settings),
      (std::vector<std::string>{"0 0.75 0: Anna; sold; the farm", "0 0.75 0: Ben; sold; the farm",
                                "1 0.5 0: Anna; sold; the mill"}));
}

// Parts are judged by themselves: one of them may be a pronoun, or contained.
TEST(Reshape, WhatIsLeftOutIsLookedForAmongTheParts) {
  Settings settings;
  settings.split_coordination = settings.skip_pronouns = settings.drop_contained = true;
  settings.mark_circumstances = true;
  const Words words("He and his wife sold the farm in 1990.");
  const std::vector<RankedTriple> chosen = {
      {words.triple("He and his wife", "sold", "the farm in 1990"), 0.75},
      {words.triple("his wife", "sold", "the farm"), 0.5}};
  EXPECT_EQ(reshaped(words, chosen, settings),
            (std::vector<std::string>{"0 0.75 1: his wife; sold; the farm in 1990"}));
}

TEST(Reshape, AssertedOnlyLooksAtTheParts) {
  Settings settings;
  settings.split_coordination = settings.asserted_only = true;
  const Words words("Neither France nor Spain joined the war.");
  const std::vector<RankedTriple> chosen = {
      {words.triple("Neither France nor Spain", "joined", "the war"), 0.75}};
  EXPECT_TRUE(reshaped(words, chosen, settings).empty());
}

}  // namespace
}  // namespace diffie::reshape
