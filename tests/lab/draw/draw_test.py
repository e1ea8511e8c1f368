"""The scripts of scripts/draw on tiny inputs: well-formed pictures with every line and point. Exits with 77 without matplotlib."""
import contextlib
import importlib.util
import io
import json
import pathlib
import runpy
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree as ElementTree

DRAW = pathlib.Path(__file__).resolve().parents[3] / "scripts" / "draw"
sys.path.insert(0, str(DRAW))  # as for a script that is run
SWEEP_COLUMNS = "label pool runs selector rule n k tau power wording min_confidence carb_F1 carb_F1_sd".split()


def sweep_table(*rows):
    """Rows of (label, pool, selector, k, tau, F1, deviation)."""
    lines = ["\t".join(SWEEP_COLUMNS)]
    for label, pool, selector, k, tau, f1, deviation in rows:
        lines.append("\t".join(map(str, (label, pool, 1, selector, "longest", 4, k, tau, "", "", 0, f1, deviation))))
    return "\n".join(lines) + "\n"


def bench_row(preset="balanced", speed=70.0, samples=32, steps=4, **more):
    return {"preset": preset, "samples": samples, "steps": steps, "threads": 2, "sentences": 100, "sentences_per_s": speed,
            "pass_s": [100 / speed], "quality": {"carb": {"f1": 0.5 + samples / 2000}}, **more}


def curve_row(theta, rows):
    return bench_row(speed=1000 / rows, theta=theta, stages={"rows": 100 * rows})


class Picture:
    """An SVG by the ids of its groups; the points of a line are its markers."""

    def __init__(self, path):
        root = ElementTree.parse(path).getroot()
        self.groups = {element.get("id"): element for element in root.iter() if element.get("id")}
        self.words = " ".join(text for text in root.itertext() if text.strip())
        self.text = path.read_text()

    def ids(self, start):
        return sorted(name for name in self.groups if name.startswith(start))

    def markers(self, name):
        return sum(1 for element in self.groups[name].iter() if element.tag.endswith("}use"))

    def corners(self, name):
        """Points of a line without markers."""
        path = next(element for element in self.groups[name].iter() if element.tag.endswith("}path"))
        return path.get("d").count("L") + 1


