#!/usr/bin/env python3
"""Runs our tokenizer and the Rust `tokenizers` on the same lines, one thread each, and prints the ratio.

  python3 -m venv VENV && VENV/bin/pip install tokenizers==0.23.3
  cmake --preset release -DDIFFIE_BENCH=ON && cmake --build --preset release --target tokenizer_bench
  VENV/bin/python bench/text/compare.py build/release/bench/text/tokenizer_bench [--data DIR]

Counted on all sides: ids and offsets of every line with [CLS] and [SEP], text already in memory, no JSON.
The peer is the crate itself (bench/text/peer, built with cargo where there is one; byte offsets, which are
cheaper for it than characters) and the Python package (encode_batch on one list: the conversion of its
results to Python objects is lazy and not asked for). Processor time is measured, so that other work on the
machine matters little. Rounds alternate; the median counts.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

os.environ.update(TOKENIZERS_PARALLELISM="false", RAYON_NUM_THREADS="1", RAYON_RS_NUM_THREADS="1")
HERE = pathlib.Path(__file__).resolve().parent
VOCAB = HERE.parent.parent / "share" / "bert-base-uncased" / "vocab.txt"


def sentences(data_dir):
    lines = []
    for name in ("carb/dev/dev.txt", "extra/sentences.txt"):
        lines += (data_dir / name).read_text().splitlines()
    lsoie = (data_dir / "lsoie-examples" / "lsoie-g-1.0.tsv").read_text().splitlines()
    return lines + [line.split("\t")[0] for line in lsoie[1:]]


def run_program(program, text):
    speed, pieces, check = subprocess.check_output([program, str(VOCAB), text, "1"], text=True).split()
    return float(speed), (pieces, check)


def build_peer(target_dir):
    if not shutil.which("cargo"):
        return None
    subprocess.run(["cargo", "build", "--release", "--quiet", "--target-dir", target_dir], cwd=HERE / "peer", check=True)
    return str(pathlib.Path(target_dir) / "release" / "tokenizer-peer")


def python_speed(tokenizer, lines, num_bytes):
    start = time.process_time()
    tokenizer.encode_batch(lines)
    return num_bytes / 1e6 / (time.process_time() - start)


def report(name, speeds):
    print(f"{name:24} {statistics.median(speeds):8.2f} MB/s  (min {min(speeds):.2f}, max {max(speeds):.2f})")
    return statistics.median(speeds)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--data", default=str(HERE.parent.parent.parent / "shared" / "data"))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--peer-target", default=str(pathlib.Path(tempfile.gettempdir()) / "tokenizer-peer"))
    args = parser.parse_args()
    from tokenizers import BertWordPieceTokenizer
    package = BertWordPieceTokenizer(str(VOCAB), lowercase=True)
    lines = sentences(pathlib.Path(args.data)) * args.repeat
    peer = build_peer(args.peer_target)
    ours, crate, python = [], [], []
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as text:
        text.write("".join(line + "\n" for line in lines))
        text.flush()
        num_bytes = os.path.getsize(text.name)
        for _ in range(args.rounds):
            speed, result = run_program(args.program, text.name)
            ours.append(speed)
            if peer:
                speed, peer_result = run_program(peer, text.name)
                crate.append(speed)
                assert result == peer_result, "the two sides differ in ids or offsets"
            python.append(python_speed(package, lines, num_bytes))
    print(f"{len(lines)} sentences, {num_bytes} bytes, {result[0]} pieces, {args.rounds} rounds, 1 thread, processor time")
    mine = report("diffie", ours)
    for name, speeds in (("tokenizers (Rust crate)", crate), ("tokenizers (Python)", python)):
        if speeds:
            print(f"  {mine / report(name, speeds):.1f}x as fast")


main()
