"""What an extractor gives: documents, their sentences, their triples."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from . import _core, _html


class Span(NamedTuple):
    """``text[begin:end]``."""

    begin: int
    end: int


class Spans(NamedTuple):
    """Where the words of a triple stand, ascending; more than one span where a role is
    discontinuous, none where all its words are implied."""

    subject: tuple[Span, ...]
    relation: tuple[Span, ...]
    object: tuple[Span, ...]
    attributed_to: tuple[Span, ...]


class Circumstance(NamedTuple):
    """When or where, with ``mark_circumstances=True``; ``kind`` is ``"time"`` or ``"place"``."""

    kind: str
    text: str
    spans: tuple[Span, ...]
    byte_spans: tuple[Span, ...]


class Failure(NamedTuple):
    """What could not be read: a sentence, or without one the document as a whole."""

    sentence: int | None
    code: str
    message: str


@dataclass(frozen=True)
class Triple:
    """A (subject; relation; object) that a sentence states.

    ``spans`` are characters of the document's text, ``byte_spans`` bytes of its UTF-8.
    ``implied`` are words of the relation that do not stand in the text. Polarity, modality and
    ``attributed_to`` say whether the sentence states it as a fact; ``asserted`` sums them up.
    """

    subject: str
    relation: str
    object: str
    confidence: float
    implied: tuple[str, ...]
    polarity: str
    modality: str
    attributed_to: str | None
    circumstances: tuple[Circumstance, ...]
    sentence: Sentence = field(repr=False, compare=False)
    _characters: _core.PlainSpans = field(repr=False, hash=False)
    _bytes: _core.PlainSpans = field(repr=False, hash=False)

    @cached_property
    def spans(self) -> Spans:
        """In characters of the document's text."""
        return Spans(*map(_spans, self._characters))

    @cached_property
    def byte_spans(self) -> Spans:
        """In bytes of the document's text as UTF-8."""
        return Spans(*map(_spans, self._bytes))

    @property
    def asserted(self) -> bool:
        """The writer says that it is so: not denied, not open, nobody else's claim."""
        return (self.polarity, self.modality, self.attributed_to) == ("positive", "certain", None)

    def __str__(self) -> str:
        return f"({self.subject}; {self.relation}; {self.object})"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as JSON holds them."""
        return {
            "subject": self.subject,
            "relation": self.relation,
            "object": self.object,
            "confidence": self.confidence,
            "spans": _plain(self._characters),
            "byte_spans": _plain(self._bytes),
            "implied": list(self.implied),
            "polarity": self.polarity,
            "modality": self.modality,
            "attributed_to": self.attributed_to,
            "circumstances": [
                {
                    "kind": each.kind,
                    "text": each.text,
                    "spans": [list(span) for span in each.spans],
                    "byte_spans": [list(span) for span in each.byte_spans],
                }
                for each in self.circumstances
            ],
        }


@dataclass
class Sentence:
    """A sentence: its text, its place in the document, its triples by falling confidence."""

    text: str
    index: int
    span: Span
    byte_span: Span
    triples: tuple[Triple, ...] = ()


class Document:
    """A text and what was found in it."""

    def __init__(
        self,
        id: str | None,
        text: str,
        reading: _core.Reading | None,
        origin: tuple[str, str],
        failures: tuple[Failure, ...] = (),
    ) -> None:
        self.id = id
        self.text = text
        self.origin = origin  #: names of the model and the preset
        self._reading = reading
        self._failures = failures
        self._sentences: tuple[Sentence, ...] | None = None

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences, in text order."""
        if self._sentences is None:
            count = 0 if self._reading is None else len(self._reading)
            self._sentences = tuple(self._sentence(index) for index in range(count))
        return self._sentences

    @property
    def triples(self) -> tuple[Triple, ...]:
        """Those of all sentences, in text order."""
        return tuple(triple for sentence in self.sentences for triple in sentence.triples)

    @property
    def errors(self) -> tuple[Failure, ...]:
        """What failed in this document; the rest of it was read."""
        if self._reading is None:
            return self._failures
        found = self._reading.failures(0, len(self._reading))
        return self._failures + tuple(Failure(*each) for each in found)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as JSON holds them."""
        return {
            "id": self.id,
            "text": self.text,
            "sentences": [
                {
                    "text": sentence.text,
                    "span": list(sentence.span),
                    "byte_span": list(sentence.byte_span),
                    "triples": [triple.to_dict() for triple in sentence.triples],
                }
                for sentence in self.sentences
            ],
            "errors": [failure._asdict() for failure in self.errors],
        }

    def _sentence(self, index: int) -> Sentence:
        assert self._reading is not None
        byte_begin, byte_end, begin, end = self._reading.place(index)
        sentence = Sentence(self.text[begin:end], index, Span(begin, end), Span(byte_begin, byte_end))
        sentence.triples = tuple(
            _triple(placed, sentence) for placed in self._reading.triples(index)
        )
        return sentence

    def __repr__(self) -> str:
        name = "" if self.id is None else f" {self.id!r}"
        failed = f", {len(self.errors)} failed" if self.errors else ""
        return f"<Document{name}: {len(self.sentences)} sentences, {len(self.triples)} triples{failed}>"

    def _repr_html_(self) -> str:
        return _html.document(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Document) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return Document, (self.id, self.text, self._reading, self.origin, self._failures)


def warn_of_errors(document: Document) -> None:
    """For those whose own documents have no place for what failed."""
    for failure in document.errors:
        what = "the text" if failure.sentence is None else f"sentence {failure.sentence} of the text"
        begin = document.text[:40] + "..." * (len(document.text) > 40)
        warnings.warn(f"{what} {begin!r} has no triples: {failure.message}", RuntimeWarning, stacklevel=3)


def _triple(placed: _core.PlacedTriple, sentence: Sentence) -> Triple:
    plain, characters, circumstance_characters = placed
    (subject, relation, object_, confidence, implied,
     polarity, modality, attributed_to, in_bytes, circumstances) = plain  # fmt: skip
    return Triple(
        subject, relation, object_, confidence, tuple(implied), polarity, modality, attributed_to,
        tuple(
            Circumstance(kind, text, _spans(found), _spans(found_bytes))
            for (kind, text, found_bytes), found in zip(circumstances, circumstance_characters)
        ),
        sentence, characters, in_bytes,
    )  # fmt: skip


def _spans(pairs: _core.Pairs) -> tuple[Span, ...]:
    return tuple(map(Span._make, pairs))


def _plain(roles: _core.PlainSpans) -> dict[str, list[list[int]]]:
    return {name: [list(pair) for pair in pairs] for name, pairs in zip(Spans._fields, roles)}
