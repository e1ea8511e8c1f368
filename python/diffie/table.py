"""Documents as a table of triples, by the Arrow PyCapsule interface."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import _core
from ._pipeline import encodable
from .document import Document, Triple

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Table:
    """A row per triple; docs/formats.md has the columns. Anything that reads Arrow takes it as it
    is: ``pyarrow.table(table)``, ``polars.DataFrame(table)``, DuckDB; none of them is needed to
    make one."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self._documents = list(documents)

    @property
    def errors(self) -> ErrorTable:
        """A row per document or sentence that failed."""
        return ErrorTable(self._documents)

    def __len__(self) -> int:
        return sum(len(document.triples) for document in self._documents)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        readings = [
            (_id(document), document._reading)
            for document in self._documents
            if document._reading is not None
        ]
        return _core.triple_stream(readings, *_origin(self._documents))

    def __arrow_c_schema__(self) -> object:
        return _core.TripleTable(*_origin(self._documents)).__arrow_c_schema__()

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists of plain values."""
        columns: dict[str, list[Any]] = {name: [] for name in _COLUMNS}
        for document in self._documents:
            for triple in document.triples:
                for name, value in _row(document, triple).items():
                    columns[name].append(value)
        return columns

    def to_pandas(self) -> pandas.DataFrame:
        """Needs pandas alone."""
        import pandas

        return pandas.DataFrame(self.to_dict()).astype({"sentence": "int32", "confidence": "float64"})

    def to_polars(self) -> polars.DataFrame:
        """Needs polars alone."""
        import polars

        return polars.DataFrame(self)

    def to_pyarrow(self) -> pyarrow.Table:
        import pyarrow

        return pyarrow.table(self)


class ErrorTable:
    """A row per document or sentence that failed; docs/formats.md has the columns."""

    def __init__(self, documents: list[Document]) -> None:
        self._documents = documents

    def __len__(self) -> int:
        return sum(len(document.errors) for document in self._documents)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        rows = [
            (_id(document), *failure)
            for document in self._documents
            for failure in document.errors
        ]
        return _core.error_stream(rows, *_origin(self._documents))

    def __arrow_c_schema__(self) -> object:
        return _core.ErrorTable(*_origin(self._documents)).__arrow_c_schema__()

    def to_pyarrow(self) -> pyarrow.Table:
        import pyarrow

        return pyarrow.table(self)


def to_arrow(documents: Document | Iterable[Document]) -> Table:
    """The triples of documents as a table.

    >>> import diffie
    >>> extractor = diffie.load("small")
    >>> table = to_arrow(extractor.stream(["Ada wrote a program.", "Bob read it."]))
    >>> len(table)
    2
    >>> table.to_dict()["subject"]
    ['Ada', 'Bob']
    """
    return Table([documents] if isinstance(documents, Document) else documents)


def _id(document: Document) -> str:
    return encodable(document.id or "")


def _origin(documents: list[Document]) -> tuple[str, str]:
    origins = {document.origin for document in documents}
    return origins.pop() if len(origins) == 1 else ("", "")


_COLUMNS = (
    "document_id", "sentence", "sentence_text", "sentence_begin", "sentence_end",
    "subject", "relation", "object", "confidence",
    "subject_spans", "relation_spans", "object_spans",
    "subject_characters", "relation_characters", "object_characters",
    "implied", "polarity", "modality", "attributed_to", "circumstances",
)  # fmt: skip


def _row(document: Document, triple: Triple) -> dict[str, Any]:
    sentence = triple.sentence
    row = {
        "document_id": _id(document),
        "sentence": sentence.index,
        "sentence_text": encodable(sentence.text),
        "sentence_begin": sentence.byte_span.begin,
        "sentence_end": sentence.byte_span.end,
        "implied": list(triple.implied),
        "circumstances": [{"kind": each.kind, "text": each.text} for each in triple.circumstances],
    }
    for name in ("subject", "relation", "object", "confidence", "polarity", "modality", "attributed_to"):
        row[name] = getattr(triple, name)
    for role in ("subject", "relation", "object"):
        row[f"{role}_spans"] = [span._asdict() for span in getattr(triple.byte_spans, role)]
        row[f"{role}_characters"] = [span._asdict() for span in getattr(triple.spans, role)]
    return row
