#!/usr/bin/env python3
"""F1 on CaRB dev by the number of training sentences."""
from common import Pools, arguments, difference, percent, printed, shown, table, NO_1_1

# pool, sentences, CaRB F1, CaRB (1-1) F1 of the paper
PAPER = [
    ("size-50", "50", (14.4, 0.2), (16.1, 0.3)),
    ("size-250", "250", (39.0, 0.1), (38.9, 0.2)),
    ("size-1250", "1,250", (52.6, 0.2), (51.3, 0.2)),
    ("paper", "2,500", (52.4, 0.2), (53.1, 0.2)),
    ("size-full", "4,901", (52.5, 0.1), (51.4, 0.2)),
]


def main():
    pools = Pools(arguments(__doc__))
    rows = []
    for name, sentences, paper, paper_1_1 in PAPER:
        found = pools.sweep(name)
        if not found:
            continue
        ours = percent(found[0], "carb", "f1")
        rows.append([sentences, pools.seeds(name), pools.size(name), printed(paper), shown(ours), difference(ours, paper),
                     printed(paper_1_1), shown(percent(found[0], "carb_1_1", "f1"))])
    table("Training data", f"F1 on CaRB dev, k = 4, tau = 0.9, `longest`; the paper: n = 512. {NO_1_1}",
          ["sentences", "seeds", "n", "paper `carb`", "ours `carb`", "difference", "paper (1-1)", "ours `carb_1_1`"], rows)


main()
