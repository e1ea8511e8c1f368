// The precision-recall picture as SVG, nothing but text.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "diffie/lab/score_report.h"
#include "base/xml_text.h"

namespace diffie {
namespace {

constexpr double kWidth = 760;
constexpr double kHeight = 560;
constexpr double kLeft = 64;
constexpr double kTop = 52;
constexpr double kPlotWidth = 440;
constexpr double kPlotHeight = 440;
constexpr double kLegendLeft = kLeft + kPlotWidth + 40;

// Okabe and Ito's colours, which most colour-blind people can tell apart.
constexpr std::array<const char*, 8> kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                 "#E69F00", "#56B4E9", "#000000", "#8C6D31"};

class Picture {
 public:
  Picture(double max_recall, std::size_t num_systems)
      : max_recall_(max_recall),
        legend_step_(std::min(42.0, kPlotHeight / static_cast<double>(num_systems + 1))) {}

  double x(double recall) const { return kLeft + recall / max_recall_ * kPlotWidth; }
  static double y(double precision) { return kTop + (1 - precision) * kPlotHeight; }

  void frame(const std::string& title);
  void grid();
  void equal_f1_lines();
  void system(const Score& score, std::size_t number);
  std::string take() { return std::move(svg_ += "</svg>\n"); }

 private:
  template <typename... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Args>(args)...);
    svg_ += '\n';
  }
  void curve(const Score& score, const char* colour);

  double max_recall_;
  double legend_step_;  // pixels per system
  std::string svg_;
};

void Picture::frame(const std::string& title) {
  put(R"x(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" )x"
      R"x(font-family="Helvetica, Arial, sans-serif" font-size="12" role="img">)x",
      kWidth, kHeight);
  put("<title>{}</title>", base::xml_text(title));
  put(R"x(<rect width="{}" height="{}" fill="#ffffff"/>)x", kWidth, kHeight);
  put(R"x(<text x="{}" y="30" font-size="17" font-weight="bold" fill="#222">{}</text>)x", kLeft,
      base::xml_text(title));
  put(R"x(<clipPath id="plot"><rect x="{}" y="{}" width="{}" height="{}"/></clipPath>)x", kLeft,
      kTop, kPlotWidth, kPlotHeight);
}

void Picture::grid() {
  for (int tenth = 0; tenth <= 10; tenth += 2) {
    const double at = y(tenth / 10.0);
    put(R"x(<line x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}" stroke="#e6e6e6"/>)x", kLeft,
        kLeft + kPlotWidth, at, at);
    put(R"x(<text x="{}" y="{:.1f}" text-anchor="end" fill="#444">{:.1f}</text>)x", kLeft - 8,
        at + 4, tenth / 10.0);
  }
  const int last = static_cast<int>(std::lround(max_recall_ * 10));
  for (int tenth = 0; tenth <= last; tenth += last > 6 ? 2 : 1) {
    const double at = x(tenth / 10.0);
    put(R"x(<line x1="{0:.1f}" x2="{0:.1f}" y1="{1}" y2="{2}" stroke="#e6e6e6"/>)x", at, kTop,
        kTop + kPlotHeight);
    put(R"x(<text x="{:.1f}" y="{}" text-anchor="middle" fill="#444">{:.1f}</text>)x", at,
        kTop + kPlotHeight + 18, tenth / 10.0);
  }
  put(R"x(<rect x="{}" y="{}" width="{}" height="{}" fill="none" stroke="#888"/>)x", kLeft, kTop,
      kPlotWidth, kPlotHeight);
  put(R"x(<text x="{}" y="{}" text-anchor="middle" fill="#222" font-size="13">recall</text>)x",
      kLeft + kPlotWidth / 2, kTop + kPlotHeight + 40);
  put(R"x(<text x="20" y="{0}" text-anchor="middle" fill="#222" font-size="13" )x"
      R"x(transform="rotate(-90 20 {0})">precision</text>)x",
      kTop + kPlotHeight / 2);
}

