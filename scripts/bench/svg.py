"""Line charts as SVG, nothing but text. A picture has one panel or several."""
import math
from xml.sax.saxutils import escape

# Okabe and Ito's colours, which most colour-blind people can tell apart.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]


class Series:
    def __init__(self, name, points, dashed=False, marks=True, line=True, labels=None):
        self.name, self.points, self.dashed, self.marks, self.line = name, sorted(points), dashed, marks, line
        self.labels = labels or {}  # point -> text beside it


def ticks(low, high, logarithmic):
    if logarithmic:
        steps = [m * 10.0 ** e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1) for m in (1, 2, 5)]
        return [t for t in steps if low * 0.999 <= t <= high * 1.001]
    span = (high - low) or 1
    step = 10 ** math.floor(math.log10(span / 4))
    step = next(step * m for m in (1, 2, 5, 10) if span / (step * m) <= 6)
    first = math.ceil(low / step - 1e-9)
    return [step * i for i in range(first, math.floor(high / step + 1e-9) + 1)]


class Axis:
    def __init__(self, values, begin, end, logarithmic, from_zero=False):
        self.logarithmic, self.begin, self.end = logarithmic, begin, end
        self.low, self.high = 0 if from_zero else min(values), max(values)
        if logarithmic:
            self.low, self.high = self.low / 1.15, self.high * 1.15
        else:
            margin = 0.05 * (self.high - self.low) or 1
            self.low, self.high = 0 if from_zero else self.low - margin, self.high + margin

    def at(self, value):
        scale = math.log if self.logarithmic else float
        share = (scale(value) - scale(self.low)) / (scale(self.high) - scale(self.low))
        return self.begin + share * (self.end - self.begin)

    def ticks(self):
        return ticks(self.low, self.high, self.logarithmic)


class Picture:
    def __init__(self, width, height, title):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                      f'viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, sans-serif" font-size="12" role="img">',
                      f"<title>{escape(title)}</title>", f'<rect width="{width}" height="{height}" fill="#ffffff"/>']

    def put(self, text):
        self.parts.append(text)

    def words(self, x, y, text, anchor="start", size=12, colour="#222", more=""):
        self.put(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}"{more}>{escape(text)}</text>')

    def stroke(self, x1, y1, x2, y2, colour, width=1.0, dashes=""):
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.put(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"{dashed}/>')

    def text(self):
        return "\n".join([*self.parts, "</svg>", ""])


def panel(picture, box, title, names, series, log=(False, False), from_zero=False, x_ticks=None, x_values=None,
          first_colour=0):
    """Draws into box = (left, top, width, height), the plot's own frame; names of both axes. x_values: what the x axis spans,
    the points' own where not given."""
    left, top, width, height = box
    points = [point for one in series for point in one.points]
    x = Axis(x_values or [p[0] for p in points], left, left + width, log[0])
    y = Axis([p[1] for p in points], top + height, top, log[1], from_zero)
    picture.words(left, top - 12, title, size=14, more=' font-weight="bold"')
    for tick in y.ticks():
        picture.stroke(left, y.at(tick), left + width, y.at(tick), "#e6e6e6")
        picture.words(left - 6, y.at(tick) + 4, f"{tick:g}", "end", 11, "#444")
    for tick in x_ticks or x.ticks():
        picture.stroke(x.at(tick), top + height, x.at(tick), top + height + 4, "#888")
        picture.words(x.at(tick), top + height + 17, f"{tick:g}", "middle", 11, "#444")
    picture.put(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#888"/>')
    picture.words(left + width / 2, top + height + 36, names[0], "middle")
    picture.words(left - 44, top + height / 2, names[1], "middle",
                  more=f' transform="rotate(-90 {left - 44:.1f} {top + height / 2:.1f})"')
    for number, one in enumerate(series, first_colour):
        draw_series(picture, one, COLOURS[number % len(COLOURS)], x, y)


def draw_series(picture, one, colour, x, y):
    if one.line:
        path = " ".join(f"{x.at(a):.1f},{y.at(b):.1f}" for a, b in one.points)
        dashed = ' stroke-dasharray="5 4"' if one.dashed else ""
        picture.put(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"{dashed}/>')
    for point in one.points:
        if one.marks:
            picture.put(f'<circle cx="{x.at(point[0]):.1f}" cy="{y.at(point[1]):.1f}" r="{3 if one.line else 5}" fill="{colour}"/>')
        if point in one.labels:
            place = (7, -7, "start") if one.line else (0, 20, "middle")  # points stand on lines: their names go below
            picture.words(x.at(point[0]) + place[0], y.at(point[1]) + place[1], one.labels[point], place[2], 11, colour)


def legend(picture, x, y, series):
    for number, one in enumerate(series):
        colour = COLOURS[number % len(COLOURS)]
        if one.line:
            picture.stroke(x, y, x + 24, y, colour, 2.5, "5 4" if one.dashed else "")
        else:
            picture.put(f'<circle cx="{x + 12}" cy="{y}" r="5" fill="{colour}"/>')
        picture.words(x + 32, y + 4, one.name)
        y += 22
