// F1 over one axis of a sweep as SVG, nothing but text.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "diffie/lab/sweep.h"
#include "base/xml_text.h"

namespace diffie {
namespace {

constexpr double kWidth = 900, kHeight = 480;
constexpr double kLeft = 64, kTop = 52, kPlotWidth = 500, kPlotHeight = 360;
constexpr double kRight = kLeft + kPlotWidth, kBottom = kTop + kPlotHeight;
constexpr std::size_t kMaxLines = 8;

// Okabe and Ito's colours, which most colour-blind people can tell apart.
constexpr std::array<const char*, kMaxLines> kColours = {
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6D31"};

struct Axis {
  const char* name;
  std::optional<double> (*value)(const SweepPoint& point);
};

constexpr std::array<Axis, 6> kAxes = {{
    {"n", [](const SweepPoint& point) { return std::optional<double>(point.samples); }},
    {"k", [](const SweepPoint& point) { return std::optional<double>(point.top_k); }},
    {"tau", [](const SweepPoint& point) { return point.tau; }},
    {"min confidence", [](const SweepPoint& point) { return point.min_confidence; }},
    {"power", [](const SweepPoint& point) { return point.power; }},
    {"wording", [](const SweepPoint& point) { return point.wording; }},
}};

using Rows = std::vector<const SweepRow*>;

// Means where a label has them, else the pools themselves.
Rows rows_to_draw(const SweepTable& table) {
  std::set<std::string> averaged;
  for (const SweepRow& row : table.rows) {
    if (row.pool.empty()) averaged.insert(row.label);
  }
  Rows rows;
  for (const SweepRow& row : table.rows) {
    if (row.pool.empty() || !averaged.contains(row.label)) rows.push_back(&row);
  }
  return rows;
}

template <typename Value>
bool varies(const Rows& rows, Value value_of) {
  return std::any_of(rows.begin(), rows.end(), [&](const SweepRow* row) {
    return value_of(*row) != value_of(*rows.front());
  });
}

// Rows without a value on the axis do not count.
bool varies(const Rows& rows, const Axis& axis) {
  std::set<double> values;
  for (const SweepRow* row : rows) {
    if (const auto value = axis.value(row->point)) values.insert(*value);
  }
  return values.size() > 1;
}

// The first axis that varies; n where none does.
const Axis& choose_axis(const Rows& rows) {
  for (const Axis& axis : kAxes) {
    if (varies(rows, axis)) return axis;
  }
  return kAxes.front();
}

// Names what differs between the lines, the axis drawn aside.
class LineNames {
 public:
  LineNames(const Rows& rows, const Axis& axis) {
    labels_ = varies(rows, [](const SweepRow& row) { return row.label; });
    selectors_ = varies(rows, [](const SweepRow& row) { return row.point.selector; });
    rules_ = varies(rows, [](const SweepRow& row) { return row.point.rule; });
    for (const Axis& other : kAxes) {
      if (&other != &axis && varies(rows, other)) axes_.push_back(&other);
    }
  }

  std::string of(const SweepRow& row) const {
    std::string name;
    const auto add = [&](const std::string& part) {
      name += fmt::format("{}{}", name.empty() ? "" : ", ", part);
    };
    if (labels_) add(row.label);
    if (selectors_) add(row.point.selector);
    if (rules_) add(row.point.rule);
    for (const Axis* axis : axes_) {
      if (const auto value = axis->value(row.point))
        add(fmt::format("{} {:g}", axis->name, *value));
    }
    return name.empty() ? row.label : name;
  }

 private:
  bool labels_ = false;
  bool selectors_ = false;
  bool rules_ = false;
  std::vector<const Axis*> axes_;
};

struct Point {
  std::optional<double> x;  // none: the same all along the axis
  Spread f1;                // in per cent
};

struct Line {
  std::string name;
  std::vector<Point> points;  // by rising x

  double best() const {
    double value = 0;
    for (const Point& point : points) value = std::max(value, point.f1.mean);
    return value;
  }
};

std::vector<Line> make_lines(const Rows& rows, const Axis& axis) {
  const LineNames names(rows, axis);
  std::vector<Line> lines;
  std::map<std::string, std::size_t> place;
  for (const SweepRow* row : rows) {
    const auto [found, is_new] = place.emplace(names.of(*row), lines.size());
    if (is_new) lines.push_back({found->first, {}});
    Spread f1 = row->scores.front().f1;
    f1.mean *= 100;
    if (f1.deviation) *f1.deviation *= 100;
    lines[found->second].points.push_back({axis.value(row->point), f1});
  }
  for (Line& line : lines) {
    std::stable_sort(line.points.begin(), line.points.end(),
                     [](const Point& a, const Point& b) { return a.x < b.x; });
  }
  return lines;
}

class Picture {
 public:
  Picture(const std::vector<Line>& lines, bool logarithmic) : logarithmic_(logarithmic) {
    low_ = 100;
    for (const Line& line : lines) {
      for (const Point& point : line.points) {
        if (point.x) xs_.insert(*point.x);
        const double deviation = point.f1.deviation.value_or(0);
        low_ = std::min(low_, point.f1.mean - deviation);
        high_ = std::max(high_, point.f1.mean + deviation);
      }
    }
    const double step = high_ - low_ > 20 ? 5 : high_ - low_ > 6 ? 2 : 1;
    low_ = std::floor(std::min(low_, high_) / step) * step;
    high_ = std::max(std::ceil(high_ / step) * step, low_ + step);
    step_ = step;
  }

  void frame(const std::string& title, const std::string& x_name, const std::string& y_name);
  void line(const Line& line, std::size_t number);
  std::string take() { return std::move(svg_ += "</svg>\n"); }

 private:
  template <typename... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Args>(args)...);
    svg_ += '\n';
  }

