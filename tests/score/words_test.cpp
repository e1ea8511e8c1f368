#include "score/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "score/sentence_key.h"

namespace diffie::score {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Words, SplitAtUnicodeWhiteSpaceLikePython) {
  EXPECT_THAT(split_words("a\u00a0b\u2003c\u3000d\u0085e\x1c"
                          "f\tg  h"),
              ElementsAre("a", "b", "c", "d", "e", "f", "g", "h"));
  EXPECT_THAT(split_words(" \u2028\u1680 "), IsEmpty());
  // Not white space: zero-width space, zero-width no-break space, soft hyphen.
  EXPECT_THAT(split_words("a\u200bb\ufeffc\u00add"), ElementsAre("a\u200bb\ufeffc\u00add"));
}

TEST(Words, SplitKeepsBrokenUtf8) {
  EXPECT_THAT(split_words("a \xC2 \xE2\x80 b"), ElementsAre("a", "\xC2", "\xE2\x80", "b"));
}

TEST(Words, StripRemovesOnlyOuterSpace) {
  EXPECT_EQ(strip("\u00a0 a b\u3000\n"), "a b");
  EXPECT_EQ(strip("é"), "é");
  EXPECT_EQ(strip("\x85"), "\x85");  // a continuation byte alone is no U+0085
  EXPECT_EQ(strip(" \u2003 "), "");
}

TEST(Words, SplitAtKeepsEmptyPieces) {
  EXPECT_THAT(split_at("a\t\tb\t", '\t'), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(split_at("", '\t'), ElementsAre(""));
}

TEST(Words, LowerCaseBeyondAscii) {
  EXPECT_EQ(lower_case("ÄÖÜ ŁÓDŹ ЖУК ΑΘΗΝΑ Ǆ Ꙁ \U00010400"), "äöü łódź жук αθηνα ǆ ꙁ \U00010428");
  EXPECT_EQ(lower_case("ß ı 中 \xFF"), "ß ı 中 \xFF");
}

TEST(Words, Utf8IsChecked) {
  EXPECT_TRUE(is_valid_utf8("plain, é, 中, \U0001F600"));
  EXPECT_FALSE(is_valid_utf8("\xC0\x80"));          // over-long
  EXPECT_FALSE(is_valid_utf8("\xED\xA0\x80"));      // surrogate
  EXPECT_FALSE(is_valid_utf8("\xF4\x90\x80\x80"));  // past U+10FFFF
  EXPECT_FALSE(is_valid_utf8("a\xE2\x82"));         // cut off
}

TEST(SentenceKey, IgnoresBlanksPunctuationAndBracketEscapes) {
  EXPECT_EQ(sentence_key("Met ( twice ) , he said ."),
            sentence_key("Met -LRB- twice -RRB- he said"));
  EXPECT_EQ(sentence_key("a-b's"), "abs");
  EXPECT_NE(sentence_key("Met"), sentence_key("met"));
  EXPECT_NE(sentence_key("a\u00a0b"), sentence_key("a b"));  // only U+0020 goes
}

}  // namespace
}  // namespace diffie::score
