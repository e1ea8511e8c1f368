"""Triples in an Apache Beam pipeline.

>>> found = documents | diffie.beam.Extract(model="small")   # (id, text) in            # doctest: +SKIP
>>> found.triples, found.errors                              # dictionaries out, by column
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import apache_beam as beam
import pyarrow as pa

from . import rows
from ._pipeline import encodable


class Extract(beam.PTransform):  # type: ignore[misc, unused-ignore]
    """From pairs (id, text) to two collections of dictionaries: `.triples` and `.errors`."""

    def __init__(self, **options: Any):
        super().__init__()
        self._options = {"threads": 1, **options}

    def expand(self, documents: Any) -> Any:
        return (documents | beam.BatchElements(min_batch_size=16, max_batch_size=256)
                | beam.ParDo(_ExtractBatch(self._options)).with_outputs("errors", main="triples"))


class _ExtractBatch(beam.DoFn):  # type: ignore[misc, unused-ignore]
    def __init__(self, options: dict[str, Any]):
        self._options = options

    def process(self, documents: list[tuple[str, Any]]) -> Iterator[Any]:
        # What is no text is null, and that document's error.
        texts = [encodable(text) if isinstance(text, str) else None for _, text in documents]
        batch = pa.record_batch({"id": [encodable(str(id)) for id, _ in documents], "text": texts})
        for found in rows.stream([batch], rows.Counts(), **self._options):
            for row in found.to_pylist():
                code, message = row.pop("error_code"), row.pop("error_message")
                if code is None:
                    yield row
                else:
                    yield beam.pvalue.TaggedOutput("errors", {"document_id": row["document_id"], "code": code,
                                                              "sentence": row["sentence"], "message": message})
