"""The goal table and the pictures, from invented results."""
import pathlib
import sys
import tempfile
import unittest
import xml.dom.minidom

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "bench"))
import goals
import plots
import svg


def row(preset="balanced", speed=70.0, f1=0.56, samples=32, steps=4, **more):
    quality = None if f1 is None else {"carb": {"f1": f1, "auc": 0.4}, "carb_1_1": {"f1": f1 - 0.07, "auc": 0.3}}
    return {"model": "small", "preset": preset, "samples": samples, "steps": steps, "threads": 2, "sentences": 100,
            "sentences_per_s": speed, "tokens_per_s": speed * 25, "first_triple_s": 0.2, "peak_memory": 150e6,
            "pass_s": [100 / speed], "stages": {"pieces": 2500}, "quality": quality, **more}


def results(**more):
    return {"presets-small": [row("fast", 160, 0.54), row()], "full-small": [row(f1=0.565, samples=512, steps=16)],
            "corenlp": {"sentences_per_s": 10.0, "quality": {"carb": {"f1": 0.2}}}, **more}


def line_of(table, start):
    return next(line for line in table.lines if line[0].startswith(start))


class GoalTable(unittest.TestCase):
    def test_says_met_not_met_and_not_measured(self):
        table = goals.goal_table(results())
        self.assertEqual(line_of(table, "small, balanced: sentences/s")[2:], ("70.0", "56.0", "yes"))
        self.assertEqual(line_of(table, "small, balanced: against CoreNLP")[2:], ("7.0x", "56.0", "yes"))
        self.assertEqual(line_of(table, "small, balanced: F1 lost")[2:], ("0.50", "56.5", "yes"))
        self.assertEqual(line_of(table, "base, balanced: sentences/s")[2:], ("not measured", "-", "-"))
        slow = goals.goal_table(results(**{"presets-small": [row(speed=59.9, f1=0.549)]}))
        self.assertEqual(line_of(slow, "small, balanced: sentences/s")[4], "NO")
        self.assertEqual(line_of(slow, "small, balanced: F1")[4], "NO")
        self.assertEqual(line_of(slow, "small, fast: sentences/s")[4], "-")

    def test_nothing_measured_is_a_table_all_the_same(self):
        table = goals.goal_table({})
        self.assertTrue(all(line[2] == "not measured" and line[4] == "-" for line in table.lines))
        self.assertEqual(len(table.text().splitlines()), len(table.lines) + 1)

    def test_memory_that_grows_is_not_flat(self):
        self.assertAlmostEqual(goals.growth([100] * 100), 1)
        self.assertAlmostEqual(goals.growth([100 + i for i in range(100)]), 199 / 119)
        self.assertIsNone(goals.growth([100] * 5))

    def test_long_sentences_against_short_ones(self):
        lengths = [row(speed=50, length=32), row(speed=1, length=510)]
        table = goals.goal_table({"over-length": lengths})
        self.assertEqual(line_of(table, "time per piece")[2:], ("3.14x", "-", "NO"))


class Pictures(unittest.TestCase):
    def test_are_xml_and_name_what_they_show(self):
        grid = [row(samples=n, speed=1000 / n, f1=0.5 + n / 2000) for n in (4, 8, 16)] + [row("best", 2.0, 0.57, 256, 16)]
        everything = results(**{"quality-small": grid, "over-samples": grid[:3],
                                "memory": {"megabytes": 100, "tiny": {"resident": [5e7] * 30}, "small": {"resident": [1.5e8] * 30}}})
        with tempfile.TemporaryDirectory() as folder:
            written = plots.draw(everything, pathlib.Path(folder) / "img")
            texts = {path.name: path.read_text() for path in written}
        self.assertEqual(sorted(texts), ["cost.svg", "speed_quality.svg"])
        for text in texts.values():
            xml.dom.minidom.parseString(text)
            self.assertNotIn("nan", text)
        for word in ("CoreNLP", "small best", "n = 4", "small, 4 steps"):
            self.assertIn(word, texts["speed_quality.svg"])

    def test_nothing_to_draw_writes_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(plots.draw({}, pathlib.Path(folder)), [])

    def test_text_is_escaped(self):
        picture = svg.Picture(10, 10, "a < b & c")
        xml.dom.minidom.parseString(picture.text())

    def test_ticks(self):
        self.assertEqual(svg.ticks(1, 100, True), [1, 2, 5, 10, 20, 50, 100])
        self.assertEqual(svg.ticks(0, 10, False), [0, 2, 4, 6, 8, 10])


if __name__ == "__main__":
    unittest.main()
