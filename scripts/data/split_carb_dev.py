#!/usr/bin/env python3
"""Splits CaRB's dev gold in two: held-out.tsv has the sentences whose text's FNV-1a hash is divisible by three, choice.tsv the others.

Usage: split_carb_dev.py dev.tsv OUT_DIR. Settings are chosen by choice.tsv; held-out.tsv is for the last decision. Needs Python 3 alone.
"""
import pathlib
import sys


def fnv1a(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


gold, out = sys.argv[1], pathlib.Path(sys.argv[2])
parts = {"choice.tsv": [], "held-out.tsv": []}
with open(gold, encoding="utf-8", newline="\n") as lines:
    for line in lines:
        held_out = fnv1a(line.split("\t")[0].strip()) % 3 == 0
        parts["held-out.tsv" if held_out else "choice.tsv"].append(line)
for name, kept in parts.items():
    with open(out / name, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(kept)
    print(name, len({line.split("\t")[0] for line in kept}), "sentences", len(kept), "tuples")
