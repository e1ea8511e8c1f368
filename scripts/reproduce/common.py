"""What the table scripts share: finding pools, running `diffie sweep`, printing Markdown.

Python 3.9 or later without packages. Every script prints one table to standard output:
    scripts/reproduce/main_results.py POOLS --gold dev.tsv [--diffie build/release/diffie]
POOLS is a folder of pool files; what is not there is left out and named on standard error.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("pools", type=pathlib.Path, help="folder of pool files (*.jsonl)")
    parser.add_argument("--gold", required=True, help="CaRB's dev.tsv")
    parser.add_argument("--diffie", default="build/release/diffie", help="the program")
    return parser.parse_args()


class Pools:
    """The pool files of a folder by configuration: NAME.jsonl or NAME-sSEED.jsonl."""

    def __init__(self, args):
        self.args = args
        self.by_name = {}
        for path in sorted(args.pools.glob("*.jsonl")):
            name = re.sub(r"-s\d+$", "", path.stem)
            self.by_name.setdefault(name, []).append(path)

    def find(self, name):
        if name not in self.by_name:
            print(f"{self.args.pools}/{name}*.jsonl: not there, left out", file=sys.stderr)
        return self.by_name.get(name, [])

    def starting_with(self, prefix):
        return [name for name in self.by_name if name.startswith(prefix)]

    def size(self, name):
        """Samples per sentence, from the first sentence that has any."""
        for path in self.by_name.get(name, [])[:1]:
            with open(path, encoding="utf-8") as lines:
                for line in lines:
                    count = sum(entry[1] for entry in json.loads(line)["pool"])
                    if count > 0:
                        return count
        return 0

    def run(self, name, *options, gold=True):
        command = [self.args.diffie, "sweep", "--json", *options]
        for path in self.find(name):
            command += ["--pool", f"{path}:{name}"]
        if gold:
            command += ["--gold", self.args.gold]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(result.stderr.strip() or f"{command[0]} failed")
        return json.loads(result.stdout)

    def sweep(self, name, *options):
        """One row per point: the mean over the seeds where there are several. None: no pool."""
        if not self.find(name):
            return None
        rows = self.run(name, *options)["rows"]
        means = [row for row in rows if row["pool"] is None]
        return means or rows

    def seeds(self, name):
        return len(self.by_name.get(name, []))


def percent(row, measure, value):
    """(mean, deviation or None) in per cent."""
    spread = row["scores"][measure][value]
    deviation = spread["deviation"]
    return 100 * spread["mean"], None if deviation is None else 100 * deviation


def shown(value):
    mean, deviation = value
    return f"{mean:.1f}" if deviation is None else f"{mean:.1f} ± {deviation:.1f}"


def printed(paper):
    """A value of the paper: None, a number or (mean, deviation)."""
    if paper is None:
        return "-"
    return f"{paper[0]} ± {paper[1]}" if isinstance(paper, tuple) else f"{paper}"


def difference(ours, paper):
    """Ours minus the paper's; in bold where it is more than two deviations (the larger of the two)."""
    if paper is None:
        return "-"
    mean, paper_deviation = paper if isinstance(paper, tuple) else (paper, 0)
    gap = ours[0] - mean
    deviation = max(ours[1] or 0, paper_deviation)
    apart = deviation > 0 and abs(gap) > 2 * deviation
    return f"**{gap:+.1f}**" if apart else f"{gap:+.1f}"


def table(title, note, header, rows):
    print(f"## {title}\n\n{note}\n")
    if not rows:
        print("No pool of this table is there.\n")
        return
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print()


NO_1_1 = ("The paper's (1-1) values come from a measure that is not published and cannot be `carb_1_1`; "
          "they stand here for reference only.")
