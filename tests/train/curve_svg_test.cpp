#include "train/curve_svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace diffie::train {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(CurveSvg, TicksAreRoundAndCoverTheRange) {
  EXPECT_THAT(axis_ticks(0, 10, 5), ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(axis_ticks(3, 3, 2), testing::SizeIs(testing::Ge(2u)));
  const auto ticks = axis_ticks(51.8, 52.3, 5);
  EXPECT_LE(ticks.front(), 51.8);
  EXPECT_GE(ticks.back(), 52.3);
}

TEST(CurveSvg, DrawsEveryPointInsideThePicture) {
  const std::string svg = curve_svg({"a < b & c", "step", "loss", {0, 1, 2}, {3, 1, 2}});
  EXPECT_THAT(svg, HasSubstr("a &lt; b &amp; c"));
  EXPECT_THAT(svg, HasSubstr("points=\"70.0,36.0 "));  // the first point is top left
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(CurveSvg, OnePointAndNoPointAreDrawable) {
  EXPECT_THAT(curve_svg({"t", "x", "y", {5}, {7}}), Not(HasSubstr("nan")));
  EXPECT_THAT(curve_svg({"t", "x", "y", {}, {}}), HasSubstr("</svg>"));
}

}  // namespace
}  // namespace diffie::train
