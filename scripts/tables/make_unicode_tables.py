#!/usr/bin/env python3
"""Writes src/text/unicode_tables.inc: what the BERT uncased normaliser does to every code point.

Nothing is taken from a Unicode data file. Each code point is put through the stages of the
`tokenizers` package, so that the tables carry the Unicode versions built into it (they differ from
stage to stage and from ICU's).

  python3 -m venv VENV && VENV/bin/pip install tokenizers==0.23.3
  VENV/bin/python scripts/tables/make_unicode_tables.py src/text/unicode_tables.inc
"""
import itertools
import sys
import unicodedata

from tokenizers import normalizers, pre_tokenizers

BLOCK = 128
# Values of the second stage below kFirstRecord; the same names stand in unicode_tables.h.
WORD, PUNCTUATION, DROP, SPACE, CHINESE, HANGUL = range(6)
FIRST_RECORD = 8
RECORD_CHINESE, RECORD_STARTER, RECORD_REORDER = 1, 2, 4
POOL_PUNCTUATION, POOL_MARK = 1 << 29, 1 << 30


def bert(**on):
    stages = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
    return normalizers.BertNormalizer(**{**stages, **on}).normalize_str


clean = bert(clean_text=True)
chinese = bert(handle_chinese_chars=True)
strip = bert(strip_accents=True)
lower = normalizers.Lowercase().normalize_str
nfd = normalizers.NFD().normalize_str
pre_tokenize = pre_tokenizers.BertPreTokenizer().pre_tokenize_str

# One character per combining class, of those the package knows.
CLASSES = {240: "\u0345"}
for cp in itertools.chain(range(0x300, 0x3100), (0xFB1E, 0x1D165, 0x1D16D)):
    if nfd("a\u0345" + chr(cp)) == "a" + chr(cp) + "\u0345":
        CLASSES.setdefault(unicodedata.combining(chr(cp)), chr(cp))
for low, high in itertools.pairwise(sorted(CLASSES)):
    assert nfd("a" + CLASSES[high] + CLASSES[low]) == "a" + CLASSES[low] + CLASSES[high], (low, high)


def combining_class(char):
    """As the package sorts: c goes before r when 0 < ccc(c) < ccc(r)."""
    if nfd("a" + char + "\u0334") == "a" + char + "\u0334" and nfd("a\u0345" + char) == "a\u0345" + char:
        if nfd("a\u0316" + char) == "a\u0316" + char:
            return 0
    for ccc, other in sorted(CLASSES.items()):
        if other == char:
            return ccc
        after = nfd("a" + char + other) == "a" + other + char
        before = nfd("a" + other + char) == "a" + char + other
        if not after and not before:
            return ccc
        assert after or before
        if before:
            raise SystemExit(f"U+{ord(char):04X}: class below {ccc} has no representative")
    raise SystemExit(f"U+{ord(char):04X}: class not found")


def is_punctuation(char):
    parts = pre_tokenize("a" + char + "a")
    return [text for text, _ in parts] == ["a", char, "a"]


def decomposition(char):
    """[(lower-cased code point, combining class, dropped as a mark, punctuation)]"""
    out = []
    for part in nfd(char):
        ccc = combining_class(part) if ord(part) >= 0x300 else 0
        low = lower(part)
        mark = strip("a" + part) == "a"
        assert len(low) == 1 or mark, hex(ord(char))
        out.append((ord(low[0]), ccc, mark, is_punctuation(low[0])))
    starters = [ccc == 0 for _, ccc, _, _ in out]
    assert starters == sorted(starters, reverse=True), hex(ord(char))
    return out


def classify(cp, records, pool):
    if cp == 0 or 0xD800 <= cp <= 0xDFFF:
        return DROP
    char = chr(cp)
    cleaned = clean("a" + char + "a")
    if cleaned == "aa":
        return DROP
    if cleaned == "a a":
        return SPACE
    assert cleaned == "a" + char + "a"
    is_chinese = chinese(char) != char
    if 0xAC00 <= cp <= 0xD7A3:
        assert all(d[1:] == (0, False, False) for d in decomposition(char))
        return HANGUL
    parts = decomposition(char)
    if len(parts) == 1 and parts[0][:3] == (cp, 0, False):
        assert not (is_chinese and parts[0][3])
        return CHINESE if is_chinese else PUNCTUATION if parts[0][3] else WORD
    flags = RECORD_CHINESE if is_chinese else 0
    assert not is_chinese or parts[0][1:] == (0, False, False) and len(parts) == 1
    flags |= RECORD_STARTER if parts[0][1] == 0 else 0
    flags |= RECORD_REORDER if any(ccc and not mark for _, ccc, mark, _ in parts) else 0
    records.append((len(pool), len(parts), flags))
    for low, ccc, mark, punctuation in parts:
        pool.append(low | ccc << 21 | (POOL_PUNCTUATION if punctuation else 0) | (POOL_MARK if mark else 0))
    return FIRST_RECORD + len(records) - 1


def rows(values):
    line = ""
    for value in values:
        text = f"{value},"
        if len(line) + len(text) > 100:
            yield line
            line = ""
        line += text
    yield line


def main():
    records, pool, blocks, first_stage = [], [], {}, []
    for begin in range(0, 0x110000, BLOCK):
        block = tuple(classify(cp, records, pool) for cp in range(begin, begin + BLOCK))
        first_stage.append(blocks.setdefault(block, len(blocks)))
    while len(first_stage) > 1 and first_stage[-1] == first_stage[-2]:
        first_stage.pop()
    assert len(blocks) < 256 * 4 and len(pool) < 65536
    with open(sys.argv[1], "w") as out:
        out.write("// Made by scripts/tables/make_unicode_tables.py; do not edit. Layout: unicode_tables.h.\n")

        def array(kind, name, values):
            out.write(f"constexpr {kind} {name}[] = {{\n" + "\n".join(rows(values)) + "\n};\n")

        array("std::uint16_t", "kFirstStage", first_stage)
        array("std::uint16_t", "kSecondStage", (v for block in blocks for v in block))
        array("Record", "kRecords", ("{%d,%d,%d}" % r for r in records))
        array("NormalPart", "kPool", ("{%d}" % bits for bits in pool))
    reorder = sum(1 for r in records if r[2] & RECORD_REORDER)
    print(f"{len(blocks)} blocks, {len(records)} records ({reorder} reordering), pool {len(pool)}")


main()
