#include "train/curve_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/xml_text.h"

namespace diffie::train {
namespace {

constexpr double kWidth = 720, kHeight = 360;
constexpr double kLeft = 70, kRight = 20, kTop = 36, kBottom = 50;

struct Axis {
  double low, high, from, to;  // value range and pixel range
  double place(double value) const { return from + (value - low) / (high - low) * (to - from); }
};

Axis make_axis(const std::vector<double>& ticks, double from, double to) {
  return {ticks.front(), ticks.back(), from, to};
}

}  // namespace

std::vector<double> axis_ticks(double low, double high, int count) {
  if (!(high > low)) high = low + (low == 0 ? 1 : std::abs(low) * 0.1);
  const double rough = (high - low) / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double unit = rough / power;
  const double step = power * (unit <= 1 ? 1 : unit <= 2 ? 2 : unit <= 5 ? 5 : 10);
  std::vector<double> ticks;
  const double first = std::floor(low / step);
  const double last = std::ceil(high / step - 1e-9);
  for (double i = first; i <= last; ++i) ticks.push_back(i * step);
  return ticks;
}

std::string curve_svg(const Curve& curve) {
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" "
      "font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
      "<text x=\"{2}\" y=\"22\" text-anchor=\"middle\" font-size=\"15\">{3}</text>\n",
      kWidth, kHeight, kWidth / 2, base::xml_text(curve.title));
  if (curve.x.empty()) return svg + "</svg>\n";
  const auto [y_low, y_high] = std::minmax_element(curve.y.begin(), curve.y.end());
  const std::vector<double> x_ticks = axis_ticks(curve.x.front(), curve.x.back(), 8);
  const std::vector<double> y_ticks = axis_ticks(*y_low, *y_high, 6);
  const Axis x = make_axis(x_ticks, kLeft, kWidth - kRight);
  const Axis y = make_axis(y_ticks, kHeight - kBottom, kTop);
  for (const double tick : y_ticks) {
    svg += fmt::format(
        "<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>"
        "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.6g}</text>\n",
        kLeft, kWidth - kRight, y.place(tick), y.place(tick), kLeft - 6, y.place(tick) + 4, tick);
  }
  for (const double tick : x_ticks) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.6g}</text>\n",
                       x.place(tick), kHeight - kBottom + 18, tick);
  }
  svg += fmt::format(
      "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n"
      "<text x=\"16\" y=\"{}\" text-anchor=\"middle\" transform=\"rotate(-90 16 {})\">{}</text>\n",
      kWidth / 2, kHeight - 10, base::xml_text(curve.x_label), kHeight / 2, kHeight / 2,
      base::xml_text(curve.y_label));
  svg += "<polyline fill=\"none\" stroke=\"#1f77b4\" stroke-width=\"1.5\" points=\"";
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    svg += fmt::format("{}{:.1f},{:.1f}", i ? " " : "", x.place(curve.x[i]), y.place(curve.y[i]));
  }
  return svg + "\"/>\n</svg>\n";
}

}  // namespace diffie::train
