"""The reader's set and its judge."""
import collections
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts" / "reader"))
import facts
import holes
import judge

IMPLIED = {"is", "are", "was", "were", "has", "had"}
QUESTION = {"polarity": "positive", "modality": "question", "attributed_to": None}
NEGATIVE = {"polarity": "negative", "modality": "certain", "attributed_to": None}
PLAIN = {"polarity": "positive", "modality": "certain", "attributed_to": None}


class Files(unittest.TestCase):
    sentences = judge.read_sentences(HERE / "sentences.txt")

    def test_sentences(self):
        self.assertEqual(list(self.sentences), list(range(1, 201)))
        self.assertEqual(len({sentence for _, sentence in self.sentences.values()}), 200)
        genres = collections.Counter(genre for genre, _ in self.sentences.values())
        self.assertEqual(len(genres), 9)
        self.assertGreaterEqual(min(genres.values()), 20)

    def test_facts_have_the_words_of_their_sentence(self):
        for line in (HERE / "facts.tsv").read_text(encoding="utf-8").splitlines():
            number, _, *slots, status = line.split("\t")
            self.assertEqual(len(slots), 3, line)
            self.assertIn(status, ("asserted", "attributed", "denied", "asked", "conditional"), line)
            known = set(facts.words(self.sentences[int(number)][1])) | IMPLIED
            for slot in slots:
                for reading in facts.expand(slot):
                    self.assertTrue(reading and set(reading) <= known, f"{line}: {set(reading) - known}")

    def test_verdicts_are_of_words_of_their_sentence_and_single(self):
        lines = (HERE / "verdicts.tsv").read_text(encoding="utf-8").splitlines()
        verdicts = judge.read_verdicts(HERE / "verdicts.tsv")
        self.assertEqual(len(verdicts), len(lines))
        for (number, *slots), _ in verdicts.items():
            known = set(facts.words(self.sentences[number][1])) | IMPLIED | {"t"}
            for slot in slots:
                self.assertLessEqual(set(facts.words(slot)) - {"isn", "don"}, known, (number, slot))

    def test_no_verdict_contradicts_a_fact(self):
        book = facts.FactBook(HERE / "facts.tsv")
        for (number, *slots), verdict in judge.read_verdicts(HERE / "verdicts.tsv").items():
            self.assertIn(book.verdict(number, slots, None), (None, verdict), (number, slots))


class Facts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(self.folder.name) / "facts.tsv"
        path.write_text("1\t1\tthe mayor / He\tserved as\t[first] mayor [of [the city of] Bonn]\tasserted\n"
                        "2\t1\tAnn\tdid not buy\ta car\tdenied\n"
                        "3\t1\tWho\tfounded\tit\tasked\n"
                        "4\t1\ttroops\tcrossed\tborder\tdenied\n")
        self.book = facts.FactBook(path)

    def tearDown(self):
        self.folder.cleanup()

    def verdict(self, number, text, factuality=None):
        slots = [slot.strip() for slot in text.split("|")]
        return judge.judge(number, dict(zip(("subject", "relation", "object"), slots), factuality=factuality), self.book,
                           {(9, "a", "b", "c"): "not-asserted"})

    def test_wordings(self):
        for text in ("The mayor | served as | mayor", "he | served as the first | mayor of Bonn", "He | served | as mayor of the city of Bonn"):
            self.assertEqual(self.verdict(1, text), "right" if "first |" not in text else None, text)
        for text in ("mayor | served | mayor", "He | served as | first", "He | served as mayor of | Bonn", "He) | served as | mayor",
                     "He | served as the | the mayor", "She | served as | mayor"):
            self.assertIsNone(self.verdict(1, text), text)

    def test_what_is_denied_or_asked_must_say_so(self):
        self.assertEqual(self.verdict(2, "Ann | didn't buy | a car"), "right")
        self.assertEqual(self.verdict(2, "Ann | didn't buy | a car", NEGATIVE), "right")
        self.assertEqual(self.verdict(2, "Ann | did buy | a car"), "not-asserted")
        self.assertEqual(self.verdict(2, "Ann | buy | a car", NEGATIVE), "right")
        self.assertEqual(self.verdict(3, "Who | founded | it"), "not-asserted")
        self.assertEqual(self.verdict(3, "Who | founded | it", PLAIN), "not-asserted")
        self.assertEqual(self.verdict(3, "Who | founded | it", QUESTION), "right")
        self.assertEqual(self.verdict(4, "troops | crossed | the border"), "not-asserted")
        self.assertEqual(self.verdict(9, "a | b | c"), "not-asserted")
        self.assertEqual(self.verdict(9, "a | b | c", QUESTION), "right")

    def test_what_is_asserted_must_not_be_called_otherwise(self):
        self.assertEqual(self.verdict(1, "He | served as | mayor", PLAIN), "right")
        self.assertEqual(self.verdict(1, "He | served as | mayor", QUESTION), "mismarked")
        self.assertEqual(self.verdict(1, "He | served as | mayor", NEGATIVE), "mismarked")


class Holes(unittest.TestCase):
    """A few cases of tests/lab/score/holes_test.cpp."""

    def hole(self, sentence, **slots):
        spans = {role: [[sentence.index(part), sentence.index(part) + len(part)] for part in parts] for role, parts in slots.items()}
        return holes.has_hole(sentence, {"spans": spans})

    def test_cases(self):
        self.assertFalse(self.hole("The firm has not yet signed it", subject=["firm"], relation=["has", "signed"], object=["it"]))
        self.assertFalse(self.hole("He picked the book up", subject=["He"], relation=["picked", "up"], object=["the book"]))
        self.assertTrue(self.hole("He gave the book to Ann", subject=["He"], relation=["gave", "to"], object=["Ann"]))
        self.assertTrue(self.hole("Ann and Ben like tea", subject=["Ann", "Ben"], relation=["like"], object=["tea"]))


class Reliability(unittest.TestCase):
    def test_bins_and_the_mean_distance_from_what_was_promised(self):
        report = judge.reliability([(0.95, True), (0.85, True), (0.85, False), (0.3, True)])["reliability"]
        filled = [(round(one["low"], 1), one["triples"], one["right"]) for one in report["bins"] if one["triples"]]
        self.assertEqual(filled, [(0.2, 1, 1.0), (0.8, 2, 0.5), (0.9, 1, 1.0)])
        self.assertAlmostEqual(report["calibration_error"], (0.05 + 2 * 0.35 + 0.7) / 4)


if __name__ == "__main__":
    unittest.main()
