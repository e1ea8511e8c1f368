"""Models and extractors."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from operator import index
from pathlib import Path
from typing import Any, TypeVar, Union

from . import _core
from ._pipeline import Cut, Pending, encodable, pending, read, tell
from .document import Document
from .errors import InvalidArgument, check_count

#: What a setting may be; ``diffie.settings()`` lists them.
Setting = Union[bool, int, float, str, Sequence[int]]
#: What ``stream`` takes: a text, or a text with its id before it.
Source = Union[str, tuple[Union[str, int, None], str]]

_OURS = os.path.join(os.path.dirname(__file__), "models")

_T = TypeVar("_T")


def settings() -> dict[str, tuple[str, str]]:
    """Every setting by name: what is allowed, and what it does.

    >>> settings()["top_k"]
    ('from 1 to 1024', 'Triples per sentence at most')
    """
    return {name: (allowed, text) for name, allowed, text in _core.setting_infos()}


def load(
    model: str | os.PathLike[str] = "small", *, preset: str | None = None, **settings: Setting
) -> Extractor:
    """An extractor.

    ``model`` is a name or the path of a model's folder. ``small`` comes with this package; other
    names are looked for in ``$DIFFIE_MODELS`` and where the library installs models. ``preset`` is
    one of the model's (``best``, ``balanced``, ``fast``); settings given by name go over it
    (``threads=2``, ``top_k=3``, ``asserted_only=True``).

    >>> extractor = load("small", preset="fast", threads=1)
    >>> extractor
    <Extractor small, preset fast>
    >>> load("smal")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    diffie.errors.NotFound: model 'smal': no such directory
    """
    return Extractor(model, preset, settings)


class Extractor:
    """Text in, documents out. Safe to use from many threads, and after a fork; can be pickled
    (it is loaded again where it is unpickled)."""

    def __init__(
        self,
        model: str | os.PathLike[str],
        preset: str | None = None,
        settings: Mapping[str, Setting] | None = None,
    ) -> None:
        if preset is not None and not isinstance(preset, str):
            raise TypeError(f"the preset is of type {type(preset).__name__}, not str")
        self._source = absolute(model)
        # As text, so that what the caller changes later changes nothing here.
        self._given = {encodable(name): _as_text(name, value) for name, value in (settings or {}).items()}
        folder = find_model(self._source)
        self._model = _core.Model.load(folder)
        self.preset = encodable(preset or self._model.default_preset)
        self._engine = _core.make_engine(self._model, self.preset, self._given)
        values = self._engine.settings
        self._batch_size = self._engine.batch_size
        tell(self._engine)
        self._cut: Cut = _core.Reading.document
        if values["pretokenized"] == "true":
            self._cut = _core.Reading.lines

    @property
    def model(self) -> str:
        """The model's name."""
        return self._model.name

    @property
    def settings(self) -> dict[str, str]:
        """All settings as they are, as text."""
        return self._engine.settings

    def extract(
        self,
        text: str,
        id: str | None = None,
        *,
        sentences: Iterable[tuple[int, int]] | None = None,
    ) -> Document:
        """Reads one document. ``sentences`` are its sentences as the caller knows them, ``(begin,
        end)`` in characters; without them we look for their ends.

        >>> extractor = load("small")
        >>> document = extractor.extract("Vienna lies on the Danube. It was a capital.")
        >>> [sentence.text for sentence in document.sentences]
        ['Vienna lies on the Danube.', 'It was a capital.']
        >>> triple = document.triples[0]
        >>> triple.subject, triple.relation, triple.object
        ('Vienna', 'lies on', 'the Danube')
        >>> begin, end = triple.spans.object[0]
        >>> document.text[begin:end]
        'the Danube'
        """
        if not isinstance(text, str):
            raise TypeError(f"the text is of type {type(text).__name__}, not str")
        text_read = encodable(text)
        if sentences is None:
            reading = self._cut(text_read)
        else:
            reading = _core.Reading.sentences(text_read, list(map(_place, sentences)))
        document = Pending(None if id is None else str(id), text, reading)
        for _ in read(self._engine, [document], self._batch_size):
            pass
        return self._document(document)

    def stream(
        self,
        documents: Iterable[Source],
        *,
        batch_size: int | None = None,
        progress: bool = False,
    ) -> Iterator[Document]:
        """Reads documents one after the other: texts, or ``(id, text)``. They come in the order
        they were given, as soon as they are done; no more are taken than two batches need.
        ``batch_size`` counts sentences (by default 32 a thread, on a GPU 512). A document that cannot be read
        has ``errors``; the others go on. ``progress`` shows a bar where tqdm is installed.

        >>> extractor = load("small")
        >>> texts = (f"Paper {number} cites a book." for number in range(3))
        >>> for document in extractor.stream(texts):
        ...     print(document.triples[0])
        (Paper 0; cites; a book)
        (Paper 1; cites; a book)
        (Paper 2; cites; a book)
        """
        if isinstance(documents, (str, bytes)):
            raise TypeError(f"the documents are one of type {type(documents).__name__}, not several")
        if batch_size is not None:
            check_count("batch_size", batch_size)
        source = _with_progress(documents) if progress else documents
        waiting = (_source(each, self._cut) for each in source)
        return self._run(waiting, batch_size or self._batch_size)

    def _run(self, waiting: Iterable[Pending], batch_size: int) -> Iterator[Document]:
        for done in read(self._engine, waiting, batch_size):
            for each in done:
                if each.ends_document:
                    yield self._document(each.pending)

    def _document(self, pending: Pending) -> Document:
        failures = () if pending.failure is None else (pending.failure,)
        origin = (self.model, self.preset)
        return Document(pending.id, pending.text, pending.reading, origin, failures)

    def __repr__(self) -> str:
        return f"<Extractor {self.model}, preset {self.preset}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Extractor, (self._source, self.preset, self._given)


