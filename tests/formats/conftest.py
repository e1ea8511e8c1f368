"""Runs whose output the tests read back: the golden files of the writers, and a run of the program.

`run.path(NAME)` is a file or folder of the format NAME; `run.triples` what the JSONL of the same run says.
"""
import dataclasses
import json
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SLOTS = ("subject", "relation", "object")
OPTIONS = {
    "jsonl-offsets": ["--document-offsets"],
    "ntriples-classic": ["--classic-reification", "--base-iri", "https://example.org/"],
    "turtle-classic": ["--classic-reification", "--base-iri", "https://example.org/"],
}
FORMATS = ("tsv carb corenlp ntriples turtle graphml neo4j brat html hipporag lightrag "
           "jsonl-offsets ntriples-classic turtle-classic").split()
DOCUMENTS = {
    "plain.txt": (ROOT / "share/demo/sample.txt").read_bytes(),
    "hostile.txt": "\ufeff\"Zoë\" <b>told</b> Ann & Bob, 'the cat', that it never rained in Rome; 😀 won.\r\n\r\n"
                   "Dana Cafe\u0301 didn't\r\nbuy \u05d0\u05d1\u05d2 from C:\\tab\tand \x01sold\0 it, I think. "
                   "Did Eve\u2028see \"it\"?\n".encode() + b"Paul \xff\xc3 met Mary in Paris.\n",
    "empty.txt": b"",
}


@dataclasses.dataclass
class Triple:
    document: str
    sentence: int
    index: int  # in its sentence
    sentence_text: str
    sentence_bytes: tuple
    words: tuple  # subject, relation, object
    confidence: float
    bytes: dict  # slot -> [(begin, end)] in the document
    characters: dict
    implied: list
    polarity: str
    modality: str
    attributed_to: str | None
    circumstances: list  # (kind, text, characters)

    @property
    def asserted(self):
        return self.polarity == "positive" and self.modality == "certain" and self.attributed_to is None


def spans(pairs):
    return [tuple(pair) for pair in pairs]


def read_reference(path):
    """The sentences as JSON has them, and their triples."""
    # Not splitlines(): U+2028 is no end of a line here.
    sentences = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    triples = []
    for sentence in sentences:
        source = sentence["source"]
        for index, found in enumerate(sentence["extractions"]):
            factuality = found["factuality"]
            claimed = factuality["attributed_to"]
            triples.append(Triple(
                source["document"], source["sentence"], index, sentence["sentence"], tuple(source["bytes"]),
                tuple(found[slot] for slot in SLOTS), found["confidence"],
                {slot: spans(found["document_bytes"][slot]) for slot in SLOTS},
                {slot: spans(found["document_characters"][slot]) for slot in SLOTS},
                found.get("implied", []), factuality["polarity"], factuality["modality"],
                claimed["text"] if claimed else None,
                [(each["kind"], each["text"], spans(places)) for each, places in zip(
                    found.get("circumstances", []), found["document_characters"].get("circumstances", []),
                    strict=True)]))
    return sentences, triples


class Run:
    def __init__(self, folder):
        self.folder = folder
        self.sentences, self.triples = read_reference(self.path("jsonl-offsets"))

    def path(self, name):
        return self.folder / name


def run_program(folder):
    program = os.environ["DIFFIE"]
    for name, content in DOCUMENTS.items():
        (folder / name).write_bytes(content)
    for name in FORMATS:
        done = subprocess.run([program, "extract", "--all", "--mark-circumstances", "--format", name.split("-")[0], *OPTIONS.get(name, []),
                               "--output", name, *DOCUMENTS], cwd=folder, stderr=subprocess.PIPE)
        assert done.returncode == 1, done.stderr  # hostile.txt has bytes that are not UTF-8
    return folder


# Without DIFFIE, the path of the program, the golden files alone.
@pytest.fixture(scope="session", params=["golden", "program"] if "DIFFIE" in os.environ else ["golden"])
def run(request, tmp_path_factory):
    if request.param == "golden":
        return Run(ROOT / "tests/output/golden")
    return Run(run_program(tmp_path_factory.mktemp("run")))


def circumstances(triple, kind):
    """Of one kind, as graphs have them: on one line, semicolons are between them only."""
    return [one_line(text).replace(";", ",") for each, text, _ in triple.circumstances if each == kind]


def one_line(text):
    """White space and control characters as one blank, as the graphs have it."""
    return re.sub(r"[\s\x00-\x1f\x7f-\x9f]+", " ", text).strip(" ")


def key(text):
    return one_line(text).lower()
