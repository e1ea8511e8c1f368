#!/usr/bin/env python3
"""How many triples of a model a careful reader calls right, on the reader's set (tests/reader).

    scripts/reader/judge.py --model small [--preset balanced] [--unjudged new.tsv] [-- --tidy ...]

A triple that equals a wording of tests/reader/facts.tsv is right; others are looked up in tests/reader/verdicts.tsv.
What stands in neither goes to --unjudged: fill in its verdict and append the lines to verdicts.tsv.
What follows `--` goes to `diffie extract`. --report writes how often triples of a confidence are right, for scripts/draw/reliability.py.
"""
import argparse
import collections
import json
import pathlib
import subprocess

from facts import FactBook, status_is_marked, wrongly_marked
from holes import has_hole

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SET = ROOT / "tests" / "reader"
VERDICTS = ("right", "boundary", "mixed", "not-asserted", "nonsense")
CONFIDENT = 0.7


def read_sentences(path):
    """id -> (genre, sentence)"""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    return {int(number): (genre, sentence) for number, genre, sentence in rows}


def read_verdicts(path):
    """(sentence id, subject, relation, object) -> verdict"""
    verdicts = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        number, subject, relation, obj, verdict = line.split("\t")[:5]
        if verdict not in VERDICTS:
            raise SystemExit(f"{path}: '{verdict}' is no verdict, must be one of {', '.join(VERDICTS)}")
        verdicts[int(number), subject, relation, obj] = verdict
    return verdicts


def extract(args, sentences):
    """sentence id -> extractions"""
    command = [args.diffie, "extract", "--model", args.model, "--lines", "--format", "jsonl", *args.options]
    if args.preset:
        command += ["--preset", args.preset]
    text = "".join(sentence + "\n" for _, sentence in sentences.values())
    lines = subprocess.run([str(part) for part in command], input=text, check=True, stdout=subprocess.PIPE,
                           encoding="utf-8").stdout.splitlines()
    if len(lines) != len(sentences):
        raise SystemExit(f"{len(lines)} results for {len(sentences)} sentences")
    return dict(zip(sentences, (json.loads(line)["extractions"] for line in lines)))


def judge(number, triple, book, verdicts):
    """One of VERDICTS, "mismarked", or None where nobody has said yet."""
    slots = triple["subject"], triple["relation"], triple["object"]
    factuality = triple.get("factuality")
    found = book.verdict(number, slots, factuality)
    if found is None:
        found = verdicts.get((number, *slots))
        if found == "not-asserted" and status_is_marked(factuality):
            return "right"
    if found == "right" and wrongly_marked(book.status(number, slots), slots, factuality):
        return "mismarked"
    return found


class Tally:
    def __init__(self):
        self.sentences = 0
        self.verdicts = collections.Counter()
        self.confident = collections.Counter()
        self.holes = 0

    def add(self, verdict, confidence, hole):
        self.verdicts[verdict] += 1
        self.holes += hole
        if confidence >= CONFIDENT:
            self.confident[verdict] += 1

    def cells(self, name):
        share = lambda counts: f"{100 * counts['right'] / counts.total():.1f}" if counts.total() else "-"
        triples = self.verdicts.total()
        kinds = [str(self.verdicts[kind]) for kind in (*VERDICTS[1:], "mismarked", None)]
        return [name, str(self.sentences), str(triples), share(self.verdicts), str(self.confident.total()), share(self.confident),
                f"{100 * self.holes / triples:.1f}" if triples else "-", *kinds]


def reliability(triples, width=0.1):
    """`triples`: (confidence, right). Bins as `diffie rank train --json` has them."""
    bins = []
    for low in (index * width for index in range(round(1 / width))):
        inside = [(confidence, right) for confidence, right in triples if low < confidence <= low + width]
        mean = lambda values: sum(values) / len(inside) if inside else 0.0
        bins.append({"low": low, "high": low + width, "triples": len(inside), "confidence": mean([c for c, _ in inside]),
                     "right": mean([right for _, right in inside])})
    error = sum(one["triples"] * abs(one["confidence"] - one["right"]) for one in bins) / max(1, len(triples))
    return {"reliability": {"calibration_error": error, "bins": bins}}


HEADER = ["genre", "sentences", "triples", "right %", ">= 0.7", "right %", "holes %", *VERDICTS[1:], "mismarked", "unjudged"]


def table(lines):
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "\n".join("  ".join(cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(line, widths)))
                     for line in lines)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--model", default="small")
    options.add_argument("--preset")
    options.add_argument("--diffie", type=pathlib.Path, default=ROOT / "build" / "release" / "diffie")
    options.add_argument("--unjudged", type=pathlib.Path, help="file for triples without a verdict")
    options.add_argument("--show", type=pathlib.Path, help="file for every triple with its verdict")
    options.add_argument("--report", type=pathlib.Path, help="file for the share of right triples by confidence")
    options.add_argument("options", nargs="*", help="for diffie extract, after --")
    args = options.parse_args()

    sentences = read_sentences(SET / "sentences.txt")
    book = FactBook(SET / "facts.tsv")
    verdicts = read_verdicts(SET / "verdicts.tsv")
    tallies = collections.defaultdict(Tally)
    unjudged, shown, judged = [], [], []
    for number, triples in extract(args, sentences).items():
        genre, sentence = sentences[number]
        for name in (genre, "all"):
            tallies[name].sentences += 1
        for triple in triples:
            verdict = judge(number, triple, book, verdicts)
            for name in (genre, "all"):
                tallies[name].add(verdict, triple["confidence"], has_hole(sentence, triple))
            cells = [str(number), triple["subject"], triple["relation"], triple["object"]]
            shown.append("\t".join([*cells, verdict or "", f"{triple['confidence']:.2f}", sentence]))
            judged.append((triple["confidence"], verdict == "right"))
            if verdict is None:
                unjudged.append("\t".join([*cells, "", sentence]))
    for path, lines in ((args.unjudged, unjudged), (args.show, shown)):
        if path:
            path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    if args.report:
        args.report.write_text(json.dumps(reliability(judged), indent=1) + "\n", encoding="utf-8")
    overall = tallies.pop("all")
    print(table([HEADER, *(tally.cells(genre) for genre, tally in tallies.items()), overall.cells("all")]))


if __name__ == "__main__":
    main()
