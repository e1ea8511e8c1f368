#include "lab/score/sentence_key.h"

#include <gtest/gtest.h>

namespace diffie::score {
namespace {

TEST(SentenceKey, IgnoresBlanksPunctuationAndBracketEscapes) {
  EXPECT_EQ(sentence_key("Met ( twice ) , he said ."),
            sentence_key("Met -LRB- twice -RRB- he said"));
  EXPECT_EQ(sentence_key("a-b's"), "abs");
  EXPECT_NE(sentence_key("Met"), sentence_key("met"));
  EXPECT_NE(sentence_key("a\u00a0b"), sentence_key("a b"));  // only U+0020 goes
}

}  // namespace
}  // namespace diffie::score
