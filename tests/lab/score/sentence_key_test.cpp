#include "lab/score/sentence_key.h"

#include <gtest/gtest.h>

#include <cctype>

namespace diffie::score {
namespace {

TEST(SentenceKey, IgnoresBlanksPunctuationAndBracketEscapes) {
  EXPECT_EQ(sentence_key("Met ( twice ) , he said ."),
            sentence_key("Met -LRB- twice -RRB- he said"));
  EXPECT_EQ(sentence_key("a-b's"), "abs");
  EXPECT_NE(sentence_key("Met"), sentence_key("met"));
  EXPECT_NE(sentence_key("a\u00a0b"), sentence_key("a b"));  // only U+0020 goes
}

TEST(SentenceKey, OfAsciiBlanksAndPunctuationGo) {
  for (int c = 1; c < 128; ++c) {
    const std::string text(1, static_cast<char>(c));
    const bool goes = c == ' ' || std::ispunct(c) != 0;
    EXPECT_EQ(sentence_key("a" + text + "b"), goes ? "ab" : "a" + text + "b") << c;
  }
}

TEST(SentenceKey, EscapesGoOneKindAfterTheOther) {
  EXPECT_EQ(sentence_key("-RRB-LRB-"), "RRB");  // -LRB- is looked for first
  EXPECT_EQ(sentence_key("-LRB- a -RRB- -LRB- b -RRB- -LSB- -RSB- -LCB- c -RCB-"), "abc");
  EXPECT_EQ(sentence_key("-LRB-LRB-"), "LRB");  // what is left is no escape
  EXPECT_EQ(sentence_key("AB-C"), "ABC");
}

}  // namespace
}  // namespace diffie::score
