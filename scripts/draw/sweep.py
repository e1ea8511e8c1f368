#!/usr/bin/env python3
"""F1 over one axis of a sweep: the first of n, k, tau, min_confidence, power, wording that has several values. One line per label
and setting of the rest, the best of them where there are too many; whiskers are deviations. A dashed line does not depend on the axis.

    diffie sweep --pool dev.jsonl --gold dev.tsv --top-k 1,2,4 --out table.tsv
    scripts/draw/sweep.py table.tsv --out curve.svg
"""
import csv

from style import parser, plt, save

AXES = ["n", "k", "tau", "min_confidence", "power", "wording"]
MOST_LINES = 8


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    averaged = {row["label"] for row in rows if row["pool"] == "(mean)"}
    return [row for row in rows if row["pool"] == "(mean)" or row["label"] not in averaged]


def varies(rows, column):
    """Rows without a value on an axis do not count."""
    return len({row[column] for row in rows if row[column] or column not in AXES}) > 1


def line_name(row, columns):
    parts = [f"{column.replace('_', ' ')} {row[column]}" if column in AXES else row[column] for column in columns if row[column]]
    return ", ".join(parts) or row["label"]


def make_lines(rows, axis, score):
    """Name -> [(x or None, F1, deviation)] by rising x."""
    columns = [column for column in ("label", "selector", "rule", *AXES) if column != axis and varies(rows, column)]
    lines = {}
    for row in rows:
        point = (float(row[axis]) if row[axis] else None, float(row[score]), float(row[score + "_sd"] or 0))
        lines.setdefault(line_name(row, columns), []).append(point)
    return {name: sorted(points, key=lambda point: (point[0] is not None, point[0])) for name, points in lines.items()}


def draw_line(axes, number, name, points):
    if points[0][0] is None:
        axes.axhline(points[0][1], linestyle="--", color=f"C{number}", label=name, gid=f"level-{number}")
        return
    x, f1, deviations = zip(*points)
    axes.plot(x, f1, "o-", color=f"C{number}", label=name, gid=f"line-{number}")
    axes.errorbar(x, f1, deviations, fmt="none", ecolor=f"C{number}", capsize=3)


def draw(rows, title):
    figure, axes = plt.subplots(figsize=(9, 4.8))
    if not rows:
        return figure
    score = next(column for column in rows[0] if column.endswith("_F1"))
    axis = next((column for column in AXES if varies(rows, column)), AXES[0])
    lines = make_lines(rows, axis, score)
    best = sorted(lines, key=lambda name: -max(point[1] for point in lines[name]))[:MOST_LINES]
    for number, name in enumerate(name for name in lines if name in best):
        draw_line(axes, number, name, lines[name])
    if axis in ("n", "k"):
        axes.set_xscale("log", base=2)
    xs = sorted({point[0] for points in lines.values() for point in points if point[0] is not None})
    axes.set_xticks(xs, [f"{x:g}" for x in xs], minor=False)
    axes.minorticks_off()
    axes.set(xlabel=axis.replace("_", " "), ylabel=f"F1 ({score[:-3]})")
    left_out = f" (the best {MOST_LINES} of {len(lines)} lines)" if len(lines) > MOST_LINES else ""
    axes.set_title(title + left_out, loc="left", fontweight="bold")
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1))
    return figure


def main():
    args = parser(__doc__).parse_args()
    rows = read(args.input)
    labels = sorted({row["label"] for row in rows})
    save(draw(rows, args.title or ("Sweep of " + labels[0] if len(labels) == 1 else "Sweep")), args.out)


if __name__ == "__main__":
    main()
