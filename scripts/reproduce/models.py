#!/usr/bin/env python3
"""Our own models at the paper's point and with selection by coverage, and what the pools hold."""
from common import Pools, arguments, percent, shown, table

SETTINGS = [
    ("lenient, `longest`, k 4", []),
    ("lenient, `all-runs`, k 4", ["--rule", "all-runs"]),
    ("coverage, `all-runs`, k 8", ["--rule", "all-runs", "--selector", "coverage", "--top-k", "8"]),
]


def main():
    pools = Pools(arguments(__doc__))
    rows = []
    for name in ("paper", "base", "small"):
        if not pools.find(name):
            continue
        found = [(title, pools.sweep(name, *options)[0]) for title, options in SETTINGS]
        best = [row for row in pools.sweep(name, "--rule", "all-runs", "--oracle") if row["selector"] == "oracle"]
        for title, row in [*found, ("oracle, `all-runs`", best[0])]:
            rows.append([name, pools.seeds(name), title, *(shown(percent(row, measure, value))
                                                           for measure in ("carb", "carb_1_1") for value in ("f1", "auc"))])
    table("Models and selectors", "CaRB dev, all samples of the pools. The oracle chooses by the gold (docs/sweep.md).",
          ["model", "seeds", "selection", "`carb` F1", "AUC", "`carb_1_1` F1", "AUC"], rows)


main()
