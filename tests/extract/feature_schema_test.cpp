#include "extract/feature_schema.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace diffie::extract {
namespace {

using Names = std::vector<std::string_view>;
using Lists = std::vector<WordList>;

const Names kNames(kFeatureNames.begin(), kFeatureNames.begin() + kFeatureSchemas[0].num_features);
const Names kAllNames(kFeatureNames.begin(), kFeatureNames.end());
const Lists kLists(kWordLists.begin(), kWordLists.end());
const Names kVerbs(kSpeechVerbs.begin(), kSpeechVerbs.end());

// Rankers of these have been shipped: a fingerprint is never another one. What changes the
// fingerprint gets the next number, and a line of its own here.
TEST(FeatureSchema, EachIsWhatItWas) {
  EXPECT_EQ(kNames.size(), 88u);
  EXPECT_EQ(schema_fingerprint(kNames, kLists, kVerbs), 0x44c71a7196c9387d);
  EXPECT_EQ(find_schema(1)->fingerprint, 0x44c71a7196c9387d);
  EXPECT_EQ(kAllNames.size(), 106u);
  EXPECT_EQ(schema_fingerprint(kAllNames, kLists, kVerbs), 0xf52f64800c59b1c9);
  EXPECT_EQ(find_schema(2)->fingerprint, 0xf52f64800c59b1c9);
  EXPECT_EQ(find_schema(0), nullptr);
  EXPECT_EQ(find_schema(3), nullptr);
}

void expect_another(const Names& names, const Lists& lists, const Names& verbs = kVerbs) {
  EXPECT_NE(schema_fingerprint(names, lists, verbs), find_schema(1)->fingerprint);
}

TEST(FeatureSchema, SeesChangedNames) {
  for (std::size_t i = 0; i + 1 < kNames.size(); ++i) {
    Names swapped = kNames;
    std::swap(swapped[i], swapped[i + 1]);
    expect_another(swapped, kLists);
  }
  Names fewer = kNames;
  fewer.pop_back();
  expect_another(fewer, kLists);
  Names renamed = kNames;
  renamed[3] = "mass_3";
  expect_another(renamed, kLists);
}

TEST(FeatureSchema, SeesChangedKindsAndWords) {
  for (std::size_t i = 0; i + 1 < kLists.size(); ++i) {
    Lists codes = kLists;  // as if two enumerators had changed places
    std::swap(codes[i].kind, codes[i + 1].kind);
    expect_another(kNames, codes);
    Lists order = kLists;
    std::swap(order[i], order[i + 1]);
    expect_another(kNames, order);
    Lists words = kLists;
    const std::string more = std::string(words[i].words) + " xyz";
    words[i].words = more;
    expect_another(kNames, words);
  }
  expect_another(kNames, kLists, {"said", "says", "say", "told"});
  expect_another(kNames, kLists, {"saidsays", "say", "told", "added"});
}

TEST(FeatureSchema, EveryKindHasACodeAndANameOfItsOwn) {
  std::set<int> codes;
  std::set<std::string_view> names;
  for (const WordList& list : kWordLists) {
    codes.insert(static_cast<int>(list.kind));
    names.insert(list.name);
  }
  EXPECT_EQ(codes.size(), kWordLists.size());
  EXPECT_EQ(names.size(), kWordLists.size());
  EXPECT_EQ(*codes.rbegin(), static_cast<int>(WordKind::kNone));
}

}  // namespace
}  // namespace diffie::extract