class Drawing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_script(self, name, *arguments):
        with unittest.mock.patch.object(sys, "argv", [name, *map(str, arguments)]), contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path(str(DRAW / name), run_name="__main__")

    def draw(self, name, content, *arguments):
        given = self.folder / "given"
        given.write_text(content)
        self.run_script(name, given, *arguments, "--title", "a < b & c", "--out", self.folder / "out.svg")
        picture = Picture(self.folder / "out.svg")
        self.assertIn("a < b & c", picture.words)
        self.assertNotIn("nan", picture.text)
        return picture

    def test_precision_recall_has_a_curve_and_a_best_point_for_each_system(self):
        system = {"measure": "carb", "system": "<one>", "precision": 0.8, "recall": 0.4, "f1": 0.533, "auc": 0.3,
                  "curve": [[0.5, 0.6, 0.1], [0.8, 0.4, 0.5], [0.9, 0.1, 0.9]]}
        plain = {"measure": "benchie", "system": "two", "precision": 0.5, "recall": 0.2, "f1": 0.285, "auc": None}
        picture = self.draw("precision_recall.py", json.dumps({"systems": [system, plain]}))
        self.assertEqual(picture.ids("curve-"), ["curve-0"])
        self.assertEqual(picture.corners("curve-0"), 4)  # and the point where nothing is predicted
        self.assertEqual(picture.ids("best-"), ["best-0", "best-1"])
        for word in ("<one>", "F1 53.3, AUC 30.0", "two", "F1 28.5"):
            self.assertIn(word, picture.words)
        self.assertEqual(self.draw("precision_recall.py", json.dumps(plain)).ids("best-"), ["best-0"])

    def test_sweep_draws_a_line_per_setting_over_the_axis_that_varies(self):
        rows = [("run", "a", selector, k, 0.9, 50 + k, "") for selector in ("lenient", "frequency") for k in (1, 2, 4)]
        picture = self.draw("sweep.py", sweep_table(*rows))
        self.assertEqual(picture.ids("line-"), ["line-0", "line-1"])
        self.assertEqual([picture.markers(line) for line in picture.ids("line-")], [3, 3])
        self.assertIn("F1 (carb)", picture.words)

    def test_sweep_takes_means_and_leaves_out_their_pools(self):
        rows = [("run", pool, "lenient", k, 0.9, 50, 0.5) for pool in ("a", "b", "(mean)") for k in (1, 2)]
        picture = self.draw("sweep.py", sweep_table(*rows))
        self.assertEqual([picture.markers(line) for line in picture.ids("line-")], [2])

    def test_what_the_axis_does_not_touch_is_a_level_line(self):
        rows = [("run", "a", "lenient", 4, tau, 50, "") for tau in (0.5, 0.9)] + [("run", "a", "frequency", 4, "", 49, "")]
        picture = self.draw("sweep.py", sweep_table(*rows))
        self.assertEqual((picture.ids("line-"), picture.ids("level-")), (["line-0"], ["level-1"]))

    def test_sweep_keeps_the_best_of_many_lines(self):
        rows = [(f"run {i}", "a", "lenient", k, 0.9, 40 + i, "") for i in range(10) for k in (1, 2)]
        picture = self.draw("sweep.py", sweep_table(*rows))
        self.assertEqual(len(picture.ids("line-")), 8)
        self.assertIn("the best 8 of 10 lines", picture.words)
        self.assertNotIn("run 1 ", picture.words + " ")

    def test_reliability_has_a_dot_for_each_bin_that_is_not_empty(self):
        bins = [{"low": i / 10, "high": (i + 1) / 10, "triples": i, "confidence": i / 10 + 0.05, "right": i / 10} for i in range(10)]
        picture = self.draw("reliability.py", json.dumps({"reliability": {"calibration_error": 0.0512, "bins": bins}}))
        self.assertEqual(picture.markers("bins"), 9)
        self.assertIn("expected calibration error 0.051", picture.words)

    def test_training_draws_loss_and_where_measured_f1(self):
        head = "step,epoch,seconds,loss,rate,instances_per_second,dev_precision,dev_recall,dev_f1,dev_auc\n"
        rows = ["10,0.1,1,2.5,0.1,9,,,,\n", "20,0.2,2,1.5,0.1,9,,,,\n", "20,0.2,3,,,,0.5,0.5,0.5,0.4\n"]
        picture = self.draw("training.py", head + "".join(rows))
        self.assertEqual([picture.markers(curve) for curve in picture.ids("curve-")], [2, 1])
        self.assertEqual(self.draw("training.py", head + rows[0]).ids("curve-"), ["curve-0"])

    TIMELINE = json.dumps({"traceEvents": [
        {"ph": "M", "pid": 1, "tid": 0, "name": "process_name", "args": {"name": "CPU"}},
        {"ph": "M", "pid": 1, "tid": 1, "name": "thread_name", "args": {"name": "worker 0"}},
        {"ph": "M", "pid": 2, "tid": 2, "name": "thread_name", "args": {"name": "stream 0"}},
        {"ph": "M", "pid": 1, "tid": 3, "name": "thread_name", "args": {"name": "worker 1"}},
        *({"ph": "X", "pid": pid, "tid": tid, "name": name, "ts": ts, "dur": dur} for pid, tid, name, ts, dur in (
            (1, 1, "tokenize", 0, 900), (1, 1, "encode", 1000, 8500), (1, 1, "select", 20000, 100), (1, 1, "select", 20101, 100),
            (1, 1, "select", 23000, 100), (2, 2, "encode", 2000, 4000), (2, 2, "encode", 90000, 4000)))]})

    def bars(self, picture, name):
        return sum(1 for element in picture.groups[name].iter() if element.tag.endswith("}path"))

    def test_timeline_draws_the_stages_of_each_row_in_the_window(self):
        picture = self.draw("timeline.py", self.TIMELINE, "--from", 5, "--to", 25)
        self.assertEqual(picture.ids("encode-"), ["encode-stream-0", "encode-worker-0"])
        self.assertEqual(picture.ids("tokenize-"), [])  # before the window
        self.assertEqual([self.bars(picture, name) for name in ("encode-worker-0", "select-worker-0")], [1, 2])  # two are too close
        for word in ("worker 0", "worker 1", "stream 0", "encode", "select", "ms"):
            self.assertIn(word, picture.words)
        self.assertNotIn("tokenize", picture.words)

    def test_timeline_needs_a_window_that_is_one(self):
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
            self.draw("timeline.py", self.TIMELINE, "--from", 5, "--to", 5)

    def draw_benchmarks(self, results, measured={}):
        for name, result in results.items():
            (self.folder / f"{name}.json").write_text(json.dumps(result))
        for model, record in measured.items():
            (self.folder / "models" / model).mkdir(parents=True)
            (self.folder / "models" / model / "measured.json").write_text(json.dumps(record))
        self.run_script("benchmarks.py", self.folder, "--out", self.folder / "img", "--models", self.folder / "models")
        return {path.name: Picture(path) for path in (self.folder / "img").glob("*")}

    def test_benchmarks(self):
        curve = [curve_row(theta, rows) for theta, rows in ((0.3, 4), (0.03, 8), (0.01, 16))]
        memory = {"megabytes": 100, "tiny": {"resident": [5e7] * 30}, "small": {"resident": [1.5e8] * 30}}
        pictures = self.draw_benchmarks({
            "quality-small": curve, "presets-small": [bench_row("fast", 160), bench_row(), bench_row("best", 2.0)], "memory": memory,
            "corenlp": {"sentences_per_s": 10.0, "quality": {"carb": {"f1": 0.2}}}})
        self.assertEqual(sorted(pictures), ["cost.svg", "speed_quality.svg"])
        speed, cost = pictures["speed_quality.svg"], pictures["cost.svg"]
        self.assertEqual([speed.markers(name) for name in ("line-small", "presets-small", "peer")], [3, 3, 1])
        for word in ("CoreNLP", "presets, 2 cores", "theta = 0.3", "small, over theta"):
            self.assertIn(word, speed.words)
        self.assertEqual(cost.markers("cost-rows"), 3)
        self.assertEqual(len(cost.ids("memory-")), 2)

    def test_exactness_of_the_presets_that_have_it(self):
        results = {"presets-small": [bench_row("fast", 160), bench_row(), bench_row("best", 2.0)]}
        figures = {"benchie": {"sentences": 60, "f1": 31.5, "best_f1": 33, "best_threshold": 0.4}}
        presets = {"fast": figures, "best": figures, "balanced": {"all": {}}, "paper": figures}
        picture = self.draw_benchmarks(results, {"small": {"presets": presets}})["speed_quality.svg"]
        self.assertEqual([picture.markers(name) for name in ("exact-own", "exact-best")], [2, 2])
        self.assertIn("BenchIE, sentences 1 to 60", picture.words)

    def test_old_records_have_no_exactness(self):
        picture = self.draw_benchmarks({"presets-small": [bench_row("fast", 160)]}, {"small": {"presets": {"fast": {"all": {}}}}})["speed_quality.svg"]
        self.assertEqual(picture.ids("exact-"), [])

    def test_speed_on_a_gpu_stands_beside_that_on_cores(self):
        end_to_end = lambda preset, speed, f1: {"preset": preset, "sentences_per_s": speed, "cores": 16, "gpu": "NVIDIA H200, 580.1",
                                                "quality": {"carb": {"f1": f1}}}
        picture = self.draw_benchmarks({
            "presets-small": [bench_row("fast", 160), bench_row()],
            "speed-cuda-small": [end_to_end("fast", 30000, 0.57), end_to_end("balanced", 20000, 0.575)],
            "speed-cuda-base": [{**end_to_end("balanced", 9000, 0.58), "quality": None}],
            "speed-cuda-paper": [end_to_end("paper", 20, 0.52)],
            "speed-cpu-small": [end_to_end("balanced", 3000, 0.576)],
            "torch-small": [{"sentences_per_s": 4000}, {"sentences_per_s": 5000}], "torch-base": [{"sentences_per_s": 3000}],
            "torch-paper": [{"sentences_per_s": 7}]})["speed_quality.svg"]
        self.assertEqual([picture.markers(name) for name in ("presets-small", "gpu-small", "gpu-paper", "host-small", "torch")],
                         [2, 2, 1, 1, 2])
        for word in ("NVIDIA H200", "16 cores of its host", "PyTorch there", "10,000"):
            self.assertIn(word, picture.words)
        self.assertNotIn("base", picture.words.split())  # no F1 was measured that it could stand at

    def test_a_gpu_alone_is_drawn_too(self):
        row = {"preset": "fast", "sentences_per_s": 300.0, "cores": 16, "gpu": None, "quality": {"carb": {"f1": 0.5}}}
        picture = self.draw_benchmarks({"speed-cuda-small": [row]})["speed_quality.svg"]
        self.assertEqual((picture.markers("gpu-small"), picture.ids("presets")), (1, []))

    def test_nothing_measured_draws_nothing(self):
        self.assertEqual(self.draw_benchmarks({}), {})


if __name__ == "__main__":
    if importlib.util.find_spec("matplotlib") is None:
        sys.exit(77)
    unittest.main()
