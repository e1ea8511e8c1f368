"""scripts/data/merge_pools.py on small pools."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[3] / "scripts" / "data" / "merge_pools.py"
UNIT = 1 << 20


def line(pool, words=("a", "b", "c"), **more):
    return {"sentence": " ".join(words), "words": list(words), **more, "pool": pool}


class MergePools(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_script(self, files, *options):
        paths = []
        for number, lines in enumerate(files):
            paths.append(self.folder / f"{number}.jsonl")
            paths[-1].write_text("".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in lines), encoding="utf-8")
        self.out = self.folder / "out.jsonl"
        return subprocess.run([sys.executable, "-B", SCRIPT, *paths, "--out", self.out, *options], capture_output=True, text=True)

    def merge(self, files, *options):
        done = self.run_script(files, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(text) for text in self.out.read_text(encoding="utf-8").split("\n")[:-1]]

    def test_is_the_mean_and_the_rest_has_no_triple(self):
        a = line([["SRO", 600000], ["BBB", 448576]], implied=1)
        b = line([["ORS", 500001], ["SRO", 400000, 0.5, 0.25], ["BBB", 148575]], implied=1)
        merged, = self.merge([[a], [b]])
        self.assertEqual(merged["pool"], [["SRO", 500000], ["BBB", UNIT - 750000], ["ORS", 250000]])
        self.assertEqual(merged, {**a, "pool": merged["pool"]})

    def test_keeps_the_heaviest_triples(self):
        pool = [["BBB", UNIT - 70], ["RSO", 30], ["ROS", 20], ["SOR", 20]]
        merged, = self.merge([[line(pool)]], "--most", "2")
        self.assertEqual(merged["pool"], [["BBB", UNIT - 50], ["RSO", 30], ["ROS", 20]])

    def test_thins_what_is_light(self):
        words = ["w"] * 50
        triples = ["SR" + "B" * place + "O" + "B" * (47 - place) for place in range(48)]
        pool = [[tags, 1000 - rank] for rank, tags in enumerate(triples)]
        merged, = self.merge([[line([["B" * 50, UNIT - sum(weight for _, weight in pool)], *pool], words)]], "--thin")
        kept = [tags for tags, _ in merged["pool"][1:]]
        self.assertEqual(kept, triples[:8] + triples[8:40:4])
        self.assertEqual(sum(weight for _, weight in merged["pool"]), UNIT)

    def test_weights_fall_and_nothing_has_none(self):
        files = [[line([["SRO", 1], ["BBB", UNIT - 1]]), line([]), line([], ())], [line([["BBB", UNIT]]), line([]), line([], ())]]
        self.assertEqual([entry["pool"] for entry in self.merge(files)], [[["BBB", UNIT]], [], []])

    def test_a_line_ends_where_the_file_says(self):
        odd = ("a\u2028b", "c\x85", "d")
        merged, = self.merge([[line([["SRO", UNIT]], odd)]] * 2)
        self.assertEqual(merged["words"], list(odd))

    def test_refuses_other_sentences(self):
        one, other = line([["SRO", UNIT]]), line([["SRO", UNIT]], ("a", "b", "x"))
        for files in ([[one], [other]], [[one, one], [one]], [[one], [one, one]]):
            done = self.run_script(files)
            self.assertEqual(done.returncode, 1)
            self.assertIn("not the same sentence", done.stderr)
            self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main()
