#!/usr/bin/env python3
"""Writes tests/diffusion/anchored_golden.json: invented sentences and what anchored decoding must make of them.

The decoder is written out once more here, one sentence and one question at a time (docs/diffusion.md describes it).
What answers the questions is no network but a list of facts with weights, blurred by a hash: the same numbers in C++.
Needs Python 3.9 and nothing else:

    python3 scripts/golden/make_anchored_golden.py > tests/diffusion/anchored_golden.json

With --reference DIR (numpy needed) the results are compared with decode3 of DIR/anchor3.py as well, but for sentences
with several implied words, of which only we let a relation have one at most.
"""
import argparse
import json
import math
import random
import struct
import sys
import types
from collections import Counter

B, S, R, O, MASK = range(5)
SURE, LEAST, LOW, HIGH, MAX_ANCHORS = 0.9, 0.12, 0.2, 0.8, 8
SUBJECT_SETS, OBJECT_SETS, RELATION_SETS = 2, 6, 6


# ---- What answers


def mix(value, more):
    value = (value ^ more) * 0x9E3779B97F4A7C15 % 2**64
    return value ^ (value >> 29)


def logits_of(case, stage, states):
    """[pieces][4], as 32-bit floats: a fact counts less with every told piece that it does not have."""
    row = mix(case["seed"], stage)
    for state in states:
        row = mix(row, state)
    sums = [[0] * 4 for _ in states]
    for weight, tags in case["facts"]:
        wrong = sum(state not in (MASK, int(tag)) for state, tag in zip(states, tags))
        weight *= 4096 >> 4 * wrong if wrong < 4 else 0
        for piece, tag in enumerate(tags):
            sums[piece][int(tag)] += weight
    return [[as_float(math.log(1 + n + mix(mix(row, piece), tag) % case["blur"]))
             for tag, n in enumerate(of_piece)]
            for piece, of_piece in enumerate(sums)]


