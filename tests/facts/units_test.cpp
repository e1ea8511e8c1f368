#include "facts/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/lowercase.h"
#include "text/sentence.h"
#include "text/shipped_tokenizer.h"

namespace diffie::facts {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> units_of(const std::string& text, text::WordMode mode) {
  std::vector<Span> bytes;
  std::vector<std::string> lower;
  for (const auto& word : text::tokenize_sentence(shipped_tokenizer(), text, mode).words) {
    bytes.push_back(word.bytes);
    lower.push_back(
        text::lowercase(text.substr(word.bytes.begin, word.bytes.end - word.bytes.begin)));
  }
  std::vector<std::string> units;
  for (const Unit& unit : make_units(text, bytes, lower)) {
    EXPECT_LE(unit.first_word, unit.last_word);
    EXPECT_LT(unit.last_word, bytes.size());
    units.emplace_back(unit.text);
  }
  return units;
}

TEST(Units, ContractionsAreTakenApartHoweverTheyAreSpelled) {
  for (const auto mode : {text::WordMode::kRaw, text::WordMode::kPretokenized}) {
    EXPECT_THAT(units_of("He didn't sing", mode), ElementsAre("he", "did", "n't", "sing"));
    EXPECT_THAT(units_of("He didn’t sing", mode), ElementsAre("he", "did", "n't", "sing"));
    EXPECT_THAT(units_of("I can't , we'll", mode),
                ElementsAre("i", "can", "n't", ",", "we", "'ll"));
    EXPECT_THAT(units_of("They’ve left", mode), ElementsAre("they", "'ve", "left"));
  }
  EXPECT_THAT(units_of("He did n't sing", text::WordMode::kPretokenized),
              ElementsAre("he", "did", "n't", "sing"));
  EXPECT_THAT(units_of("the dogs' owner", text::WordMode::kPretokenized),
              ElementsAre("the", "dogs'", "owner"));
}

TEST(Units, MarksInsideWordsDivideNothing) {
  const std::string text = "U.S. officials paid 1,000 well-known men.";
  std::vector<Span> bytes;
  std::vector<std::string> lower;
  for (const auto& word :
       text::tokenize_sentence(shipped_tokenizer(), text, text::WordMode::kRaw).words) {
    bytes.push_back(word.bytes);
    lower.push_back(
        text::lowercase(text.substr(word.bytes.begin, word.bytes.end - word.bytes.begin)));
  }
  const std::vector<Unit> units = make_units(text, bytes, lower);
  for (std::size_t at = 0; at < units.size(); ++at)
    EXPECT_EQ(units[at].is(kMark), at + 1 == units.size()) << at << " " << units[at].text;
}

TEST(Units, NamesAreNoTriggers) {
  std::string text = "the United States said in May";
  const std::vector<Span> bytes = {{0, 3}, {4, 10}, {11, 17}, {18, 22}, {23, 25}, {26, 29}};
  const std::vector<std::string> lower = {"the", "united", "states", "said", "in", "may"};
  const std::vector<Unit> units = make_units(text, bytes, lower);
  EXPECT_FALSE(units[2].is(kReports));
  EXPECT_TRUE(units[3].is(kSay));
  EXPECT_FALSE(units[5].is(kModal));
}

}  // namespace
}  // namespace diffie::facts