  double x(double value) const {
    const auto place = [&](double v) { return logarithmic_ ? std::log2(v) : v; };
    const double from = place(*xs_.begin());
    const double to = place(*xs_.rbegin());
    return kLeft + 24 + (to > from ? (place(value) - from) / (to - from) : 0.5) * (kPlotWidth - 48);
  }
  double y(double f1) const { return kBottom - (f1 - low_) / (high_ - low_) * kPlotHeight; }

  bool logarithmic_;
  std::set<double> xs_;
  double low_ = 0;
  double high_ = 0;
  double step_ = 1;
  std::string svg_;
};

void Picture::frame(const std::string& title, const std::string& x_name,
                    const std::string& y_name) {
  put(R"x(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" )x"
      R"x(font-family="Helvetica, Arial, sans-serif" font-size="12" role="img">)x",
      kWidth, kHeight);
  put("<title>{}</title>", base::xml_text(title));
  put(R"x(<rect width="{}" height="{}" fill="#ffffff"/>)x", kWidth, kHeight);
  put(R"x(<text x="{}" y="30" font-size="17" font-weight="bold" fill="#222">{}</text>)x", kLeft,
      base::xml_text(title));
  for (double tick = low_; tick <= high_ + 1e-9; tick += step_) {
    put(R"x(<line x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}" stroke="#e6e6e6"/>)x", kLeft, kRight,
        y(tick), y(tick));
    put(R"x(<text x="{}" y="{:.1f}" text-anchor="end" fill="#444">{:g}</text>)x", kLeft - 8,
        y(tick) + 4, tick);
  }
  for (const double value : xs_) {
    put(R"x(<text x="{:.1f}" y="{}" text-anchor="middle" fill="#444">{:g}</text>)x", x(value),
        kBottom + 18, value);
  }
  put(R"x(<rect x="{}" y="{}" width="{}" height="{}" fill="none" stroke="#888"/>)x", kLeft, kTop,
      kPlotWidth, kPlotHeight);
  put(R"x(<text x="{}" y="{}" text-anchor="middle" fill="#222" font-size="13">{}</text>)x",
      kLeft + kPlotWidth / 2, kBottom + 42, base::xml_text(x_name));
  put(R"x(<text x="18" y="{0}" text-anchor="middle" fill="#222" font-size="13" )x"
      R"x(transform="rotate(-90 18 {0})">{1}</text>)x",
      kTop + kPlotHeight / 2, base::xml_text(y_name));
}

void Picture::line(const Line& line, std::size_t number) {
  const char* colour = kColours[number % kColours.size()];
  std::string points;
  for (const Point& point : line.points) {
    const double at_y = y(point.f1.mean);
    if (!point.x) {
      put(R"x(<line x1="{0}" x2="{1}" y1="{2:.1f}" y2="{2:.1f}" stroke="{3}" )x"
          R"x(stroke-dasharray="6 4"/>)x",
          kLeft, kRight, at_y, colour);
      continue;
    }
    const double at_x = x(*point.x);
    points += fmt::format("{:.1f},{:.1f} ", at_x, at_y);
    put(R"x(<circle cx="{:.1f}" cy="{:.1f}" r="3.5" fill="{}"/>)x", at_x, at_y, colour);
    if (!point.f1.deviation) continue;
    put(R"x(<line x1="{0:.1f}" x2="{0:.1f}" y1="{1:.1f}" y2="{2:.1f}" stroke="{3}"/>)x", at_x,
        y(point.f1.mean - *point.f1.deviation), y(point.f1.mean + *point.f1.deviation), colour);
  }
  put(R"x(<polyline points="{}" fill="none" stroke="{}" stroke-width="1.8"/>)x", points, colour);
  const double top = kTop + 8 + static_cast<double>(number) * 40;
  put(R"x(<line x1="{0}" x2="{1}" y1="{2}" y2="{2}" stroke="{3}" stroke-width="3"/>)x", kRight + 24,
      kRight + 48, top, colour);
  put(R"x(<text x="{}" y="{}" fill="#222">{}</text>)x", kRight + 56, top + 4,
      base::xml_text(base::shortened(line.name, 40)));
  put(R"x(<text x="{}" y="{}" fill="#555">best {:.1f}</text>)x", kRight + 56, top + 19,
      line.best());
}

}  // namespace

std::string sweep_svg(const SweepTable& table, const std::string& title) {
  const Rows rows = rows_to_draw(table);
  std::vector<Line> lines;
  const Axis* axis = &kAxes.front();
  if (!rows.empty()) {
    axis = &choose_axis(rows);
    lines = make_lines(rows, *axis);
  }
  std::string x_name = axis->name;
  if (lines.size() > kMaxLines) {
    x_name += fmt::format(" (the best {} of {} lines)", kMaxLines, lines.size());
    std::stable_sort(lines.begin(), lines.end(),
                     [](const Line& a, const Line& b) { return a.best() > b.best(); });
    lines.resize(kMaxLines);
  }
  Picture picture(lines, axis == &kAxes.front());
  const char* measure = table.measures.empty() ? "" : to_string(table.measures.front());
  picture.frame(title, x_name, fmt::format("F1 ({})", measure));
  for (std::size_t i = 0; i < lines.size(); ++i) picture.line(lines[i], i);
  return picture.take();
}

}  // namespace diffie
