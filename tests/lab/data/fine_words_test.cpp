#include "lab/data/fine_words.h"

#include <gtest/gtest.h>

namespace diffie::data {
namespace {

// Fine words joined by '|', punctuation in angle brackets.
std::string fine(std::string_view text) {
  std::string out;
  for (const FineWord& word : fine_words(text)) {
    if (!out.empty()) out += '|';
    out += word.punctuation ? "<" + word.text + ">" : word.text;
  }
  return out;
}

TEST(FineWords, GivesOneTextForEverySpelling) {
  EXPECT_EQ(fine("Bach's"), fine("Bach 's"));
  EXPECT_EQ(fine("didn't"), fine("did n't"));
  EXPECT_EQ(fine("cannot"), fine("can not"));
  EXPECT_EQ(fine("(a \"b\")"), fine("-LRB- a `` b '' -RRB-"));
  EXPECT_EQ(fine("-lsb- -RSB- -LCB- -RCB-"), "<[>|<]>|<{>|<}>");
}

TEST(FineWords, KeepsNumbersAndAbbreviationsWhole) {
  EXPECT_EQ(fine("1,234.5 1:49.87 U.S. e.g. v2.0,"), "1,234.5|1:49.87|us|<.>|eg|<.>|v2.0|<,>");
  EXPECT_EQ(fine("Mr. end. 5. a-b"), "mr|<.>|end|<.>|5|<.>|a|<->|b");
}

TEST(FineWords, JoinsRepeatedMarks) { EXPECT_EQ(fine("wait... -- \""), "wait|<...>|<-->|<\">"); }

TEST(FineWords, TellsLettersFromMarksBeyondAscii) {
  EXPECT_EQ(fine("Écoles—naïve ’t 日本 ±5 º"), "écoles|<—>|naïve|<’>|t|日本|<±>|5|º");
}

TEST(FineWords, SurvivesBrokenUtf8) {
  EXPECT_EQ(fine(""), "");
  EXPECT_EQ(fine_words("\xE2\x80").size(), 1u);
  EXPECT_EQ(fine_words("a\xC3 \xFF\xF0").size(), 2u);
}

TEST(FineWords, KnowsTheWordItIsPartOf) {
  const std::vector<FineWord> words = fine_words(" a b-c\td ");
  ASSERT_EQ(words.size(), 5u);
  EXPECT_EQ(words[1].word, 1u);
  EXPECT_EQ(words[3].word, 1u);
  EXPECT_EQ(words[4].word, 2u);
}

}  // namespace
}  // namespace diffie::data
