#include "text/white_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace diffie::text {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(WhiteSpace, SplitAtUnicodeWhiteSpaceLikePython) {
  EXPECT_THAT(split_words("a\u00a0b\u2003c\u3000d\u0085e\x1c"
                          "f\tg  h"),
              ElementsAre("a", "b", "c", "d", "e", "f", "g", "h"));
  EXPECT_THAT(split_words(" \u2028\u1680 "), IsEmpty());
  // Not white space: zero-width space, zero-width no-break space, soft hyphen.
  EXPECT_THAT(split_words("a\u200bb\ufeffc\u00add"), ElementsAre("a\u200bb\ufeffc\u00add"));
}

TEST(WhiteSpace, SplitKeepsBrokenUtf8) {
  EXPECT_THAT(split_words("a \xC2 \xE2\x80 b"), ElementsAre("a", "\xC2", "\xE2\x80", "b"));
}

TEST(WhiteSpace, StripRemovesOnlyOuterSpace) {
  EXPECT_EQ(strip("\u00a0 a b\u3000\n"), "a b");
  EXPECT_EQ(strip("é"), "é");
  EXPECT_EQ(strip("\x85"), "\x85");  // a continuation byte alone is no U+0085
  EXPECT_EQ(strip(" \u2003 "), "");
}

TEST(WhiteSpace, SplitAtKeepsEmptyPieces) {
  EXPECT_THAT(split_at("a\t\tb\t", '\t'), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(split_at("", '\t'), ElementsAre(""));
}

}  // namespace
}  // namespace diffie::text
