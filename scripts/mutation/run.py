#!/usr/bin/env python3
"""Mutation testing: how many small changes of the code do its tests notice? `make mutation`.

Every mutant of the folders stands in one build behind a switch (schemata.py). Which tests reach which mutants is
recorded first; a mutant then runs with the tests that reach it. One that fails, crashes or takes far longer is killed.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

from tree import HERE, Tree

ROOT = HERE.parent.parent
WORK = ROOT / "build/mutation"
PROGRAMS = {"src/diffusion": "tests/diffusion/diffusion_test", "src/extract": "tests/extract/extract_test",
            "src/lab/score": "tests/lab/score/score_test"}
MEMORY_BYTES = 2 << 30
LONGEST_SECONDS = 0.5  # of a test's CPU time: slower ones draw numbers by the million, and are not asked


def folder_of(mutant):
    return next(f for f in PROGRAMS if mutant.file.startswith(f"{f}/"))


def run_tests(program, tests, cpu_seconds, **environment):
    """Whether they pass."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.Popen([program, f"--gtest_filter={':'.join(tests)}", "--gtest_fail_fast", "--gtest_brief=1"],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                                preexec_fn=limit, env={**os.environ, "TMPDIR": folder, "TEST_TMPDIR": folder + "/", **environment})
        try:
            return done.wait(timeout=60 * cpu_seconds) == 0  # one that sleeps uses no CPU time
        except subprocess.TimeoutExpired:
            done.kill()
            done.wait()
            return False


def list_tests(program):
    lines = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, check=True).stdout.splitlines()
    suite, tests = "", []
    for line in lines[1:] if lines[0].startswith("Running main") else lines:
        name = line.split("#")[0].rstrip()
        if name.startswith(" "):
            tests.append(suite + name.strip())
        else:
            suite = name
    return tests


class Reach:
    """Of a program: which test reaches which mutant, and how long it takes."""

    def __init__(self, program):
        self.seconds, self.tests_of = {}, collections.defaultdict(list)
        for test in list_tests(program):
            with tempfile.NamedTemporaryFile() as file:
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                if not run_tests(program, [test], 600, DIFFIE_MUTANTS_REACHED=file.name):
                    raise SystemExit(f"mutation: {test} fails without any mutant")
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                self.seconds[test] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                for number, reached in enumerate(file.read()):
                    if reached:
                        self.tests_of[number].append(test)

    def is_killed(self, program, number):
        """By the quickest tests first."""
        quick = [test for test in self.tests_of[number] if self.seconds[test] < LONGEST_SECONDS]
        tests = sorted(quick, key=lambda test: self.seconds[test])
        while tests:
            batch, cost = [], 0.0
            while tests and (not batch or cost + self.seconds[tests[0]] < max(0.3, cost)):
                cost += self.seconds[tests[0]]
                batch.append(tests.pop(0))
            if not run_tests(program, batch, 2 + int(10 * cost), DIFFIE_MUTANT=str(number)):
                return True
        return False


def read_equivalent():
    """(file, function, change) of those that no test can tell, each with its reason."""
    entries = {}
    for line in (HERE / "equivalent.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            file, function, change, reason = (cell.strip() for cell in line.split(" | "))
            entries[file, function, change] = reason
    return entries


def is_equivalent(mutant, entries):
    file, function, change = mutant.key()
    return (file, function, change) in entries or (file, function, "*") in entries


def report(mutants, folders, outcome):
    def row(name, group):
        count = collections.Counter(outcome[m.key()] for m in group)
        counted = len(group) - count["equivalent"]
        share = 100 * count["killed"] / max(1, counted)
        print(f"{name:16}{len(group):8}{count['killed']:8}{count['survived']:10}{count['not reached']:13}"
              f"{count['equivalent']:12}{share:8.1f} %")
        return share
    print(f"{'':16}{'mutants':>8}{'killed':>8}{'survived':>10}{'not reached':>13}{'equivalent':>12}{'':>8}")
    for operator in sorted({m.operator for m in mutants}):
        row(operator, [m for m in mutants if m.operator == operator])
    return min([row(folder, [m for m in mutants if folder_of(m) == folder]) for folder in folders])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--least", type=float, default=85, help="per cent of a folder's mutants that must be killed")
    parser.add_argument("--again", action="store_true", help="only what was not killed the last time")
    parser.add_argument("--folder", action="append", choices=PROGRAMS, help="only this one; may be repeated")
    parser.add_argument("--one-of", type=int, default=1, metavar="N", help="a sample: one of N mutants, by a hash")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    began = time.time()
    tree = Tree(ROOT, WORK, PROGRAMS)
    folders = options.folder or list(PROGRAMS)
    tree.build(folders)
    outcome_file = WORK / "outcome.json"
    known = {tuple(k): v for k, v in json.loads(outcome_file.read_text())} if outcome_file.exists() else {}
    entries = read_equivalent()
    mutants = [m for m in tree.mutants() if folder_of(m) in folders
               and zlib.crc32("|".join(m.key()).encode()) % options.one_of == 0]
    unknown = set(entries) - {m.key() for m in tree.all} - {(m.file, m.function, "*") for m in tree.all}
    for key in sorted(unknown):
        print(f"equivalent.txt: there is no such mutant: {' | '.join(key)}")
    print(f"{len(mutants)} mutants, {len(tree.dropped)} more do not compile; built in {time.time() - began:.0f} s", flush=True)
    reach = {folder: Reach(tree.program(folder)) for folder in folders}
    print(f"reached: {time.time() - began:.0f} s", flush=True)

    def judge(mutant):
        if is_equivalent(mutant, entries):
            return "equivalent"
        if options.again and known.get(mutant.key()) == "killed":
            return "killed"
        folder = folder_of(mutant)
        if not reach[folder].tests_of[mutant.number]:
            return "not reached"
        return "killed" if reach[folder].is_killed(tree.program(folder), mutant.number) else "survived"

    outcome = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for mutant, result in zip(mutants, pool.map(judge, mutants)):
            outcome[mutant.key()] = result
            if len(outcome) % 100 == 0 or len(outcome) == len(mutants):  # one that is cut off goes on with --again
                outcome_file.write_text(json.dumps(sorted({**known, **outcome}.items())))
    with open(WORK / "survivors.txt", "w") as out:
        for mutant in mutants:
            if outcome[mutant.key()] in ("survived", "not reached"):
                print(*mutant.key(), outcome[mutant.key()], sep=" | ", file=out)
    worst = report(mutants, folders, outcome)
    print(f"{time.time() - began:.0f} s; what was not killed: {WORK}/survivors.txt")
    if unknown or worst < options.least:
        sys.exit(f"mutation: wanted {options.least} % of each folder" if worst < options.least else "mutation: see above")


if __name__ == "__main__":
    main()
