"""Documents cut into pieces of some sentences, so that a long one is the work of many tasks.

A piece has its sentences as they were cut in the whole document, and where it begins there: the
triples of the pieces are those of the document, with the same offsets.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow

from . import _core, batches
from ._pipeline import Pending
from .document import Failure
from .errors import check_count
from .extractor import Setting

SCHEMA = pyarrow.schema(
    [
        ("id", pyarrow.string()),
        ("text", pyarrow.string()),
        ("cut", pyarrow.list_(pyarrow.int32())),  # begin and end of each sentence, in characters of the piece
        ("sentence", pyarrow.int64()),  # where the piece begins in its document
        ("byte", pyarrow.int64()),
        ("character", pyarrow.int64()),
        ("code", pyarrow.string()),  # of a document that could not be read: it is one piece
        ("message", pyarrow.string()),
    ]
)
_ROWS = 64  # of a batch


def cut(
    documents: Iterable[pyarrow.RecordBatch],
    sentences: int,
    *,
    text_column: str = "text",
    id_column: str | None = "id",
    pretokenized: bool = False,
) -> Iterator[pyarrow.RecordBatch]:
    """Pieces of at most so many sentences. Needs no model."""
    check_count("piece", sentences)
    how = _core.Reading.lines if pretokenized else _core.Reading.document
    rows: list[dict[str, Any]] = []
    for document in batches.documents(documents, text_column, id_column, how):
        for row in _pieces(document, sentences):
            rows.append(row)
            if len(rows) == _ROWS:
                yield pyarrow.RecordBatch.from_pylist(rows, SCHEMA)
                rows = []
    if rows:
        yield pyarrow.RecordBatch.from_pylist(rows, SCHEMA)


def outputs(
    pieces: Iterable[pyarrow.RecordBatch],
    *,
    model: str | os.PathLike[str] = "small",
    preset: str | None = None,
    **settings: Setting,
) -> Iterator[batches.Output]:
    """As `diffie.batches.outputs`, of pieces, each of which counts as a document."""
    return batches.read_documents(batches.engine(model, preset, **settings), _documents(pieces))


def _pieces(document: Pending, sentences: int) -> Iterator[dict[str, Any]]:
    if document.failure is not None:
        yield {"id": document.id, "code": document.failure.code, "message": document.failure.message}
    reading = document.reading
    if reading is None:
        return
    for first in range(0, len(reading), sentences):
        places = [reading.place(index) for index in range(first, min(first + sentences, len(reading)))]
        byte, _, begin, _ = places[0]
        ends = [at - begin for place in places for at in place[2:]]
        yield {
            "id": document.id,
            "text": document.text[begin : begin + ends[-1]],
            "cut": ends,
            "sentence": first,
            "byte": byte,
            "character": begin,
        }


def _documents(pieces: Iterable[pyarrow.RecordBatch]) -> Iterator[Pending]:
    for batch in pieces:
        for row in batch.to_pylist():
            if row["code"] is not None:
                yield Pending(row["id"], "", failure=Failure(None, row["code"], row["message"]))
                continue
            cut = list(zip(row["cut"][::2], row["cut"][1::2]))
            start = (row["sentence"], row["byte"], row["character"])
            yield Pending(row["id"], row["text"], _core.Reading.piece(row["text"], cut, *start))
