#!/usr/bin/env python3
"""The control without diffusion: a tagger with MC dropout, its best (k, tau) on CaRB dev."""
from common import Pools, arguments, difference, percent, printed, shown, table

VALUES = ["f1", "precision", "recall", "auc"]
PAPER = {"tagger": [37.5, 68.9, 25.8, 21.3], "paper": [52.3, 61.0, 45.8, 37.0]}
GRID = ["--tau", "0.5,0.6,0.7,0.8,0.9,0.95", "--top-k", "1,2,4,6,8,10", "--measure", "carb"]


def main():
    pools = Pools(arguments(__doc__))
    rows = []
    for name, title, options in (("tagger", "MC-dropout tagger", GRID), ("paper", "diffusion", ["--measure", "carb"])):
        found = pools.sweep(name, *options)
        if not found:
            continue
        best = max(found, key=lambda row: row["scores"]["carb"]["f1"]["mean"])
        for value, paper in zip(VALUES, PAPER[name]):
            ours = percent(best, "carb", value)
            rows.append([f"{title} (k {best['top_k']}, tau {best['tau']:g})", pools.seeds(name), pools.size(name), value, printed(paper),
                         shown(ours), difference(ours, paper)])
        if name == "tagger":
            largest = max(percent(row, "carb", "recall")[0] for row in found)
            rows.append([title, pools.seeds(name), pools.size(name), "largest recall of the grid", 27.3, f"{largest:.1f}",
                         f"{largest - 27.3:+.1f}"])
    table("Is diffusion necessary?",
          "`carb` on dev; the tagger at its best of k in 1..10 and tau in 0.5..0.95, diffusion at k = 4, tau = 0.9; rule `longest`.",
          ["system", "seeds", "n", "value", "paper", "ours", "difference"], rows)


main()
