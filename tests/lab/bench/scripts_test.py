"""The goal table, from invented results."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts" / "bench"))
import goals


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


if __name__ == "__main__":
    unittest.main()
