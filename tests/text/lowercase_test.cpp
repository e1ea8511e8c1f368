#include "text/lowercase.h"

#include <gtest/gtest.h>

namespace diffie::text {
namespace {

TEST(Lowercase, MapsEachLetterOnItsOwn) {
  EXPECT_EQ(lowercase(""), "");
  EXPECT_EQ(lowercase("The U.S. Army, 1999"), "the u.s. army, 1999");
  EXPECT_EQ(lowercase("ÀÖØÞ ×"), "àöøþ ×");  // the multiplication sign lies between the ranges
  EXPECT_EQ(lowercase("ŁÓDŹ ĀāĂă"), "łódź āāăă");  // alternating upper and lower
  EXPECT_EQ(lowercase("ΟΔΟΣ"), "οδοσ");            // no final sigma: context is not looked at
  EXPECT_EQ(lowercase("МОСКВА"), "москва");
  EXPECT_EQ(lowercase("𐐀"), "𐐨");  // beyond the basic plane
  EXPECT_EQ(lowercase("ß ñ 東京"), "ß ñ 東京");
  EXPECT_EQ(lowercase("ŽIŽEK ŸES ЁЖ Ǆ Ꙁ"), "žižek ÿes ёж ǆ ꙁ");
}

TEST(Lowercase, KeepsBytesThatAreNotUtf8) {
  EXPECT_EQ(lowercase("A\xFF"
                      "B\xC3"),
            "a\xFF"
            "b\xC3");
}

}  // namespace
}  // namespace diffie::text
