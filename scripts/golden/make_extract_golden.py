#!/usr/bin/env python3
"""Writes tests/extract/golden.json: random pools and what the selectors must make of them.

The definitions are written out once more here, slowly and in exact fractions, so that the C++ code
is compared with something that shares none of its short cuts. Needs Python 3.9 and nothing else:

    python3 scripts/golden/make_extract_golden.py > tests/extract/golden.json
"""
import json
import random
from collections import Counter
from fractions import Fraction

VOCABULARY = "the a of dog cat bit saw man and park in".split()
MAX_COVERAGE_CANDIDATES = 160
MIN_GAIN = Fraction(1, 10_000)


def runs(roles, role):
    """Word indices of every maximal run of `role`."""
    found, run = [], []
    for index, other in enumerate(roles + "."):
        if other == role:
            run.append(index)
        elif run:
            found.append(run)
            run = []
    return found


def construct(roles, rule):
    triple = []
    for role in "SRO":
        found = runs(roles, role)
        if not found:
            return None
        if rule == "all-runs" or (rule == "relation-runs" and role == "R"):
            triple.append(tuple(index for run in found for index in run))
        else:
            longest = max(len(run) for run in found)
            triple.append(tuple(next(run for run in found if len(run) == longest)))
    return tuple(triple)


def candidates_of(rows, rule):
    """(triple, count) by falling count, then by triple."""
    count = Counter()
    for roles, c in rows:
        triple = construct(roles, rule)
        if triple:
            count[triple] += c
    return sorted(count.items(), key=lambda item: (-item[1], item[0]))


def overlap(a, b, words, role):
    return sum((Counter(words[i] for i in a[role]) & Counter(words[i] for i in b[role])).values())


def lenient_f1(a, b, words):
    size = sum(map(len, a)) + sum(map(len, b))
    return Fraction(2 * sum(overlap(a, b, words, role) for role in range(3)), size)


def frequency(words, candidates, n, k):
    return [(triple, Fraction(count, n)) for triple, count in candidates[:k]]


def lenient(words, candidates, n, k, tau):
    tau, left, clusters = Fraction(tau), list(range(len(candidates))), []
    while left:  # grow one component at a time
        cluster, frontier = [], [left.pop(0)]
        while frontier:
            i = frontier.pop()
            cluster.append(i)
            near = [j for j in left if lenient_f1(candidates[i][0], candidates[j][0], words) >= tau]
            left = [j for j in left if j not in near]
            frontier += near
        clusters.append(cluster)
    ranked = [(candidates[min(c)][0], Fraction(sum(candidates[i][1] for i in c), n), min(c)) for c in clusters]
    ranked.sort(key=lambda item: (-item[1], item[2]))
    return [(triple, mass) for triple, mass, _ in ranked[:k]]


def coverage(words, candidates, n, k, power, wording):
    candidates = candidates[:MAX_COVERAGE_CANDIDATES]
    wording, size = Fraction(wording), len(candidates)
    f = [[Fraction(int(i == j)) for j in range(size)] for i in range(size)]
    for i, (a, _) in enumerate(candidates):
        for j, (b, _) in enumerate(candidates):
            if overlap(a, b, words, 1):
                f[i][j] = lenient_f1(a, b, words)
    covered, shown, ranked = [Fraction(0)] * size, set(), []
    while len(ranked) < k:
        gains = [sum(Fraction(c, n) * max(f[i][j] ** power - covered[j], 0) for j, (_, c) in enumerate(candidates))
                 for i in range(size)]
        best = max(range(size), key=lambda i: (gains[i], -i), default=None)
        if best is None or gains[best] <= MIN_GAIN:
            break
        covered = [max(covered[j], f[best][j] ** power) for j in range(size)]
        show = best
        if wording > 0:
            near = [j for j in range(size) if f[best][j] >= wording and j not in shown]
            if not near:
                continue
            show = near[0]  # the most frequent: candidates are sorted
        shown.add(show)
        ranked.append((candidates[show][0], gains[best]))
    return ranked


def random_rows(rng, length, facts, samples):
    """Samples around a few taggings, most of them slightly off, as a real pool is."""
    bases = ["".join(rng.choice("BSRO") for _ in range(length)) for _ in range(facts)]
    rows = Counter()
    for _ in range(samples):
        roles = list(rng.choice(bases))
        for _ in range(rng.choice([0, 0, 0, 1, 1, 2, 4])):
            roles[rng.randrange(length)] = rng.choice("BBSRO")
        rows["".join(roles)] += 1
    return sorted(rows.items())


def plain(ranked):
    return [{"words": triple, "confidence": float(confidence)} for triple, confidence in ranked]


def main():
    rng, cases = random.Random(20), []
    for index in range(36):
        length = rng.choice([3, 5, 8, 12, 20, 70])
        words = [rng.choice(VOCABULARY) for _ in range(length)]
        samples = rng.choice([1, 8, 40, 90, 150])
        facts = rng.choice([1, 2, 4])
        if index == 35:  # more candidates than coverage looks at
            length, words, samples, facts = 12, words[:1] * 4 + VOCABULARY[:8], 900, 30
        rows = random_rows(rng, length, facts, samples)
        rule = ["longest", "relation-runs", "all-runs"][index % 3]
        candidates = candidates_of(rows, rule)
        k = rng.choice([1, 4, 8])
        expected = {"frequency": plain(frequency(words, candidates, samples, k))}
        for tau in ["0.5", "0.55", "0.8", "0.9", "1"]:
            expected[f"lenient {tau}"] = plain(lenient(words, candidates, samples, k, tau))
        for power, wording in [(1, "0"), (2, "0"), (2, "0.8"), (4, "0.5")]:
            expected[f"coverage {power} {wording}"] = plain(coverage(words, candidates, samples, k, power, wording))
        cases.append({"words": words, "rule": rule, "top_k": k, "rows": rows, "expected": expected,
                      "candidates": len(candidates)})
    print("[\n" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) + "\n]")


if __name__ == "__main__":
    main()
