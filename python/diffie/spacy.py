"""A component of spaCy's pipelines: ``nlp.add_pipe("diffie")``, then ``doc._.triples``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import srsly
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.util import minibatch

from . import _core
from . import document as core
from ._pipeline import Pending, encodable
from .extractor import Extractor

#: Where a Doc keeps its triples, as plain values: they travel with ``Doc.to_bytes``.
_KEY = "diffie"
#: How long the text is that they are of: a part of a Doc may be given all of its user data.
_CHARACTERS = "diffie_characters"


@dataclass(frozen=True)
class Circumstance:
    """When or where: ``kind`` is ``"time"`` or ``"place"``."""

    kind: str
    text: str
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Triple:
    """As ``diffie.Triple``, with spaCy's spans: the tokens that a role has characters of."""

    subject: str
    relation: str
    object: str
    confidence: float
    subject_spans: tuple[Span, ...]
    relation_spans: tuple[Span, ...]
    object_spans: tuple[Span, ...]
    implied: tuple[str, ...]
    polarity: str
    modality: str
    attributed_to: str | None
    circumstances: tuple[Circumstance, ...]
    sentence: Span

    def __str__(self) -> str:
        return f"({self.subject}; {self.relation}; {self.object})"


@Language.factory(
    "diffie",
    assigns=["doc._.triples"],
    default_config={"model": "small", "preset": None, "settings": {}, "sentences": "ours"},
)
def make_component(
    nlp: Language, name: str, model: str, preset: str | None, settings: dict[str, Any], sentences: str
) -> Component:
    return Component(name, model, preset, settings, sentences)


class Component:
    """``sentences`` is ``"ours"``, or ``"doc"`` for those that a component before this one has
    set. The model is loaded when the first text comes, in each process."""

    def __init__(
        self,
        name: str = "diffie",
        model: str = "small",
        preset: str | None = None,
        settings: dict[str, Any] | None = None,
        sentences: str = "ours",
    ) -> None:
        if sentences not in ("ours", "doc"):
            raise ValueError(f"sentences is '{sentences}', must be 'ours' or 'doc'")
        self.name = name
        self._config: dict[str, Any] = {
            "model": model, "preset": preset, "settings": dict(settings or {}), "sentences": sentences
        }  # fmt: skip
        self._made: Extractor | None = None
        if not Doc.has_extension("triples"):
            Doc.set_extension("triples", getter=triples)

    def __call__(self, doc: Doc) -> Doc:
        return next(self.pipe([doc]))

    def pipe(self, docs: Iterable[Doc], batch_size: int = 128) -> Iterator[Doc]:
        """``batch_size`` counts documents, as in spaCy; sentences of several go to the engine
        together."""
        extractor = self._extractor()
        for batch in minibatch(docs, batch_size):  # type: ignore[no-untyped-call]
            pending = [self._pending(doc) for doc in batch]
            for doc, found in zip(batch, extractor._run(pending, extractor._batch_size)):
                core.warn_of_errors(found)
                doc.user_data[_KEY] = [_plain(triple) for triple in found.triples]
                doc.user_data[_CHARACTERS] = len(doc.text)
                yield doc

    def _extractor(self) -> Extractor:
        if self._made is None:
            config = self._config
            self._made = Extractor(config["model"], config["preset"], config["settings"])
        return self._made

    def _pending(self, doc: Doc) -> Pending:
        text = encodable(doc.text)
        if self._config["sentences"] == "ours":
            return Pending(None, doc.text, self._extractor()._cut(text))
        places = [(sent.start_char, sent.end_char) for sent in doc.sents]
        return Pending(None, doc.text, _core.Reading.sentences(text, places))

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """The settings; a model stays where it is and is found by its name or path again."""
        data: bytes = srsly.msgpack_dumps(self._config)
        return data

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> Component:
        self._config = srsly.msgpack_loads(data)
        self._made = None
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        Path(path).mkdir(parents=True, exist_ok=True)
        srsly.write_json(Path(path) / "config.json", self._config)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> Component:
        self._config = srsly.read_json(Path(path) / "config.json")
        self._made = None
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {"name": self.name, "config": self._config}

    def __setstate__(self, state: dict[str, Any]) -> None:
        config = state["config"]
        self.__init__(state["name"], **config)  # type: ignore[misc]


def _plain(triple: core.Triple) -> dict[str, Any]:
    values = triple.to_dict()
    del values["byte_spans"]
    for circumstance in values["circumstances"]:
        del circumstance["byte_spans"]
    values["sentence"] = list(triple.sentence.span)
    return values


def triples(doc: Doc) -> tuple[Triple, ...]:
    """What ``doc._.triples`` gives: none where the component was not in the pipeline, and of a part of
    another Doc."""
    characters = len(doc.text)
    if doc.user_data.get(_CHARACTERS, characters) != characters:
        return ()
    return tuple(_triple(doc, values) for values in doc.user_data.get(_KEY, ()))


def _triple(doc: Doc, values: dict[str, Any]) -> Triple:
    spans = {
        role: _spans(doc, values["spans"][role])
        for role in ("subject", "relation", "object")
    }
    return Triple(
        values["subject"], values["relation"], values["object"], values["confidence"],
        spans["subject"], spans["relation"], spans["object"],
        tuple(values["implied"]), values["polarity"], values["modality"], values["attributed_to"],
        tuple(
            Circumstance(each["kind"], each["text"], _spans(doc, each["spans"]))
            for each in values["circumstances"]
        ),
        _span(doc, *values["sentence"]),
    )  # fmt: skip


def _spans(doc: Doc, pairs: list[list[int]]) -> tuple[Span, ...]:
    return tuple(_span(doc, begin, end) for begin, end in pairs)


def _span(doc: Doc, begin: int, end: int) -> Span:
    span = doc.char_span(begin, end, alignment_mode="expand")
    assert span is not None, "an offset of the document's own text"
    return span
