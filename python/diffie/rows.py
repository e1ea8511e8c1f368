"""Triples and errors in one stream of record batches, for engines whose functions have one output.

The columns of the triple table, then ``error_code`` and ``error_message``. A triple's row has null in these two; an
error's row has null in all but ``document_id``, ``sentence`` and these two.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from . import batches as core
from . import pieces

IS_ERROR = "error_code IS NOT NULL"  # in SQL

_log = logging.getLogger("diffie")


@dataclass
class Counts:
    """What a stream has done."""

    documents: int = 0
    sentences: int = 0
    triples: int = 0
    errors: int = 0
    seconds: float = 0.0


def schema() -> pa.Schema:
    """Of the rows; all columns may be null."""
    fields = [field.with_nullable(True) for field in core.schema()]
    return pa.schema([*fields, pa.field("error_code", pa.string()), pa.field("error_message", pa.string())])


def stream(
    batches: Iterable[pa.RecordBatch], counts: Counts | None = None, **options: Any
) -> Iterator[pa.RecordBatch]:
    """The rows of the documents in ``batches``; ``options`` are those of
    ``diffie.batches.record_batches``. ``counts`` grows on the way; the log has them at the end."""
    return _stream(core.outputs(batches, **options), counts or Counts())


def stream_pieces(
    batches: Iterable[pa.RecordBatch], counts: Counts | None = None, **options: Any
) -> Iterator[pa.RecordBatch]:
    """The same of pieces (``diffie.pieces``)."""
    return _stream(pieces.outputs(batches, **options), counts or Counts())


def _stream(outputs: Iterator[core.Output], counts: Counts) -> Iterator[pa.RecordBatch]:
    wanted = schema()
    begun = time.monotonic()
    for output in outputs:
        counts.documents, counts.sentences = output.documents, output.sentences
        if output.errors:
            counts.errors += output.batch.num_rows
        else:
            counts.triples += output.batch.num_rows
        if output.batch.num_rows > 0:
            yield _row_batch(output, wanted)
    counts.seconds = time.monotonic() - begun
    rate = counts.sentences / max(counts.seconds, 1e-9)
    _log.info("%s, %.1f sentences/s", counts, rate)


def _row_batch(output: core.Output, wanted: pa.Schema) -> pa.RecordBatch:
    found = {name: output.batch[name] for name in output.batch.schema.names}
    if output.errors:
        found = {"document_id": found["document_id"], "sentence": found["sentence"], "error_code": found["code"],
                 "error_message": found["message"]}
    count = output.batch.num_rows
    return pa.record_batch([found[field.name] if field.name in found else pa.nulls(count, field.type) for field in wanted],
                           schema=wanted)
