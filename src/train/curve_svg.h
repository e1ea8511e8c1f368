#pragma once

#include <string>
#include <vector>

namespace diffie::train {

struct Curve {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<double> x;  // rising
  std::vector<double> y;
};

// A line plot as a stand-alone SVG image, with round numbers at the axes.
std::string curve_svg(const Curve& curve);

// Round numbers that cover [low, high] in about `count` steps.
std::vector<double> axis_ticks(double low, double high, int count);

}  // namespace diffie::train
