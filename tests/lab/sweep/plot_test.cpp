#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diffie/lab/sweep.h"
#include "lab/sweep/invented.h"

namespace diffie {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

std::string plot_of(const SweepOptions& options, const std::string& label = "a") {
  return sweep_svg(
      run_sweep(std::vector{test::invented_pool(label)}, test::invented_golds(), options),
      "a < b & c");
}

TEST(SweepPlot, DrawsALinePerSettingOverTheAxisThatVaries) {
  SweepOptions options;
  options.axes.top_k = {1, 2, 4};
  options.axes.selector = {"lenient", "frequency"};
  const std::string svg = plot_of(options);
  EXPECT_EQ(count(svg, "<polyline"), 2u);
  EXPECT_EQ(count(svg, "<circle"), 6u);
  EXPECT_THAT(svg, HasSubstr(">k</text>"));
  EXPECT_THAT(svg, HasSubstr("a &lt; b &amp; c"));
  EXPECT_THAT(svg, HasSubstr("F1 (carb)"));
}

TEST(SweepPlot, WhatTheAxisDoesNotTouchIsALevelLine) {
  SweepOptions options;
  options.axes.tau = {0.5, 0.9};
  options.axes.selector = {"lenient", "frequency"};
  const std::string svg = plot_of(options);
  EXPECT_THAT(svg, HasSubstr(">tau</text>"));
  EXPECT_EQ(count(svg, "stroke-dasharray"), 1u);
}

TEST(SweepPlot, KeepsTheBestOfManyLines) {
  SweepOptions options;
  options.axes.samples = {4, 8};
  options.axes.top_k = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const std::string svg = plot_of(options);
  EXPECT_EQ(count(svg, "<polyline"), 8u);
  EXPECT_THAT(svg, HasSubstr("the best 8 of 10 lines"));
}

TEST(SweepPlot, OnePointOrNoneIsStillAPicture) {
  const std::string svg = plot_of({}, "<label>");
  EXPECT_EQ(count(svg, "<circle"), 1u);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("<label>")));
  EXPECT_THAT(sweep_svg({}, "empty"), HasSubstr("</svg>"));
}

}  // namespace
}  // namespace diffie
