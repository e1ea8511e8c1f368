"""The goal table, from invented results; speed on a GPU, of a program that is none."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[3] / "scripts"
sys.path.insert(0, str(SCRIPTS / "bench"))
import goals

# A line for each line of the text, or one less where LOSES is set; what `score` and `bench` say of it.
PROGRAM = """#!/bin/sh
case "$1" in
  extract) for text; do :; done; tail -n +$((1 + ${LOSES:-0})) "$text" ;;
  score) echo '{"f1": 0.5, "auc": 0.25}' ;;
  bench) echo '{"rows": [{"sentences_per_s": 9.0, "latency": {"mean_ms": 2.0, "p50_ms": 1.5, "p99_ms": 4.0}}]}' ;;
esac
"""


def row(preset="balanced", speed=230.0, f1=0.56, samples=32, steps=4, **more):
    quality = None if f1 is None else {"carb": {"f1": f1, "auc": 0.4}, "carb_1_1": {"f1": f1 - 0.07, "auc": 0.3}}
    return {"model": "small", "preset": preset, "samples": samples, "steps": steps, "threads": 2, "sentences": 100,
            "sentences_per_s": speed, "tokens_per_s": speed * 25, "first_triple_s": 0.2, "peak_memory": 150e6,
            "pass_s": [100 / speed], "stages": {"pieces": 2500}, "quality": quality, **more}


def results(**more):
    return {"presets-small": [row("fast", 310, 0.54), row()], "far-small": [row(f1=0.565)],
            "corenlp": {"sentences_per_s": 23.0, "quality": {"carb": {"f1": 0.2}}}, **more}


def line_of(table, start):
    return next(line for line in table.lines if line[0].startswith(start))


class GoalTable(unittest.TestCase):
    def test_says_met_not_met_and_not_measured(self):
        table = goals.goal_table(results())
        self.assertEqual(line_of(table, "small, balanced: sentences/s")[2:], ("230.0", "56.0", "yes"))
        self.assertEqual(line_of(table, "small, balanced: against CoreNLP")[2:], ("10.0x", "56.0", "yes"))
        self.assertEqual(line_of(table, "small, balanced: F1 lost")[2:], ("0.50", "56.5", "yes"))
        self.assertEqual(line_of(table, "base, balanced: sentences/s")[2:], ("not measured", "-", "-"))
        slow = goals.goal_table(results(**{"presets-small": [row(speed=219.9, f1=0.549)]}))
        self.assertEqual(line_of(slow, "small, balanced: sentences/s")[4], "NO")
        self.assertEqual(line_of(slow, "small, balanced: F1 lost")[2:], ("1.60", "56.5", "NO"))
        self.assertEqual(line_of(slow, "small, fast: sentences/s")[4], "-")

    def test_nothing_measured_is_a_table_all_the_same(self):
        table = goals.goal_table({})
        self.assertTrue(all(line[2] == "not measured" and line[4] == "-" for line in table.lines))
        self.assertEqual(len(table.text().splitlines()), len(table.lines) + 1)

    def test_quality_of_a_preset_must_reach_all_three_figures(self):
        part = lambda *figures: {"all": dict(zip(("carb_f1", "carb_auc", "carb_1_1_f1"), figures))}
        presets = {"fast": part(57.5, 41.9, 50), "best": part(57.0, 44.5, 49.0)}
        table = goals.goal_table({}, {"small": {"presets": presets}})
        fast, best = (line_of(table, f"small, {name}: carb F1 / AUC") for name in ("fast", "best"))
        self.assertEqual(best[1:], (">= 57 / 44.5, 49", "57.00 / 44.50, 49.00", "57.0", "yes"))
        self.assertEqual(fast[2:], ("57.50 / 41.90, 50.00", "57.5", "NO"))
        self.assertEqual(line_of(table, "base, best: carb F1")[2:], ("not measured", "-", "-"))

    def test_memory_that_grows_is_not_flat(self):
        self.assertAlmostEqual(goals.growth([100] * 100), 1)
        self.assertAlmostEqual(goals.growth([100 + i for i in range(100)]), 199 / 119)
        self.assertIsNone(goals.growth([100] * 5))

    def test_long_sentences_against_short_ones(self):
        lengths = [row(speed=50, length=32), row(speed=1, length=510)]
        table = goals.goal_table({"over-length": lengths})
        self.assertEqual(line_of(table, "time per piece")[2:], ("3.14x", "-", "NO"))


class SpeedOnAGpu(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "dev.txt").write_text("one\ntwo\nthree\n")
        for name in ("diffie", "diffie-lab"):
            (self.folder / name).write_text(PROGRAM)
            (self.folder / name).chmod(0o755)

    def run_script(self, *arguments, **env):
        return subprocess.run([sys.executable, SCRIPTS / "gpu" / "speed.py", self.folder, self.folder / "out", "--build", self.folder,
                               "--device", "cpu", "--copies", "2", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, **env})

    def rows(self, part):
        return json.loads((self.folder / "out" / f"speed-cpu-{part}.json").read_text())

    def test_every_configuration_has_its_turns_and_its_quality(self):
        result = self.run_script("--only", "small,base,paper,latency", "--paper-model", self.folder, "--paper-repeat", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([row["preset"] for row in self.rows("base")], ["fast", "balanced", "best"])
        for row, sentences, turns in [(row, 6, 3) for row in self.rows("small")] + [(self.rows("paper")[0], 3, 2)]:
            self.assertEqual((row["sentences"], len(row["run_s"])), (sentences, turns))
            self.assertEqual(row["quality"], {"carb": {"f1": 0.5, "auc": 0.25}, "carb_1_1": {"f1": 0.5, "auc": 0.25}})
            self.assertAlmostEqual(row["sentences_per_s"], sentences / sorted(row["run_s"])[1] if turns == 3 else
                                   sentences / (sum(row["run_s"]) / 2))
        self.assertEqual([(row["model"], row["latency"]["p99_ms"]) for row in self.rows("latency")], [("small", 4.0)] * 3 + [("base", 4.0)] * 3)
        self.assertIn("F1 / AUC 50.00 / 25.00", result.stdout)

    def test_lost_sentences_are_no_speed(self):
        result = self.run_script("--only", "small", LOSES="1")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("5 lines for 6 sentences", result.stderr)


if __name__ == "__main__":
    unittest.main()
