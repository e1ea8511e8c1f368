#!/usr/bin/env python3
"""Uniform against absorbing noise: every mdlm-* configuration, the best one compared."""
from common import Pools, arguments, difference, percent, printed, shown, table, NO_1_1

UNIFORM = ((52.4, 0.2), (53.1, 0.2))
MDLM = ((50.2, 0.2), (49.7, 0.2))


def row_of(pools, name, shown_name, found, paper):
    ours = percent(found[0], "carb", "f1")
    return [shown_name, pools.seeds(name), pools.size(name), printed(paper and paper[0]), shown(ours),
            difference(ours, paper and paper[0]), printed(paper and paper[1]),
            shown(percent(found[0], "carb_1_1", "f1"))]


def main():
    pools = Pools(arguments(__doc__))
    rows = []
    uniform = pools.sweep("paper")
    if uniform:
        rows.append(row_of(pools, "paper", "uniform", uniform, UNIFORM))
    absorbing = {name: pools.sweep(name) for name in pools.starting_with("mdlm-")}
    ranked = sorted(absorbing, key=lambda name: -absorbing[name][0]["scores"]["carb"]["f1"]["mean"])
    for place, name in enumerate(ranked):
        best = place == 0
        rows.append(row_of(pools, name, f"{name} (best)" if best else name, absorbing[name], MDLM if best else None))
    table("Uniform against absorbing noise",
          f"F1 on CaRB dev, 2,500 sentences, k = 4, tau = 0.9, `longest`; the paper: n = 512, the best of its sweep. {NO_1_1}",
          ["noise", "seeds", "n", "paper `carb`", "ours `carb`", "difference", "paper (1-1)", "ours `carb_1_1`"], rows)


main()
