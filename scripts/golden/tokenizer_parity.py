#!/usr/bin/env python3
"""Compares `diffie tokenize` with Hugging Face's BertTokenizerFast, ids and offsets, line by line.

  python3 -m venv VENV && VENV/bin/pip install tokenizers==0.23.3 transformers
  VENV/bin/python scripts/golden/tokenizer_parity.py build/release/diffie [--lines 240000] [--data DIR]

Half of the lines are real where DIR (benchmark data) exists, the rest is generated from a seed. Prints the
number of mismatches and the first few; exits 1 unless there are none.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from tokenizer_lines import generated_lines, real_lines  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
VOCAB = ROOT / "share" / "bert-base-uncased" / "vocab.txt"


def reference_tokenizer():
    """A tokenizers.Tokenizer set up as BertTokenizerFast sets it up."""
    try:
        from transformers import BertTokenizerFast
        return BertTokenizerFast(vocab=str(VOCAB), vocab_file=str(VOCAB), do_lower_case=True)._tokenizer
    except ImportError:
        from tokenizers import BertWordPieceTokenizer
        return BertWordPieceTokenizer(str(VOCAB), lowercase=True)._tokenizer


def byte_offsets(text, offsets):
    """Character offsets to bytes of the UTF-8 form."""
    if text.isascii():
        return [list(pair) for pair in offsets]
    starts = [0]
    for char in text:
        starts.append(starts[-1] + len(char.encode()))
    return [[starts[begin], starts[end]] for begin, end in offsets]


def compare(program, tokenizer, lines, work_dir, show):
    path = pathlib.Path(work_dir) / "lines.txt"
    path.write_bytes(b"".join(line.encode() + b"\n" for line in lines))
    run = subprocess.Popen([program, "tokenize", "--vocab", str(VOCAB), str(path)], stdout=subprocess.PIPE)
    mismatches = pieces = 0
    for begin in range(0, len(lines), 2000):
        chunk = lines[begin:begin + 2000]
        for number, (line, want) in enumerate(zip(chunk, tokenizer.encode_batch(chunk)), begin + 1):
            got = json.loads(run.stdout.readline())
            pieces += len(want.ids)
            if (got["ids"] == want.ids and got["pieces"] == want.tokens
                    and got["offsets"] == byte_offsets(line, want.offsets)):
                continue
            mismatches += 1
            if mismatches <= show:
                print(f"line {number}: {line!a}\n  want {want.tokens} {byte_offsets(line, want.offsets)}"
                      f"\n  got  {got['pieces']} {got['offsets']}")
    if run.stdout.readline() or run.wait() != 0:
        raise SystemExit("diffie tokenize printed too much or failed")
    return mismatches, pieces


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--lines", type=int, default=240000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", default=str(ROOT.parent / "shared" / "data"))
    parser.add_argument("--show", type=int, default=5)
    args = parser.parse_args()
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    real = real_lines(pathlib.Path(args.data))[:args.lines // 2]
    lines = real + generated_lines(args.lines - len(real), args.seed)
    with tempfile.TemporaryDirectory() as work_dir:
        mismatches, pieces = compare(args.program, reference_tokenizer(), lines, work_dir, args.show)
    print(f"{len(lines)} lines ({len(real)} real), {pieces} pieces, {mismatches} mismatches")
    return 1 if mismatches else 0


sys.exit(main())
