#!/usr/bin/env python3
"""tables_test.py DIFFIE: Parquet and Arrow files as pyarrow writes and reads them, against the JSONL of the same documents."""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet

DIFFIE = os.path.abspath(sys.argv.pop(1))
TEXTS = {
    "a": "Marie Curie discovered polonium. According to Anna, she won two prizes.",
    "é": "Ünïcode 😀 texts have offsets.\n\nParis lies on the Seine.",
    "nothing": "",
    "c": "The mayor did not sign the contract. \u3000Vienna, the capital, lies on the Danube.",
}


def extract(*arguments, check=True, **kwargs):
    run = subprocess.run([DIFFIE, "extract", *arguments], capture_output=True, **kwargs)
    if check and run.returncode != 0:
        raise AssertionError(run.stderr.decode())
    return run


def quoted(text, spans):
    return " ".join(text[span["begin"]:span["end"]] for span in spans)


class Tables(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        os.chdir(self.folder.name)
        self.table = pa.table({"id": list(TEXTS), "text": list(TEXTS.values()), "other": [1.5] * len(TEXTS)})
        with open("in.jsonl", "w") as file:
            for row in self.table.to_pylist():
                file.write(json.dumps(row) + "\n")
        self.jsonl = extract("-f", "jsonl", "--id-field", "id", "in.jsonl").stdout

    def tearDown(self):
        os.chdir("/")
        self.folder.cleanup()

    def test_inputs_are_read_as_jsonl_is(self):
        pa.parquet.write_table(self.table, "in.parquet", row_group_size=2)
        with pa.ipc.new_file("in.arrow", self.table.schema) as file:
            file.write_table(self.table, max_chunksize=3)
        with pa.ipc.new_stream("in.arrows", self.table.schema) as stream:
            stream.write_table(self.table)
        for name in ("in.parquet", "in.arrow", "in.arrows"):
            self.assertEqual(extract("-f", "jsonl", "--id-field", "id", name).stdout, self.jsonl, name)
        with open("in.arrows", "rb") as stream:
            run = extract("-f", "jsonl", "--id-field", "id", "--input-format", "arrow", stdin=stream)
        self.assertEqual(run.stdout, self.jsonl)

    def test_a_stream_that_comes_as_text_is_named(self):
        stream = pa.BufferOutputStream()
        with pa.ipc.new_stream(stream, self.table.schema) as writer:
            writer.write_table(self.table)
        for arguments in ([], ["--input-format", "jsonl"], ["--lines"]):
            run = extract("-f", "jsonl", *arguments, check=False, input=stream.getvalue().to_pybytes())
            self.assertEqual(run.returncode, 1)
            self.assertEqual(run.stdout, b"")
            self.assertIn(b"diffie: -: is an Arrow stream, not text: extract --input-format arrow reads it\n", run.stderr)

    def test_every_kind_of_string_is_text(self):
        texts = pa.array(TEXTS.values())
        kinds = [pa.large_string(), pa.dictionary(pa.int8(), pa.string())]
        for kind in kinds:
            pa.parquet.write_table(pa.table({"text": texts.cast(kind), "id": [5, 6, 7, 8]}), "in.parquet")
            lines = extract("-f", "jsonl", "--id-field", "id", "in.parquet").stdout.splitlines()
            self.assertEqual([json.loads(line)["source"]["document"] for line in lines], ["5", "5", "6", "6", "8", "8"])

    def test_triples_are_those_of_jsonl(self):
        triples = []
        for line in self.jsonl.splitlines():
            sentence = json.loads(line)
            triples += [(sentence, triple) for triple in sentence["extractions"]]
        self.assertGreater(len(triples), 5)
        extract("-f", "parquet", "--id-field", "id", "-o", "out.parquet", "in.jsonl")
        extract("-f", "arrow", "--id-field", "id", "-o", "out.arrow", "in.jsonl")
        table = pa.parquet.read_table("out.parquet")
        table.validate(full=True)
        self.assertEqual(table.schema.metadata[b"diffie.schema"], b"1")
        self.assertEqual(table.schema.metadata[b"diffie.model"], b"small")
        self.assertEqual(table.schema.metadata[b"diffie.preset"], b"balanced")
        arrow = pa.ipc.open_file("out.arrow").read_all()
        self.assertEqual(arrow.schema.metadata, table.schema.metadata)
        self.assertTrue(arrow.equals(table))
        rows = table.to_pylist()
        self.assertEqual(len(rows), len(triples))
        for row, (sentence, triple) in zip(rows, triples):
            text = TEXTS[row["document_id"]]
            self.assertEqual(row["document_id"], sentence["source"]["document"])
            self.assertEqual(row["sentence_text"], sentence["sentence"])
            self.assertEqual([row["sentence_begin"], row["sentence_end"]], sentence["source"]["bytes"])
            self.assertEqual(f"{row['confidence']:.6g}", f"{triple['confidence']:.6g}")
            self.assertEqual(row["polarity"], triple["factuality"]["polarity"])
            self.assertEqual(row["modality"], triple["factuality"]["modality"])
            self.assertEqual(row["attributed_to"], (triple["factuality"]["attributed_to"] or {}).get("text"))
            self.assertEqual(row["implied"], triple.get("implied", []))
            for slot in ("subject", "relation", "object"):
                self.assertEqual(row[slot], triple[slot])
                by_byte = b" ".join(text.encode()[s["begin"]:s["end"]] for s in row[f"{slot}_spans"]).decode()
                self.assertEqual(quoted(text, row[f"{slot}_characters"]), by_byte)
                if not row["implied"]:
                    self.assertEqual(by_byte, triple[slot])

    def test_no_triples_is_an_empty_table(self):
        extract("-f", "parquet", "-o", "out.parquet", stdin=subprocess.DEVNULL)
        self.assertEqual(pa.parquet.read_table("out.parquet").num_rows, 0)

    def test_bad_rows_and_files_are_named_and_passed_over(self):
        pa.parquet.write_table(pa.table({"text": ["A cat sat here.", None, "Dogs ran home."]}), "in.parquet")
        with open("in.parquet", "rb") as file:
            content = file.read()
        with open("cut.parquet", "wb") as file:
            file.write(content[:-20])
        for seed in range(40):  # no crash, whatever stands there
            broken = bytearray(content)
            for _ in range(8):
                broken[random.Random(seed * 1000 + _).randrange(len(broken))] ^= 0x55
            with open("broken.parquet", "wb") as file:
                file.write(broken)
            self.assertIn(extract("-f", "tsv", "broken.parquet", check=False).returncode, (0, 1))
        run = extract("-f", "tsv", "cut.parquet", "in.parquet", check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"diffie: cut.parquet: ", run.stderr)
        self.assertIn(b"diffie: in.parquet:2: column 'text' is null\n", run.stderr)
        self.assertEqual(len(run.stdout.splitlines()), 2)
        run = extract("--text-field", "body", "in.parquet", check=False)
        self.assertIn(b"diffie: in.parquet: no column 'body'", run.stderr)
        run = extract("--input-format", "parquet", check=False, stdin=subprocess.DEVNULL)
        self.assertIn(b"Parquet is read from files only", run.stderr)

    def test_a_size_in_a_file_is_believed_up_to_two_gigabytes(self):
        table = pa.table({"text": list(TEXTS.values())})
        with pa.ipc.new_stream("good.arrows", table.schema) as writer:
            writer.write_table(table)
        with open("good.arrows", "rb") as file:
            good = file.read()
            file.seek(0)
            stream = pa.PythonFile(file)
            pa.ipc.read_message(stream)  # the schema
            body_bytes = pa.ipc.read_message(stream).body.size.to_bytes(8, "little")
        self.assertEqual(good.count(body_bytes), 1)
        with open("bad.arrows", "wb") as file:
            file.write(good.replace(body_bytes, (1 << 34).to_bytes(8, "little")))
        run = extract("--model", "small", "--format", "jsonl", "bad.arrows", check=False)
        self.assertEqual((run.returncode, run.stdout), (1, b""), run.stderr)
        self.assertIn(b"limit=2147483648", run.stderr)

    def test_a_run_that_is_killed_ends_with_the_same_bytes(self):
        pa.parquet.write_table(pa.table({"text": [f"Row {row} has a cat. {TEXTS['c']}" for row in range(150)]}), "in.parquet")
        extract("-f", "parquet", "-o", "whole.parquet", "in.parquet")
        kills = 0
        while not os.path.exists("out.parquet"):
            journal = os.path.getsize("out.parquet.journal") if os.path.exists("out.parquet.journal") else 0
            run = subprocess.Popen([DIFFIE, "extract", "-f", "parquet", "-o", "out.parquet", "--resume", "in.parquet"])
            while run.poll() is None:
                time.sleep(0.01)
                if os.path.exists("out.parquet.journal") and os.path.getsize("out.parquet.journal") > journal + 5000:
                    run.send_signal(signal.SIGKILL)
                    kills += run.wait() == -signal.SIGKILL
        self.assertGreaterEqual(kills, 2)
        with open("whole.parquet", "rb") as whole, open("out.parquet", "rb") as out:
            self.assertEqual(whole.read(), out.read())


if __name__ == "__main__":
    unittest.main()
