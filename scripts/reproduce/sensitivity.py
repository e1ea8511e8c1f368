#!/usr/bin/env python3
"""tau, k and n one at a time, with the lenient and the frequency selector."""
from common import Pools, arguments, difference, percent, printed, shown, table, NO_1_1

TAU = {0.5: 43.9, 0.6: 44.8, 0.7: 47.3, 0.8: 51.7, 0.9: 52.3, 0.95: 49.8}
TOP_K = {1: 43.4, 2: 51.8, 4: 52.3, 6: 52.2, 8: 52.2, 10: 52.2}
# n: carb lenient, frequency; (1-1) lenient, frequency
SAMPLES = {
    1: (39.8, 39.8, 40.7, 40.7), 2: (46.2, 45.9, 47.0, 46.8), 4: (48.3, 47.3, 49.7, 49.1), 8: (48.3, 46.6, 50.0, 48.7),
    16: (50.6, 48.1, 51.2, 49.0), 32: (50.6, 48.8, 51.6, 49.6), 64: (51.5, 49.1, 52.1, 50.0),
    128: (51.8, 49.4, 52.5, 50.2), 256: (52.6, 49.3, 53.1, 50.1), 512: (52.3, 49.1, 53.1, 50.2),
    1024: (52.5, 49.1, 52.9, 50.0),
}


def one_axis(pools, option, key, paper):
    found = pools.sweep("paper", option, ",".join(str(value) for value in paper), "--measure", "carb")
    rows = []
    for row in found or ():
        ours = percent(row, "carb", "f1")
        value = next(value for value in paper if abs(value - row[key]) < 1e-9)
        rows.append([f"{value:g}", printed(paper[value]), shown(ours), difference(ours, paper[value])])
    return rows


def samples(pools):
    if not pools.find("paper"):
        return []
    size = pools.size("paper")
    usable = ",".join(str(n) for n in SAMPLES if n <= size)
    found = pools.sweep("paper", "--samples", usable, "--repeats", "3", "--selector", "lenient,frequency")
    by_point = {(row["samples"], row["selector"]): row for row in found}
    rows = []
    for n, (lenient, frequency, lenient_1_1, frequency_1_1) in SAMPLES.items():
        if n > size:
            continue
        cells = [n]
        for selector, paper, paper_1_1 in (("lenient", lenient, lenient_1_1), ("frequency", frequency, frequency_1_1)):
            row = by_point[n, selector]
            ours = percent(row, "carb", "f1")
            cells += [printed(paper), shown(ours), difference(ours, paper), printed(paper_1_1),
                      shown(percent(row, "carb_1_1", "f1"))]
        rows.append(cells)
    return rows


def main():
    pools = Pools(arguments(__doc__))
    seeds = f"`carb` F1 on dev, {pools.seeds('paper')} seeds, n = {pools.size('paper')}, lenient, `longest`"
    header = ["paper", "ours", "difference"]
    table("Threshold tau", f"{seeds}, k = 4.", ["tau", *header], one_axis(pools, "--tau", "tau", TAU))
    table("Budget k", f"{seeds}, tau = 0.9.", ["k", *header], one_axis(pools, "--top-k", "top_k", TOP_K))
    one = ["paper", "ours", "difference", "paper (1-1)", "ours `carb_1_1`"]
    table("Samples n",
          f"F1 on dev, {pools.seeds('paper')} seeds, k = 4, tau = 0.9; n below the pool's size: three random subsets per seed. {NO_1_1}",
          ["n", *("lenient: " + name for name in one), *("frequency: " + name for name in one)], samples(pools))


main()