// P = F R / (2 R - F), from P = 1 (R = F / (2 - F)) to the right edge.
void Picture::equal_f1_lines() {
  for (int tenth = 1; tenth <= 9; ++tenth) {
    const double f1 = tenth / 10.0;
    const double start = f1 / (2 - f1);
    if (start >= max_recall_) break;
    std::string points;
    double precision = 1;
    for (int i = 0; i <= 60; ++i) {
      const double recall = start + (max_recall_ - start) * i / 60;
      precision = f1 * recall / (2 * recall - f1);
      points += fmt::format("{:.1f},{:.1f} ", x(recall), y(precision));
    }
    put(R"x(<polyline points="{}" fill="none" stroke="#c9c9c9" stroke-dasharray="3 4" )x"
        R"x(clip-path="url(#plot)"/>)x",
        points);
    put(R"x(<text x="{:.1f}" y="{:.1f}" font-size="10" fill="#8a8a8a">F1 {:.1f}</text>)x",
        kLeft + kPlotWidth + 4, y(precision) + 3, f1);
  }
}

// The line of the curve; points less than a tenth of a pixel apart are one.
void Picture::curve(const Score& score, const char* colour) {
  std::string points;
  std::string previous;
  for (const CurvePoint& point : score.curve) {
    std::string next = fmt::format("{:.1f},{:.1f} ", x(point.recall), y(point.precision));
    if (next != previous) points += next;
    previous = std::move(next);
  }
  points += fmt::format("{:.1f},{:.1f}", x(0), y(1));
  put(R"x(<polyline points="{}" fill="none" stroke="{}" stroke-width="1.8" )x"
      R"x(stroke-linejoin="round" clip-path="url(#plot)"/>)x",
      points, colour);
}

void Picture::system(const Score& score, std::size_t number) {
  const char* colour = kColours[number % kColours.size()];
  // Once the colours are used up the marks become squares, so that no two systems look alike.
  const bool square = number / kColours.size() % 2 == 1;
  const double top = kTop + 8 + static_cast<double>(number) * legend_step_;
  if (!score.curve.empty()) curve(score, colour);
  const auto mark = [&](double at_x, double at_y) {
    put(R"x(<rect x="{:.1f}" y="{:.1f}" width="10" height="10" rx="{}" fill="{}" stroke="#fff" )x"
        R"x(stroke-width="1.5"/>)x",
        at_x - 5, at_y - 5, square ? 1 : 5, colour);
  };
  mark(x(score.recall), y(score.precision));
  put(R"x(<line x1="{0}" x2="{1}" y1="{2:.1f}" y2="{2:.1f}" stroke="{3}" stroke-width="2"/>)x",
      kLegendLeft, kLegendLeft + 24, top, colour);
  mark(kLegendLeft + 12, top);
  const std::string area = score.auc ? fmt::format(", AUC {:.1f}", *score.auc * 100) : "";
  const bool roomy = legend_step_ > 30;  // for two lines
  put(R"x(<text x="{}" y="{:.1f}" font-weight="bold" fill="#222">{}</text>)x", kLegendLeft + 32,
      top + 4, base::xml_text(base::shortened(score.system, roomy ? 22 : 14)));
  put(R"x(<text x="{}" y="{:.1f}" fill="#555">F1 {:.1f}{}</text>)x",
      kLegendLeft + (roomy ? 32 : 140), top + (roomy ? 20 : 4), score.f1 * 100, roomy ? area : "");
}

}  // namespace

std::string precision_recall_svg(std::span<const Score> scores, const std::string& title) {
  double max_recall = 0.3;
  for (const Score& score : scores) {
    max_recall = std::max(max_recall, score.recall);
    for (const CurvePoint& point : score.curve) max_recall = std::max(max_recall, point.recall);
  }
  Picture picture(std::min(1.0, std::ceil(max_recall * 10 + 0.2) / 10), scores.size());
  picture.frame(title);
  picture.equal_f1_lines();
  picture.grid();
  for (std::size_t i = 0; i < scores.size(); ++i) picture.system(scores[i], i);
  return picture.take();
}

}  // namespace diffie