def as_float(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def softmax(values):
    exps = [math.exp(value - max(values)) for value in values]
    return [value / sum(exps) for value in exps]


class Asker:
    def __init__(self, case):
        self.case, self.rows = case, 0
        ends = [sum(case["pieces"][:word + 1]) for word in range(len(case["pieces"]))]
        self.spans = [range(end - count, end) for end, count in zip(ends, case["pieces"])]

    def __call__(self, stage, role, told=(), hints=()):
        """How likely each word has the role. told: (role, words); hints: (role, word), of which one piece is told."""
        self.rows += 1
        states = [MASK] * sum(self.case["pieces"])
        for told_role, words in told:
            for word in words:
                for piece in self.spans[word]:
                    states[piece] = told_role
        for told_role, word in hints:
            states[self.spans[word][0]] = told_role
        p = [softmax(values) for values in logits_of(self.case, stage, states)]
        words = [min(p[piece][role] for piece in span) for span in self.spans]
        if role != R:
            words = [0 if self.implied(word) else value for word, value in enumerate(words)]
        return words

    def implied(self, word):
        return word >= len(self.spans) - self.case["implied"]


# ---- The decoder


def top(values):
    return max(range(len(values)), key=lambda word: (values[word], -word))


def nested(values, sure, count):
    """[(words, probability)], the likeliest first: the k likeliest words are in with v_k - v_{k+1}."""
    values = [1 if word in sure else value for word, value in enumerate(values)]
    order = sorted(range(len(values)), key=lambda word: -values[word])
    found = []
    for k in range(len(sure), len(order) + 1):
        if values[order[k - 1]] <= LEAST:
            break
        after = values[order[k]] if k < len(order) else 0
        found.append((frozenset(order[:k]), values[order[k - 1]] - after))
    return sorted(found, key=lambda item: -item[1])[:count]


def rest_of(values, anchor, mass, given):
    return [0 if word == anchor else max(value - mass * given[word], 0) for word, value in enumerate(values)]


def one_implied(ask, values, told):
    implied = [word for word in range(len(values)) if ask.implied(word)]
    if not implied:
        return values
    keep = next((word for word in told if word in implied), max(implied, key=lambda word: (values[word], -word)))
    return [0 if word in implied and word != keep else value for word, value in enumerate(values)]


def relations(ask, theta, branch, refine):
    """words -> mass"""
    left = ask(16, R)
    found = Counter()
    for _ in range(MAX_ANCHORS):
        anchor = top(left)
        mass = left[anchor]
        if mass < theta:
            break
        given = ask(15, R, hints=[(R, anchor)])
        given[anchor] = 1
        left = rest_of(left, anchor, mass, given)
        given = one_implied(ask, given, [anchor])
        sets = nested(given, [anchor], RELATION_SETS)
        unsure = [word for word, value in enumerate(given) if LOW < value < HIGH]
        if refine and unsure and mass * 0.5 >= theta:
            second = min(unsure, key=lambda word: abs(given[word] - 0.5))
            both = one_implied(ask, ask(7, R, hints=[(R, anchor), (R, second)]), [anchor, second])
            with_second = [(words, p * given[second]) for words, p in nested(both, [anchor, second], RELATION_SETS)]
            sets = with_second + [(words, p) for words, p in sets if second not in words]
            sets.sort(key=lambda item: -item[1])
        for words, p in sets[:branch]:
            found[words] += mass * p
    return [(words, mass) for words, mass in found.items() if mass >= theta]


def role_sets(ask, role, told, stage, anchor_stage, mass, theta, count):
    """[(words, mass)] of one more role, what is told being decided."""
    left = ask(stage, role, told=told)
    for _, words in told:
        for word in words:
            left[word] = 0
    found = []
    first = True
    while True:
        anchor = top(left)
        if mass * left[anchor] < theta and not (first and left[anchor] > LOW and mass >= theta):
            return found
        if first and left[anchor] >= SURE:
            scaled = [value / left[anchor] for value in left]
            return [(words, mass * p) for words, p in nested(scaled, [anchor], count)]
        given = ask(anchor_stage, role, told=told, hints=[(role, anchor)])
        given[anchor] = 1
        found += [(words, mass * left[anchor] * p) for words, p in nested(given, [anchor], count)]
        left = rest_of(left, anchor, left[anchor], given)
        first = False


def decode(case):
    """tags -> weight, and the number of rows."""
    ask = Asker(case)
    theta = case["theta"]
    weights = Counter()
    for relation, mass in relations(ask, theta, case["branch"], case["refine"]):
        subjects = Counter()
        for words, p in role_sets(ask, S, [(R, relation)], 12, 11, mass, theta, SUBJECT_SETS):
            if p >= theta and words - relation:
                subjects[words - relation] += p
        for subject, subject_mass in subjects.items():
            told = [(R, relation), (S, subject)]
            for words, p in role_sets(ask, O, told, 10, 9, subject_mass, theta, OBJECT_SETS):
                objects = words - relation - subject
                if objects:
                    weights["".join("R" if word in relation else "S" if word in subject else
                                    "O" if word in objects else "B" for word in range(len(case["pieces"])))] += p
    return weights, ask.rows


# ---- The sentences


def invent(generator, index):
    implied = index % 3
    words = generator.randint(4, 10)
    pieces = [generator.choice((1, 1, 1, 2, 3)) for _ in range(words)] + [1] * implied
    facts = []
    for _ in range(generator.randint(1, 4)):
        roles = [B] * (words + implied)
        cuts = sorted(generator.sample(range(words + 1), 4)) if words >= 4 else [0, 1, 2, 3]
        for role, (begin, end) in zip((S, R, O), zip(cuts, cuts[1:])):
            for word in range(begin, end):
                roles[word] = role
        for word in range(words):
            if generator.random() < 0.1:
                roles[word] = B
        if implied and generator.random() < 0.4:
            roles = [B if role == R else role for role in roles]
            for word in range(words, words + implied):
                roles[word] = R if generator.random() < 0.6 else B
        tags = "".join(str(role) * count for role, count in zip(roles, pieces))
        facts.append([generator.randint(1, 60), tags])
    return {"seed": generator.getrandbits(32), "pieces": pieces, "implied": implied, "facts": facts,
            "blur": generator.choice((100, 3000, 30_000)), "theta": generator.choice((0.01, 0.03, 0.06)),
            "branch": generator.choice((1, 2, 4)), "refine": generator.random() < 0.6}


# ---- Somebody else's decoder


def load_reference(folder):
    torch = types.ModuleType("torch")
    torch.float32 = "float32"
    torch.nn = types.ModuleType("torch.nn")
    torch.nn.functional = types.ModuleType("torch.nn.functional")
    sys.modules.update({"torch": torch, "torch.nn": torch.nn, "torch.nn.functional": torch.nn.functional})
    sys.path.insert(0, folder)
    import anchor3
    import numpy

    class Rows:
        def __init__(self, _, items, *__):
            self.items, self.count = items, [0] * len(items)

        def __call__(self, tasks):
            for index, _, _ in tasks:
                self.count[index] += 1
            return [numpy.array([softmax(values) for values in logits_of(self.items[index]["case"], stage, states)])
                    for index, states, stage in tasks]

    anchor3.Rows = Rows

    def run(case):
        item = {"cnt": case["pieces"], "ids": [0] * sum(case["pieces"]), "implied": case["implied"], "case": case}
        pools, rows = anchor3.decode3(types.SimpleNamespace(T=16), [item], None, case["theta"], case["branch"],
                                      case["refine"], untilt=False)
        return pools[0], rows[0]

    return run


def check(case, weights, rows, reference):
    other, other_rows = reference(case)
    same = rows == other_rows and set(weights) == set(other)
    if not same or any(abs(weights[tags] - other[tags]) > 1e-9 for tags in weights):
        sys.exit(f"the reference differs: {case}\n{weights}, {rows} rows\n{other}, {other_rows} rows")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--reference")
    arguments = parser.parse_args()
    reference = load_reference(arguments.reference) if arguments.reference else None
    generator = random.Random(17)
    cases, compared = [], 0
    for index in range(60):
        case = invent(generator, index)
        weights, rows = decode(case)
        if reference and case["implied"] < 2:
            check(case, weights, rows, reference)
            compared += 1
        total = max(1, sum(weights.values()))
        case["rows"] = rows
        case["weights"] = {tags: round(weight / total, 9) for tags, weight in sorted(weights.items())}
        cases.append(case)
    if reference:
        print(f"{compared} of {len(cases)} compared with the reference", file=sys.stderr)
    print("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]")


main()
