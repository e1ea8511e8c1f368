#!/usr/bin/env python3
"""The paper's recipe on CaRB dev: all samples of the pools, k = 4, tau = 0.9, rule longest."""
from common import Pools, arguments, difference, percent, printed, shown, table, NO_1_1

# The paper's tables on MC dropout and on data size.
PAPER = {
    ("carb", "precision"): 61.0, ("carb", "recall"): 45.8, ("carb", "f1"): (52.4, 0.2), ("carb", "auc"): 37.0,
    ("carb_1_1", "precision"): None, ("carb_1_1", "recall"): 48.0, ("carb_1_1", "f1"): (53.1, 0.2),
    ("carb_1_1", "auc"): None,
}


def main():
    pools = Pools(arguments(__doc__))
    found = pools.sweep("paper")
    rows = []
    for (measure, value), paper in PAPER.items() if found else ():
        ours = percent(found[0], measure, value)
        comparable = paper if measure == "carb" else None
        rows.append([f"`{measure}`", value.upper() if value == "auc" else value, printed(paper), shown(ours),
                     difference(ours, comparable)])
    table("Main results on CaRB dev",
          f"2,500 sentences, uniform noise, n = {pools.size('paper')}, k = 4, tau = 0.9, `longest`, {pools.seeds('paper')} seeds "
          f"(mean ± deviation); the paper: n = 512, 10 seeds. {NO_1_1}",
          ["measure", "value", "paper", "ours", "difference"], rows)


main()
