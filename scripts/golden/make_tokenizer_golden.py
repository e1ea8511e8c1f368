#!/usr/bin/env python3
"""Writes tests/text/tokenizer_golden.tsv: lines and what BertTokenizerFast makes of them.

  python3 -m venv VENV && VENV/bin/pip install tokenizers==0.23.3 transformers
  VENV/bin/python scripts/golden/make_tokenizer_golden.py tests/text/tokenizer_golden.tsv

A row is the line's bytes in hexadecimal, a tab, and "id:begin-end" per piece with byte offsets, without [CLS]
and [SEP]. The last rows are not valid UTF-8: they were decoded with errors='replace' and the offsets mapped
back to the bytes.
"""
import codecs
import pathlib
import random
import sys

from tokenizers import BertWordPieceTokenizer

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from tokenizer_lines import KINDS, WORDS, long_word, random_char  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]


def decode(data):
    """The text with U+FFFD for ill-formed bytes, and where each character starts; plus the end."""
    bad = {}

    def replace(error):
        bad[error.start] = error.end
        return "\ufffd", error.end

    codecs.register_error("diffie-replace", replace)
    text = data.decode("utf-8", "diffie-replace")
    assert text == data.decode("utf-8", "replace")
    starts = [0]
    for char in text:
        pos = starts[-1]
        starts.append(bad[pos] if pos in bad else pos + len(char.encode()))
    assert starts[-1] == len(data)
    return text, starts


def corrupted(rng):
    data = bytearray("".join(rng.choice(WORDS + [" ", "é", "字", "\U0001f600", "[SEP]"]) for _ in range(rng.randint(1, 6))).encode())
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(data) + 1)
        if rng.random() < 0.5 and place < len(data):
            del data[place]
        else:
            data[place:place] = rng.choice([b"\xff", b"\x80", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xc0\xaf",
                                            b"\xf4\x90\x80\x80", b"\xf8\x88", b"\xe0\x80", bytes([rng.randrange(128, 256)])])
    return bytes(data.replace(b"\n", b" "))


def main():
    tokenizer = BertWordPieceTokenizer(str(ROOT / "share/bert-base-uncased/vocab.txt"), lowercase=True)
    rng = random.Random(7)
    rows = [line.encode() for line in [" ".join(WORDS), "", " ", "[SEP]", "a" * 100, "a" * 101] + [long_word(rng) for _ in range(40)]]
    kinds = [kind for kind in KINDS if kind is not long_word]
    while len(rows) < 2200:
        line = rng.choice(kinds)(rng)
        rows.append(line[:rng.randint(1, 24)].encode())
    rows += [f"a{random_char(rng, 0x80, 0x30000)}b".encode() for _ in range(600)]
    rows += [corrupted(rng) for _ in range(600)]
    with open(sys.argv[1], "w") as out:
        for row in rows:
            text, starts = decode(row)
            want = tokenizer.encode(text, add_special_tokens=False)
            pieces = (f"{i}:{starts[b]}-{starts[e]}" for i, (b, e) in zip(want.ids, want.offsets))
            out.write(row.hex() + "\t" + " ".join(pieces) + "\n")


main()
