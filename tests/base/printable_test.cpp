#include "base/printable.h"

#include <gtest/gtest.h>

namespace diffie::base {
namespace {

TEST(OneLineShown, LeavesTextAsItIs) {
  EXPECT_EQ(one_line_shown("na\u00EFve \u65E5\u672C \u05E9\u05DC\u05D5\u05DD {}"),
            "na\u00EFve \u65E5\u672C \u05E9\u05DC\u05D5\u05DD {}");
}

TEST(OneLineShown, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(one_line_shown("a\x1b[31mb\r\n\t\x7f"), "a\\x1b[31mb\\x0d\\x0a\\x09\\x7f");
  EXPECT_EQ(one_line_shown("\u009B31m\u0085"), "\\x9b31m\\x85");
  EXPECT_EQ(one_line_shown("\u202Etxt.exe\u2066\u2069\u2028"),
            "\\u202etxt.exe\\u2066\\u2069\\u2028");
  EXPECT_EQ(one_line_shown("\xFF\x9B"), "\uFFFD\uFFFD");  // C1 as a lone byte
}

}  // namespace
}  // namespace diffie::base
