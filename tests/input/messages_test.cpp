#include "messages.h"

#include <gtest/gtest.h>

#include "progress.h"

namespace diffie::cli {
namespace {

template <typename Act>
std::string told(Act act) {
  ::testing::internal::CaptureStderr();
  act();
  return ::testing::internal::GetCapturedStderr();
}

TEST(Messages, AreLinesOfTheirOwn) {
  EXPECT_EQ(told([] { tell("a.txt: {} is no number"); }), "diffie: a.txt: {} is no number\n");
  EXPECT_EQ(told([] { tell("two\nlines\x1b[2J"); }), "diffie: two\\x0alines\\x1b[2J\n");
}

TEST(Messages, WipeTheStatusBeforeThem) {
  const std::string text = told([] {
    draw_status("50 %");
    draw_status("60 %");
    tell("bad");
    tell("worse");
    draw_status("70 %");
    draw_status("");
    draw_status("");
  });
  const std::string wipe = "\r\x1b[K";
  EXPECT_EQ(text, wipe + "50 %" + wipe + "60 %" + wipe + "diffie: bad\ndiffie: worse\n" + wipe +
                      "70 %" + wipe);
}

TEST(Messages, ProgressIsForTerminals) {
  EXPECT_EQ(told([] { Progress().update(1, 1, 2); }), "");
}

}  // namespace
}  // namespace diffie::cli
