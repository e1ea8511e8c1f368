#!/usr/bin/env python3
"""How often a role falls apart in a sample, and what the rule `longest` throws away then."""
import statistics

from common import Pools, arguments, printed, shown, table

# title, what to read, the paper's value
LINES = [
    ("samples with a discontinuous role, %", lambda s: 100 * s["discontinuous"], 28.9),
    ("subject, %", lambda s: 100 * s["discontinuous_by_role"]["subject"], None),
    ("relation, %", lambda s: 100 * s["discontinuous_by_role"]["relation"], 18.6),
    ("object, %", lambda s: 100 * s["discontinuous_by_role"]["object"], 12.2),
    ("words discarded, in such a sample", lambda s: s["discarded_when_discontinuous"], 2.4),
    ("words discarded, per sample", lambda s: s["discarded"], 0.7),
    ("samples without a triple, %", lambda s: 100 * s["no_triple"], None),
    ("distinct tag sequences per sentence", lambda s: s["distinct_per_sentence"], None),
]


def main():
    pools = Pools(arguments(__doc__))
    rows = []
    if pools.find("paper"):
        found = pools.run("paper", "--statistics", gold=False)["statistics"]
        for title, value_of, paper in LINES:
            values = [value_of(entry) for entry in found]
            deviation = statistics.stdev(values) if len(values) > 1 else None
            rows.append([title, printed(paper), shown((statistics.mean(values), deviation))])
    table("Discontinuity", f"All samples of the dev pools, {pools.seeds('paper')} seeds, counted in words (the paper: tokens).",
          ["", "paper", "ours"], rows)


main()