def find_model(name_or_path: str | os.PathLike[str]) -> Path:
    """The folder of a model: ``$DIFFIE_MODELS`` first, then this package, then where the library
    looks."""
    name = name_or_path if isinstance(name_or_path, str) else absolute(name_or_path)
    if os.sep not in name and name not in ("", ".", ".."):
        for folder in filter(None, (os.environ.get("DIFFIE_MODELS"), _OURS)):
            if os.path.exists(os.path.join(folder, name, "config.json")):
                return Path(folder, name)
    return _core.find_model(os.fsencode(name))


def absolute(model: str | os.PathLike[str]) -> str:
    """A path holds in another folder, too; a name stays one."""
    text = os.fsdecode(model)
    if not isinstance(model, os.PathLike) and os.sep not in text:
        return text
    return os.path.abspath(text)


def _as_text(name: str, value: Setting) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, str):
        return encodable(value)
    # Of a set or a mapping the order says nothing.
    if isinstance(value, (bytes, Set, Mapping)) or not isinstance(value, Iterable):
        raise TypeError(f"the setting {name} is of type {type(value).__name__}, not a number or a text")
    return ",".join(str(each) for each in value) or "none"


def _place(sentence: tuple[int, int]) -> tuple[int, int]:
    try:
        begin, end = map(index, sentence)
    except (TypeError, ValueError):
        begin, end = -1, -1
    if not 0 <= begin <= end <= sys.maxsize:
        raise InvalidArgument(f"a sentence is {sentence!r}, must be (begin, end) in characters")
    return begin, end


def _source(source: Source, cut: Cut) -> Pending:
    if isinstance(source, tuple) and len(source) == 2:
        id, text = source
        return pending(None if id is None else str(id), text, cut)
    return pending(None, source, cut)


def _with_progress(documents: Iterable[_T]) -> Iterable[_T]:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return documents
    bar: Iterable[_T] = tqdm(documents, unit=" documents")
    return bar
