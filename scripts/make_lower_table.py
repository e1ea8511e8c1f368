#!/usr/bin/env python3
"""Writes src/score/lower_table.inc: Unicode's simple lower-case mapping beyond ASCII as runs
{first, last, step, offset}: code points first, first + step, ..., last map to themselves plus offset.

Usage: scripts/make_lower_table.py > src/score/lower_table.inc   (any Python 3, no packages)
"""
import sys
import unicodedata

pairs = []
for code in range(0x80, sys.maxunicode + 1):
    lowered = chr(code).lower()
    if len(lowered) == 1 and ord(lowered) != code:
        pairs.append((code, ord(lowered) - code))

runs = []  # [first, last, step, offset]
for code, offset in pairs:
    if runs and runs[-1][3] == offset:
        first, last, step, _ = runs[-1]
        if first == last and code - last in (1, 2) or code - last == step:
            runs[-1][1:3] = [code, code - last]
            continue
    runs.append([code, code, 1, offset])

print(f"// Made by scripts/make_lower_table.py from Unicode {unicodedata.unidata_version}.")
for first, last, step, offset in runs:
    print(f"{{0x{first:X}, 0x{last:X}, {step}, {offset}}},")
