#include "nearest.h"

#include <gtest/gtest.h>

namespace diffie::cli {
namespace {

const std::vector<std::string> kNames = {"--samples", "--steps", "--shared", "--seed"};

TEST(Nearest, FindsWhatWasMeant) {
  EXPECT_EQ(nearest("--smaples", kNames), "--samples");  // swapped
  EXPECT_EQ(nearest("--sample", kNames), "--samples");   // left out
  EXPECT_EQ(nearest("--seeed", kNames), "--seed");       // put in
  EXPECT_EQ(nearest("--stebs", kNames), "--steps");      // changed
  EXPECT_EQ(nearest("--steps", kNames), "--steps");
}

TEST(Nearest, IsSilentWhereNothingIsLikeIt) {
  EXPECT_EQ(nearest("--frobnicate", kNames), "");
  EXPECT_EQ(nearest("", kNames), "");
  EXPECT_EQ(nearest(std::string(100'000, 'x'), kNames), "");
  EXPECT_EQ(nearest("x", {}), "");
}

}  // namespace
}  // namespace diffie::cli
