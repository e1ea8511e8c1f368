#!/usr/bin/env python3
"""One pool of several anchored models' pools of the same sentences: the mean of their weights.

    scripts/data/merge_pools.py POOL.jsonl... --out OUT.jsonl [--most 48] [--thin]

A tag sequence that a model does not have counts 0 there. At most --most triples a sentence stay; of these, --thin takes the
8 heaviest and every 4th of the next 32. What is missing to 2^20 goes to the sequence without a triple.
"""
import argparse
import contextlib
import itertools
import json
import pathlib

UNIT = 1 << 20  # as of anchored models


def merge(entries, most, thin):
    """The pool of pools: lists [tags, weight, ...] by falling weight."""
    weights = {}
    for entry in entries:
        for tags, weight, *_ in entry:
            weights[tags] = weights.get(tags, 0) + weight
    if not weights:
        return []
    nothing = "B" * len(next(iter(weights)))
    means = [(tags, weight // len(entries)) for tags, weight in weights.items() if tags != nothing]
    ranked = sorted((item for item in means if item[1] > 0), key=lambda item: (-item[1], item[0]))[:most]
    if thin:
        ranked = ranked[:8] + ranked[8:40:4]
    rest = UNIT - sum(weight for _, weight in ranked)
    if rest > 0:
        ranked.append((nothing, rest))
    return [list(item) for item in sorted(ranked, key=lambda item: (-item[1], item[0]))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pools", nargs="+", type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--most", type=int, default=48)
    parser.add_argument("--thin", action="store_true")
    args = parser.parse_args()
    partial = args.out.with_name(args.out.name + ".partial")
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(path.open(encoding="utf-8")) for path in args.pools]
        out = stack.enter_context(partial.open("w", encoding="utf-8"))
        for number, lines in enumerate(itertools.zip_longest(*files), 1):
            entries = [json.loads(line) if line else None for line in lines]
            if any(entry is None or entry["words"] != entries[0]["words"] for entry in entries):
                partial.unlink()
                raise SystemExit(f"merge_pools: line {number}: not the same sentence in every file")
            pool = merge([entry["pool"] for entry in entries], args.most, args.thin)
            out.write(json.dumps({**entries[0], "pool": pool}, ensure_ascii=False) + "\n")
    partial.replace(args.out)


if __name__ == "__main__":
    main()
