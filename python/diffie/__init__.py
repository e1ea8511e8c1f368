"""Open information extraction: text in, (subject; relation; object) triples out.

>>> import diffie
>>> extractor = diffie.load("small", preset="balanced")
>>> document = extractor.extract("Ada Lovelace wrote the first program.")
>>> for triple in document.triples:
...     print(triple, f"{triple.confidence:.1f}")
(Ada Lovelace; wrote; the first program) 1.0
"""

from typing import TYPE_CHECKING, Any

from . import errors
from ._core import version as __version__
from .document import Circumstance, Document, Failure, Sentence, Span, Spans, Triple
from .errors import Error
from .extractor import Extractor, find_model, load, settings
from .table import Table, to_arrow

if TYPE_CHECKING:
    from .batches import record_batches

__all__ = [
    "Circumstance",
    "Document",
    "Error",
    "Extractor",
    "Failure",
    "Sentence",
    "Span",
    "Spans",
    "Table",
    "Triple",
    "__version__",
    "errors",
    "find_model",
    "load",
    "record_batches",
    "settings",
    "to_arrow",
]


def __getattr__(name: str) -> Any:
    """``record_batches`` needs pyarrow, so it is imported when it is asked for."""
    if name == "record_batches":
        from .batches import record_batches

        return record_batches
    raise AttributeError(f"module 'diffie' has no attribute '{name}'")
