#!/usr/bin/env python3
"""How often triples of a confidence are right: dots; how many there are: bars.

    diffie rank train --pools p.jsonl --out ranker.json --json > report.json
    scripts/draw/reliability.py report.json --out reliability.svg
"""
import json

from style import parser, plt, save


def draw(reliability, title):
    figure, axes = plt.subplots(figsize=(5, 5))
    bins = [one for one in reliability["bins"] if one["triples"]]
    most = max((one["triples"] for one in bins), default=1)
    axes.bar([(one["low"] + one["high"]) / 2 for one in bins], [0.25 * one["triples"] / most for one in bins],
             [0.85 * (one["high"] - one["low"]) for one in bins], color="#cfe0f1")
    axes.plot([0, 1], [0, 1], color="#888888", linestyle=(0, (4, 3)), linewidth=1)
    axes.plot([one["confidence"] for one in bins], [one["right"] for one in bins], "o", markersize=7, gid="bins")
    axes.text(0.03, 0.94, f"expected calibration error {reliability['calibration_error']:.3f}")
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="confidence (bars: triples)", ylabel="right", aspect="equal")
    axes.set_title(title)
    return figure


def main():
    args = parser(__doc__).parse_args()
    report = json.loads(args.input.read_text())
    save(draw(report["reliability"], args.title or "Confidence of triples from unseen sentences"), args.out)


if __name__ == "__main__":
    main()
