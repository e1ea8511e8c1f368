#!/usr/bin/env python3
"""Sentences a second of Python's stream against those of `diffie extract --format jsonl`.

All read the same sentences and write what they find: the program as JSON, Python the triples as
text, and once more everything as JSON. They take turns, a process each, start and loading counted;
the best of each stands. Run it with the Python that has the package:
build/venv/bin/python scripts/bench/python_stream.py
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
STREAM = """
import json, sys, diffie
extractor = diffie.load(sys.argv[1], threads=int(sys.argv[2]))
with open(sys.argv[3]) as lines:
    for document in extractor.stream(line for line in lines if line.strip()):
"""
TEXT = STREAM + """
        for triple in document.triples:
            print(triple.confidence, triple.subject, triple.relation, triple.object, sep="\\t")
"""
JSON = STREAM + """
        print(json.dumps(document.to_dict()))
"""


def run(command: list[str]) -> tuple[float, float]:
    """Seconds on the clock, and of the processor."""
    before = os.times()
    begin = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return time.monotonic() - begin, cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--model", default=str(ROOT / "models/small"))
    parser.add_argument("--threads", default=str(os.cpu_count()))
    parser.add_argument("--repeat", type=int, default=10, help="the committed sentences so often")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    lines = (ROOT / "tests/reader/sentences.txt").read_text().splitlines()
    sentences = [line.split("\t")[2] for line in lines] * arguments.repeat
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n\n".join(sentences) + "\n")
        file.flush()
        program = [str(ROOT / "build/release/diffie"), "extract", "--format", "jsonl"]
        commands = {
            "diffie extract": program
            + ["--model", arguments.model, "--threads", arguments.threads, file.name],
            "stream": [sys.executable, "-c", TEXT, arguments.model, arguments.threads, file.name],
            "stream, JSON": [sys.executable, "-c", JSON, arguments.model, arguments.threads, file.name],
        }
        best = {name: [float("inf")] * 2 for name in commands}
        for _ in range(arguments.rounds):
            for name, command in commands.items():
                best[name] = [min(pair) for pair in zip(best[name], run(command))]
    for name, (clock, cpu) in best.items():
        rates = f"{len(sentences) / clock:7.1f} sentences/s  {len(sentences) / cpu:7.1f} per CPU second"
        print(f"{name:15} {rates}")


if __name__ == "__main__":
    main()
