#!/usr/bin/env python3
"""One pool of several models' pools of the same sentences: the mean of their shares.

    scripts/data/merge_pools.py POOL.jsonl... --out OUT.jsonl [--most 48]

Counts are of 2^20; a tag sequence that a model does not have counts 0 there. At most --most sequences a sentence stay.
"""
import argparse
import json
import pathlib

UNIT = 1 << 20  # as of anchored models


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pools", nargs="+", type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--most", type=int, default=48)
    args = parser.parse_args()
    files = [path.open(encoding="utf-8") for path in args.pools]
    with args.out.open("w", encoding="utf-8") as out:
        for lines in zip(*files, strict=True):
            entries = [json.loads(line) for line in lines]
            first = entries[0]
            if any(entry["words"] != first["words"] for entry in entries):
                raise SystemExit(f"merge_pools: not the same sentences: {first['sentence']!r}")
            weights = {}
            for entry in entries:
                for tags, count, *_ in entry["pool"]:
                    weights[tags] = weights.get(tags, 0) + count
            ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:args.most]
            first["pool"] = [[tags, count // len(entries)] for tags, count in ranked if count >= len(entries)]
            out.write(json.dumps(first, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
