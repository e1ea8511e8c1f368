#!/usr/bin/env python3
"""Prints src/text/lowercase_table.inc: ranges of code points whose lower case is one code point at a
fixed distance. Needs nothing but Python; its Unicode version is named in the output."""
import unicodedata

pairs = []
for code in range(0x80, 0x110000):
    if 0xD800 <= code < 0xE000:
        continue
    lower = chr(code).lower()
    if len(lower) == 1 and lower != chr(code):
        pairs.append((code, ord(lower) - code))

# Runs of one distance, step 1 (A-Z like) or step 2 (alternating upper and lower).
rows = []
for code, delta in pairs:
    if rows:
        first, last, step, row_delta = rows[-1]
        if row_delta == delta and (code - last == step or (first == last and code - last <= 2)):
            rows[-1] = (first, code, code - last, delta)
            continue
    rows.append((code, code, 1, delta))

print(f"// Made by scripts/tables/make_lowercase_table.py, Unicode {unicodedata.unidata_version}.")
print("// {first, last, step, distance to the lower-case letter}")
for row in rows:
    print("{0x%04X, 0x%04X, %d, %d}," % row)
