#!/usr/bin/env python3
"""Coverage by room, from gcovr's summary; fails below the limits.

    scripts/coverage/rooms.py build/coverage/summary.json
"""
import collections
import json
import re
import sys

# Of the product: what this build has. Not in it: src/cuda and src/train, which need a GPU's toolkit and LibTorch
# and have tests of their own (make test-train); src/ops/simd, compiled without counters, since its kernels live in
# registers: each is compared with the scalar one. The lab stands apart.
LINES_OF_PRODUCT = 90.0
# Whoever reads the bytes of a weights file, checks its tensors and turns them into numbers.
READER = [f"src/model_dir/{name}.cpp" for name in ("safetensors", "tensor_check", "tensor_values")]
BRANCHES_OF_READER = 100.0


def room_of(path):
    if path.startswith("src/lab/") or path.startswith("apps/lab/") or path.startswith("include/diffie/lab/"):
        return "lab"
    if path.startswith("include/"):
        return "include"
    return "/".join(re.match(r"((?:src|apps)/[^/]+)/", path).groups())


def percent(part, whole):
    return 100.0 * part / whole if whole else 100.0


def main():
    files = json.load(open(sys.argv[1]))["files"]
    rooms = collections.defaultdict(lambda: [0, 0, 0, 0])
    counted = ("line_covered", "line_total", "branch_covered", "branch_total")
    for file in files:
        if file["filename"].startswith("src/ops/simd/"):
            continue
        numbers = [file[key] for key in counted]
        room = room_of(file["filename"])
        names = [room] + (["the product"] if room != "lab" else [])
        names += ["the weights reader"] if file["filename"] in READER else []
        for name in names:
            rooms[name] = [a + b for a, b in zip(rooms[name], numbers)]

    last = ["the product", "the weights reader", "lab"]
    print(f"{'room':<20} {'lines':>7} {'run':>7}      {'branches':>9} {'taken':>7}")
    for name in sorted(set(rooms) - set(last)) + [name for name in last if name in rooms]:
        covered, lines, taken, branches = rooms[name]
        print(f"{name:<20} {lines:>7} {covered:>7} {percent(covered, lines):5.1f}% {branches:>7} {taken:>7} {percent(taken, branches):5.1f}%")

    covered, lines, _, _ = rooms["the product"]
    _, _, taken, branches = rooms["the weights reader"]
    bad = []
    if percent(covered, lines) < LINES_OF_PRODUCT:
        bad.append(f"lines of the product: {percent(covered, lines):.1f}%, wanted {LINES_OF_PRODUCT}%")
    if branches == 0 or percent(taken, branches) < BRANCHES_OF_READER:
        bad.append(f"branches of the weights reader: {taken} of {branches}, wanted {BRANCHES_OF_READER}%")
    for line in bad:
        print(line, file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
