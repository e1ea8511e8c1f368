#!/usr/bin/env python3
"""Loss and, where dev was scored, F1 over the steps of a training run.

    scripts/draw/training.py RUN/metrics.csv --out curves.svg
"""
import csv

from style import parser, plt, save


def curve(rows, column, factor):
    return [(int(row["step"]), factor * float(row[column])) for row in rows if row[column]]


def draw(rows, title):
    panels = [("training loss", curve(rows, "loss", 1)), ("dev F1 (CaRB)", curve(rows, "dev_f1", 100))]
    panels = [panel for panel in panels if panel[1]] or panels[:1]
    figure, all_axes = plt.subplots(len(panels), figsize=(7, 3.2 * len(panels)), squeeze=False)
    for number, (axes, (name, points)) in enumerate(zip(all_axes[:, 0], panels)):
        axes.plot([x for x, _ in points], [y for _, y in points], "o-" if len(points) < 40 else "-", color=f"C{number}",
                  gid=f"curve-{number}")
        axes.set(xlabel="step", ylabel=name)
    figure.suptitle(title)
    return figure


def main():
    args = parser(__doc__).parse_args()
    with open(args.input, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    save(draw(rows, args.title or args.input.resolve().parent.name), args.out)


if __name__ == "__main__":
    main()
