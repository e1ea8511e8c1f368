"""Record batches in, record batches out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pyarrow
import pytest
from texts import HARD, PLAIN, corpus

import diffie
from diffie import batches, errors, pieces


def inputs(documents: list[tuple[str, str]], rows: int) -> Iterator[pyarrow.RecordBatch]:
    for first in range(0, len(documents), rows):
        part = documents[first : first + rows]
        yield pyarrow.record_batch({"id": [id for id, _ in part], "text": [text for _, text in part]})


def test_batches_are_as_the_table_of_a_stream(extractor: diffie.Extractor) -> None:
    documents = corpus(30) + [("hard", HARD)] + [(str(i), text) for i, text in enumerate(PLAIN)]
    expected = diffie.to_arrow(extractor.stream(documents)).to_pyarrow()
    expected.validate(full=True)
    for rows in (1, 7, 100):
        found = list(batches.record_batches(inputs(documents, rows), preset="balanced", threads=2))
        table = pyarrow.Table.from_batches(found)
        table.validate(full=True)
        assert table.equals(expected, check_metadata=True)
    assert expected.schema.equals(batches.schema())


def test_poison_becomes_rows_of_the_errors_table() -> None:
    bad = pyarrow.StringArray.from_buffers(
        3, pyarrow.py_buffer(b"\0\0\0\0\x14\0\0\0\x15\0\0\0\x16\0\0\0"),
        pyarrow.py_buffer(b"Ada wrote a program.\xff ")
    )  # fmt: skip
    poison = [
        pyarrow.record_batch({"id": [1, 2, 3], "text": bad}),
        pyarrow.record_batch({"id": [4, None], "text": ["Bob read it.", None]}),
        pyarrow.record_batch({"id": ["five"], "text": [5]}),
    ]
    failed: list[pyarrow.RecordBatch] = []
    found = pyarrow.Table.from_batches(batches.record_batches(poison, errors=failed.append, threads=1))
    assert found["document_id"].to_pylist() == ["1", "4"]
    table = pyarrow.Table.from_batches(failed)
    table.validate(full=True)
    assert table.schema.equals(batches.error_schema())
    assert table["document_id"].to_pylist() == ["2", "", "five"]
    assert set(table["code"].to_pylist()) == {"bad input"}
    assert table["sentence"].to_pylist() == [None] * 3
    messages = table["message"].to_pylist()
    assert "decode" in messages[0] and "NoneType" in messages[1] and "int" in messages[2]


def test_values_that_python_cannot_hold_fail_alone() -> None:
    text = pyarrow.array(["Ada wrote a program."])
    bad = pyarrow.StringArray.from_buffers(1, pyarrow.py_buffer(b"\0\0\0\0\1\0\0\0"), pyarrow.py_buffer(b"\xff"))
    far = [
        pyarrow.array([value]).view(kind)
        for value, kind in ((2**62, pyarrow.timestamp("s")), (2**62, pyarrow.date64()), (2**62, pyarrow.duration("s")))
    ]
    poison = [pyarrow.record_batch({"id": id, "text": text}) for id in (bad, *far)]
    poison += [pyarrow.record_batch({"id": ["far"], "text": each}) for each in far]
    last = pyarrow.record_batch({"id": ["last"], "text": text})
    failed: list[pyarrow.RecordBatch] = []
    found = pyarrow.Table.from_batches(batches.record_batches([*poison, last], errors=failed.append, threads=1))
    assert found["document_id"].to_pylist() == ["last"]
    table = pyarrow.Table.from_batches(failed)
    assert table["document_id"].to_pylist() == [""] * 4 + ["far"] * 3
    assert set(table["code"].to_pylist()) == {"bad input"}


def test_a_long_document_comes_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "MAX_ROWS", 10)
    long = " ".join(f"Ada wrote program {number}." for number in range(200))
    outputs = batches.outputs(inputs([("long", long), ("short", "Bob read it.")], 2), threads=1)
    first = next(outputs)
    assert first.documents == 0 and first.sentences < 100, "it is handed on before all is read"
    rest = list(outputs)
    assert len(rest) > 3
    assert (rest[-1].documents, rest[-1].sentences) == (2, 201)
    table = pyarrow.Table.from_batches([first.batch] + [each.batch for each in rest])
    assert table["sentence"].to_pylist() == [*range(200), 0]


def test_pieces_have_a_sentence_at_least() -> None:
    for wrong in (0, -1, 2.5):
        with pytest.raises(errors.InvalidArgument, match=f"piece is {wrong}, must be a whole number from 1"):
            list(pieces.cut(inputs(corpus(1), 1), wrong))  # type: ignore[arg-type]


def test_ids_may_be_numbers_of_rows() -> None:
    found = list(batches.record_batches(inputs(corpus(3), 2), id_column=None, threads=1))
    assert sorted(set(pyarrow.Table.from_batches(found)["document_id"].to_pylist())) == ["0", "1", "2"]


def test_a_column_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="no column 'body' in the batch; it has id, text"):
        list(batches.record_batches(inputs(corpus(1), 1), text_column="body", threads=1))


def test_nothing_in_nothing_out() -> None:
    assert list(batches.record_batches([], threads=1)) == []
    empty = batches.record_batches([pyarrow.record_batch({"id": [], "text": []})], threads=1)
    assert list(empty) == []


def test_a_process_has_one_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = batches.engine("small", threads=1)
    assert batches.engine("small", threads=1) is one
    assert batches.engine("small", threads=1, top_k=1) is not one
    engines = []
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        (tmp_path / folder / "model").symlink_to(diffie.find_model("small"))
        engines.append(batches.engine("./model", threads=1))
    assert engines[0] is not engines[1]
    child = os.fork()
    if child == 0:
        os._exit(0 if batches.engine("small", threads=1) is not one else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
