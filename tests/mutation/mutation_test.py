"""The mutants of a few lines of C++: which there are, and what each of them does."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/mutation"))
try:
    import clang.cindex
except ImportError:
    python = ROOT / "build/mutation/venv/bin/python"
    if not python.exists() or sys.executable == str(python):
        sys.exit(77)
    os.execv(python, [str(python), "-B", *sys.argv])
from mutants import Finder, number
from schemata import Writer

SOURCE = """
constexpr int kLimit = 3;
int calls;
void note() { ++calls; }
bool below(int value) { return value < kLimit; }
int sum_below(int end) {
  int sum = 0;
  for (int i = 0; i < end; ++i) {
    if (i == 2) continue;
    sum += i;
  }
  note();
  static_assert(kLimit + 1 == 4);
  return sum;
}
"""
MAIN = """
#include <cstdio>
int main() {
  const int sum = sum_below(5);
  std::printf("%d%d %d %d", below(2), below(3), sum, calls);
}
"""

# What the program prints with each mutant; without one: 10 8 1.
WANTED = {
    ("note", "++calls -> --calls"): "10 8 -1",
    ("below", "value < kLimit -> (value <= kLimit)"): "11 8 1",
    ("below", "value < kLimit -> (value >= kLimit)"): "01 8 1",
    ("sum_below", "0 -> (0 + 1)"): "10 9 1",
    ("sum_below", "0 -> (0 + 1) #2"): "10 8 1",
    ("sum_below", "i < end -> (i <= end)"): "10 13 1",
    ("sum_below", "i < end -> (i >= end)"): "10 0 1",
    ("sum_below", "++i -> --i"): None,
    ("sum_below", "i == 2 -> (i != 2)"): "10 2 1",
    ("sum_below", "2 -> (2 + 1)"): "10 7 1",
    ("sum_below", "2 -> (2 - 1)"): "10 9 1",
    ("sum_below", "continue ->"): "10 10 1",
    ("sum_below", "sum += i -> (sum -= i)"): "10 -8 1",
    ("sum_below", "sum += i -> (nothing)"): "10 0 1",
    ("sum_below", "note() -> (nothing)"): "10 8 0",
    ("sum_below", "sum -> (sum) + 1"): "10 9 1",
}


class Mutants(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = str(self.folder / "sample.cpp")
        pathlib.Path(self.path).write_text(SOURCE)
        unit = clang.cindex.Index.create().parse(self.path, args=["-std=c++20"])
        self.sites = Finder(unit, {self.path}).run()
        self.mutants = number(self.sites)

    def test_are_those_of_the_operators(self):
        found = [(function, change) for _, function, change in (m.key() for m in self.mutants)]
        self.assertEqual(sorted(found), sorted(WANTED))

    def test_are_switched_on_one_at_a_time(self):
        mutated = Writer(SOURCE, self.sites[self.path].values(), set()).text + MAIN
        (self.folder / "mutated.cpp").write_text(mutated)
        subprocess.run(["g++", "-std=c++20", f"-I{ROOT}/scripts/mutation", "-o", "program", "mutated.cpp"],
                       cwd=self.folder, check=True)

        def run(**environment):
            return subprocess.run([self.folder / "program"], env={**os.environ, **environment}, capture_output=True,
                                  text=True, check=True).stdout
        reached = self.folder / "reached"
        self.assertEqual(run(DIFFIE_MUTANTS_REACHED=str(reached)), "10 8 1")
        for mutant in self.mutants:
            self.assertEqual(reached.read_bytes()[mutant.number], 1, mutant)
            wanted = WANTED[mutant.key()[1:]]
            if wanted is not None:
                self.assertEqual(run(DIFFIE_MUTANT=str(mutant.number)), wanted, mutant)

    def test_of_a_complaint_the_innermost_is_blamed(self):
        writer = Writer(SOURCE, self.sites[self.path].values(), set())
        lines = writer.text.split("\n")
        line = next(i for i, text in enumerate(lines) if "continue" in text)
        blamed = writer.blamed(line + 1, lines[line].index("2 + 1") + 1)
        self.assertEqual({m.change for m in blamed}, {"2 -> (2 + 1)", "2 -> (2 - 1)"})
        left = Writer(SOURCE, self.sites[self.path].values(), {m.key() for m in blamed})
        self.assertNotIn("2 + 1", left.text)


if __name__ == "__main__":
    unittest.main()
