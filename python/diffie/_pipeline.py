"""Documents through an engine: sentences in batches, one batch ahead, order kept."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from . import _core
from .document import Failure
from .errors import Error

Cut = Callable[[str], _core.Reading]


@dataclass
class Pending:
    """A document on its way."""

    id: str | None
    text: str
    reading: _core.Reading | None = None  # none: it could not be read at all
    failure: Failure | None = None

    @property
    def sentences(self) -> int:
        return 0 if self.reading is None else len(self.reading)


class Range(NamedTuple):
    """Sentences of a document that are done; those before them were done earlier."""

    pending: Pending
    first: int
    last: int

    @property
    def ends_document(self) -> bool:
        return self.last == self.pending.sentences


def pending(id: str | None, text: object, cut: Cut) -> Pending:
    """Cuts a text into sentences; what is no text, or cannot be cut, fails by itself."""
    if not isinstance(text, str):
        wrong = f"the text is of type {type(text).__name__}, not str"
        return Pending(id, "", failure=Failure(None, "bad input", wrong))
    try:
        return Pending(id, text, cut(encodable(text)))
    except Error as error:
        return Pending(id, text, failure=Failure(None, error.code, str(error)))


def encodable(text: str) -> str:
    """The same, a half of a surrogate pair as '?': UTF-8 has no bytes for it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="replace").decode()
    return text


def read(engine: _core.Engine, documents: Iterable[Pending], batch_size: int) -> Iterator[list[Range]]:
    """What is done, batch by batch. While the caller looks at one, the next is under way; no more
    documents are taken than that needs. An exception of ``documents`` comes after all that was
    taken before it."""
    running: deque[tuple[_core.Job, list[Range]]] = deque()
    batches = _batches(documents, batch_size)
    failure: Exception | None = None
    try:
        while True:
            batch: list[Range] | None = None
            if failure is None:
                try:
                    batch = next(batches, None)
                except Exception as error:
                    failure = error
            if batch is not None:
                running.append((_start(engine, batch), batch))
            elif not running:
                break
            if len(running) > 1 or batch is None:
                job, done = running.popleft()
                _finish(engine, job, done)
                tell(engine)
                yield done
    finally:
        running.clear()  # what is under way stops, though a traceback may keep this frame
    if failure is not None:
        raise failure


def tell(engine: _core.Engine) -> None:
    """What the engine has to say that is no error: that it computes on the CPU, that memory was short."""
    for notice in engine.take_notices():
        warnings.warn(notice, RuntimeWarning, stacklevel=4)


def _batches(documents: Iterable[Pending], size: int) -> Iterator[list[Range]]:
    batch: list[Range] = []
    count = 0
    iterator = iter(documents)
    while True:
        try:
            document = next(iterator, None)
        except Exception:
            if batch:
                yield batch
            raise
        if document is None:
            break
        first = 0
        while True:
            last = min(document.sentences, first + size - count)
            batch.append(Range(document, first, last))
            count += max(1, last - first)  # a document without sentences takes its place, too
            if count >= size:
                yield batch
                batch, count = [], 0
            if last == document.sentences:
                break
            first = last
    if batch:
        yield batch


def _start(engine: _core.Engine, batch: list[Range]) -> _core.Job:
    return engine.start(
        [(each.pending.reading, each.first, each.last) for each in batch if each.pending.reading]
    )


def _finish(engine: _core.Engine, job: _core.Job, batch: list[Range]) -> None:
    """Sentences fail by themselves; where a call as a whole does, documents are tried one by one."""
    try:
        job.wait()
        return
    except Error:
        pass
    for each in batch:
        try:
            _start(engine, [each]).wait()
        except Error as error:
            each.pending.failure = Failure(None, error.code, str(error))
