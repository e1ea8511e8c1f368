"""Record batches of documents in, record batches of triples out: what Spark, Ray and others call.

One engine serves a process, whoever asks. A long document is cut into batches of sentences and its
triples are handed on before all of it is read. What cannot be read is a row of the errors table.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import pyarrow

from . import _core
from ._pipeline import Cut, Pending, Range, pending, read
from .document import Failure
from .errors import BadInput, InvalidArgument
from .extractor import Extractor, Setting, absolute

#: A batch goes out when it has this many rows, or bytes of text.
MAX_ROWS = 4096
MAX_BYTES = 16 << 20

_engines: dict[tuple[Any, ...], Extractor] = {}


def engine(
    model: str | os.PathLike[str] = "small", preset: str | None = None, **settings: Setting
) -> Extractor:
    """The extractor of this process for a model and settings, made when first asked for."""
    given = tuple((name, repr(value)) for name, value in sorted(settings.items()))
    key = (os.getpid(), absolute(model), preset, given)
    found = _engines.get(key)
    if found is None:
        found = _engines.setdefault(key, Extractor(model, preset, settings))
    return found


class Output(NamedTuple):
    """A batch of one of the two tables, and how far the work has got with it."""

    errors: bool  # of the errors table, else of the triples
    batch: pyarrow.RecordBatch
    documents: int  # finished so far
    sentences: int  # read so far


def schema() -> pyarrow.Schema:
    """Of the triples."""
    return pyarrow.schema(_core.TripleTable("", "")).remove_metadata()


def error_schema() -> pyarrow.Schema:
    """Of the errors table."""
    return pyarrow.schema(_core.ErrorTable("", "")).remove_metadata()


def record_batches(
    batches: Iterable[pyarrow.RecordBatch],
    *,
    text_column: str = "text",
    id_column: str | None = "id",
    model: str | os.PathLike[str] = "small",
    preset: str | None = None,
    errors: Callable[[pyarrow.RecordBatch], object] | None = None,
    **settings: Setting,
) -> Iterator[pyarrow.RecordBatch]:
    """The triples of the documents in ``batches``, in their order. Rows of the errors table go to
    ``errors``; without it they are dropped. ``id_column=None`` numbers the documents from 0.

    >>> documents = pyarrow.RecordBatch.from_pydict(
    ...     {"id": ["a", "b"], "text": ["Ada wrote a program.", None]})
    >>> failed = []
    >>> for batch in record_batches([documents], errors=failed.append):
    ...     print(batch["document_id"], batch["relation"])
    [
      "a"
    ] [
      "wrote"
    ]
    >>> failed[0]["message"][0]
    <pyarrow.StringScalar: 'the text is of type NoneType, not str'>
    """
    found = outputs(
        batches, text_column=text_column, id_column=id_column, model=model, preset=preset, **settings
    )
    for output in found:
        if output.batch.num_rows == 0:
            continue
        if not output.errors:
            yield output.batch
        elif errors is not None:
            errors(output.batch)


def outputs(
    batches: Iterable[pyarrow.RecordBatch],
    *,
    text_column: str = "text",
    id_column: str | None = "id",
    model: str | os.PathLike[str] = "small",
    preset: str | None = None,
    **settings: Setting,
) -> Iterator[Output]:
    """Both tables, as their batches get full; the last batch is empty and has the counts of all."""
    extractor = engine(model, preset, **settings)
    return read_documents(extractor, documents(batches, text_column, id_column, extractor._cut))


def read_documents(extractor: Extractor, waiting: Iterable[Pending]) -> Iterator[Output]:
    """The same of documents that are cut into sentences."""
    tables = _Tables(extractor)
    for done in read(extractor._engine, waiting, extractor._batch_size):
        for each in done:
            tables.add(each)
        yield from tables.full(MAX_ROWS, MAX_BYTES)
    yield from tables.full(1, 0)
    yield tables.end()


class _Tables:
    """The rows that wait to go out."""

    def __init__(self, extractor: Extractor) -> None:
        origin = (extractor.model, extractor.preset)
        self._triples = _core.TripleTable(*origin)
        self._errors = _core.ErrorTable(*origin)
        self._documents = 0
        self._sentences = 0

    def add(self, done: Range) -> None:
        document = done.pending
        id = document.id or ""
        if document.reading is not None:
            self._triples.add(id, document.reading, done.first, done.last)
            for sentence, code, message in document.reading.failures(done.first, done.last):
                self._errors.add(id, sentence, code, message)
        if document.failure is not None:
            self._errors.add(id, *document.failure)
            document.failure = None
        self._sentences += done.last - done.first
        self._documents += done.ends_document

    def full(self, rows: int, text_bytes: int) -> Iterator[Output]:
        triples, errors = self._triples, self._errors
        if len(triples) >= rows or (len(triples) > 0 and triples.bytes >= text_bytes):
            yield self._output(False, triples)
        if len(errors) >= min(rows, 256):
            yield self._output(True, errors)

    def end(self) -> Output:
        return self._output(False, self._triples)

    def _output(self, errors: bool, table: _core.TripleTable | _core.ErrorTable) -> Output:
        batch = pyarrow.record_batch(table)
        return Output(errors, batch, self._documents, self._sentences)


def documents(
    batches: Iterable[pyarrow.RecordBatch], text_column: str, id_column: str | None, cut: Cut
) -> Iterator[Pending]:
    """The rows of batches, cut into sentences."""
    number = 0
    for batch in batches:
        texts = _column(batch, text_column)
        ids = None if id_column is None else _column(batch, id_column)
        for row in range(batch.num_rows):
            yield _document(number if ids is None else ids[row], texts[row], cut)
            number += 1


def _document(id: pyarrow.Scalar | int, text: pyarrow.Scalar, cut: Cut) -> Pending:
    name = ""
    try:
        value = id if isinstance(id, int) else id.as_py()
        name = "" if value is None else str(value)
        return pending(name, text.as_py(), cut)
    except Exception as error:  # bytes that are no UTF-8, a time that Python cannot hold
        return Pending(name, "", failure=Failure(None, BadInput.code, str(error)))


def _column(batch: pyarrow.RecordBatch, name: str) -> pyarrow.Array:
    if name not in batch.schema.names:
        there = ", ".join(batch.schema.names)
        raise InvalidArgument(f"no column '{name}' in the batch; it has {there}")
    return batch.column(name)
