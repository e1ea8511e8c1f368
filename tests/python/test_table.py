"""The table of triples, read by those who read Arrow."""

from __future__ import annotations

import subprocess
import sys

import pytest
from texts import HARD, PLAIN

import diffie


@pytest.fixture(scope="module")
def documents(extractor: diffie.Extractor) -> list[diffie.Document]:
    return list(extractor.stream([("hard", HARD), *enumerate(PLAIN), ("bad", None)]))  # type: ignore[list-item]


@pytest.fixture(scope="module")
def table(documents: list[diffie.Document]) -> diffie.Table:
    return diffie.to_arrow(documents)


def test_rows_are_those_of_the_documents(table: diffie.Table, documents: list[diffie.Document]) -> None:
    columns = table.to_dict()
    triples = [triple for document in documents for triple in document.triples]
    assert len(table) == len(triples) > 5
    assert columns["object"] == [triple.object for triple in triples]
    assert columns["attributed_to"] == [triple.attributed_to for triple in triples]
    hard = HARD.encode()
    for row, text in enumerate(columns["subject"]):
        if columns["document_id"][row] == "hard":
            spans = columns["subject_spans"][row]
            assert " ".join(hard[s["begin"] : s["end"]].decode() for s in spans) == text


def test_pyarrow_reads_it(table: diffie.Table) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    read = table.to_pyarrow()
    read.validate(full=True)
    assert read.to_pydict() == table.to_dict()
    assert read.schema.metadata == {
        b"diffie.schema": b"1",
        b"diffie.version": diffie.__version__.encode(),
        b"diffie.model": b"small",
        b"diffie.preset": b"balanced",
    }
    assert pyarrow.schema(table).equals(read.schema, check_metadata=True)
    assert table.to_pyarrow().equals(read), "a table can be read again"


def test_ids_and_texts_may_be_anything(extractor: diffie.Extractor) -> None:
    text = "Ada wrote a \ud800program."
    documents = [extractor.extract(text, id=id) for id in (None, 0, 7, "\ud800", "z\0")]  # type: ignore[arg-type]
    assert [document.id for document in documents] == [None, "0", "7", "\ud800", "z\0"]
    table = diffie.to_arrow([*documents, *extractor.stream([("\udfff", None)])])  # type: ignore[list-item]
    assert table.to_dict()["document_id"] == ["", "0", "7", "?", "z\0"]
    assert table.to_dict()["sentence_text"][0] == "Ada wrote a ?program."
    assert table.to_pyarrow().to_pydict() == table.to_dict()
    assert list(table.to_pandas()["document_id"]) == ["", "0", "7", "?", "z\0"]
    assert table.errors.to_pyarrow()["document_id"].to_pylist() == ["?"]


def test_polars_reads_it(table: diffie.Table) -> None:
    pytest.importorskip("polars")
    assert table.to_polars().to_dict(as_series=False) == table.to_dict()


def test_pandas_reads_it(table: diffie.Table) -> None:
    pytest.importorskip("pandas")
    frame = table.to_pandas()
    assert frame.shape == (len(table), 20)
    assert str(frame.dtypes["sentence"]) == "int32" and str(frame.dtypes["confidence"]) == "float64"
    assert list(frame["subject"]) == table.to_dict()["subject"]
    assert len(diffie.to_arrow([]).to_pandas()) == 0


def test_errors_are_a_table(table: diffie.Table) -> None:
    pytest.importorskip("pyarrow")
    errors = table.errors.to_pyarrow()
    errors.validate(full=True)
    assert errors.to_pylist() == [
        {
            "document_id": "bad",
            "sentence": None,
            "code": "bad input",
            "message": "the text is of type NoneType, not str",
        }
    ]
    assert len(table.errors) == 1


def test_an_empty_table_has_its_columns() -> None:
    pytest.importorskip("pyarrow")
    read = diffie.to_arrow([]).to_pyarrow()
    assert read.num_rows == 0 and read.num_columns == 20


def test_a_stream_that_nobody_reads_is_freed(table: diffie.Table) -> None:
    for _ in range(100):
        table.__arrow_c_stream__()
        table.__arrow_c_schema__()


def test_documents_may_go_before_the_stream(extractor: diffie.Extractor) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    reader = pyarrow.RecordBatchReader.from_stream(diffie.to_arrow(extractor.stream(PLAIN)))
    assert reader.read_all().num_rows > 5


def test_nothing_else_is_imported() -> None:
    program = """
import sys, diffie
table = diffie.to_arrow(diffie.load("small", threads=1).extract("Ada wrote a program."))
assert "arrow_array_stream" in repr(table.__arrow_c_stream__())
assert not {"pyarrow", "pandas", "polars", "numpy", "tqdm"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
