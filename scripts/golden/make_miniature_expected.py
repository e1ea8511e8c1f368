#!/usr/bin/env python3
"""Writes tests/miniature/expected.json: what the Python transcriptions of the measures (bench/score/reference_carb.py,
score_reference.py) give for the predictions beside it.

Usage: scripts/golden/make_miniature_expected.py   (any Python 3, no packages)
"""
import json
import pathlib

import score_reference

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "miniature"
GOLD, PREDICTIONS = "carb/dev/dev.tsv", "predictions.tsv"


def main():
    lines = []
    for measure in ("carb", "carb_1_1", "carb_diffie", "carb_hungarian", "carb_diffie_hungarian", "wire57_c"):
        scores = score_reference.evaluate(measure, FOLDER / GOLD, FOLDER / PREDICTIONS)
        lines.append(json.dumps({"measure": measure, "gold": GOLD, "pred": PREDICTIONS, **scores}))
    (FOLDER / "expected.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
