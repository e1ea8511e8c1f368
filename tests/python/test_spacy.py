"""The component in a real pipeline of spaCy."""

from __future__ import annotations

from pathlib import Path

import pytest
from failing import failing_at
from texts import HARD, PLAIN, corpus

import diffie

spacy = pytest.importorskip("spacy")

from spacy.tokens import Doc, DocBin, Span  # noqa: E402

from diffie.spacy import Component  # noqa: E402


def pipeline(**config: object) -> spacy.Language:
    nlp = spacy.blank("en")
    nlp.add_pipe("diffie", config={"settings": {"threads": 2}, **config})
    return nlp


def as_text(doc: Doc) -> list[str]:
    return [str(triple) for triple in doc._.triples]


def test_triples_have_spans() -> None:
    doc = pipeline()(HARD)
    assert len(doc._.triples) >= 3
    for triple in doc._.triples:
        assert all(isinstance(span, Span) and span.doc is doc for span in triple.subject_spans)
        assert " ".join(span.text for span in triple.subject_spans) == triple.subject
        assert triple.subject_spans[0].start >= triple.sentence.start
        assert triple.subject_spans[0].end <= triple.sentence.end
    claimed = [triple for triple in doc._.triples if triple.attributed_to == "Zoë Kravitz"]
    assert [str(triple) for triple in claimed] == ["(🦊 foxes; ate; the bread)"]


def test_spans_are_widened_to_tokens() -> None:
    nlp = pipeline()
    doc = Doc(nlp.vocab, words=["Ada", "wrote", "the program."], spaces=[True, True, False])
    nlp.get_pipe("diffie")(doc)
    (triple,) = doc._.triples
    assert triple.object == "the program"
    assert triple.object_spans[0].text == "the program."


def test_triples_are_those_of_the_extractor(extractor: diffie.Extractor) -> None:
    nlp = pipeline(preset="balanced")
    for text in [HARD, *PLAIN]:
        assert as_text(nlp(text)) == [str(each) for each in extractor.extract(text).triples]


def test_pipe_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [text for _, text in corpus(40)]
    nlp = pipeline()
    alone = [as_text(nlp(text)) for text in texts]
    calls: list[int] = []
    engine = nlp.get_pipe("diffie")._extractor()._engine

    class Counting:
        settings = engine.settings

        def start(self, ranges: list[tuple[object, int, int]]) -> object:
            calls.append(sum(last - first for _, first, last in ranges))
            return engine.start(ranges)

        def take_notices(self) -> list[str]:
            return engine.take_notices()

    monkeypatch.setattr(nlp.get_pipe("diffie")._extractor(), "_engine", Counting())
    assert [as_text(doc) for doc in nlp.pipe(texts, batch_size=40)] == alone
    assert calls == [64, 36], "sentences of several documents in one call"


def test_what_fails_is_told(extractor: diffie.Extractor) -> None:
    nlp = pipeline()
    nlp.get_pipe("diffie")._made = failing_at(PLAIN[1], extractor)
    with pytest.warns(RuntimeWarning, match="the text 'The Danube .*' has no triples: out of memory"):
        docs = list(nlp.pipe(PLAIN[:3]))
    assert [len(doc._.triples) for doc in docs] == [2, 0, 1]


def test_pipe_with_processes() -> None:
    texts = [text for _, text in corpus(6)]
    nlp = pipeline()
    alone = [as_text(nlp(text)) for text in texts]
    assert [as_text(doc) for doc in nlp.pipe(texts, n_process=2, batch_size=2)] == alone


def test_sentences_of_another_component() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("diffie", config={"sentences": "doc", "settings": {"threads": 1}})
    doc = nlp("Ada wrote a program. Bob read it.")
    assert [triple.sentence.text for triple in doc._.triples] == [sent.text for sent in doc.sents]
    with pytest.raises(ValueError, match="must be 'ours' or 'doc'"):
        pipeline(sentences="mine")


def test_docs_are_serialised_with_their_triples() -> None:
    nlp = pipeline()
    doc = nlp(HARD)
    again = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert as_text(again) == as_text(doc)
    assert again._.triples[0].subject_spans[0].doc is again
    packed = DocBin(store_user_data=True, docs=[doc]).to_bytes()
    (unpacked,) = DocBin().from_bytes(packed).get_docs(nlp.vocab)
    assert as_text(unpacked) == as_text(doc)


def test_a_part_of_a_doc_has_no_triples_of_the_whole() -> None:
    doc = pipeline()("Bob read it. Ada wrote a program. Eve left Vienna.")
    for part in (doc[4:9], doc[4:]):
        assert part.as_doc(copy_user_data=True)._.triples == ()
    assert as_text(doc.copy()) == as_text(doc) != []


def test_pipelines_are_serialised(tmp_path: Path) -> None:
    nlp = pipeline(preset="fast", settings={"top_k": 1, "threads": 1})
    expected = as_text(nlp(PLAIN[1]))
    nlp.to_disk(tmp_path / "pipeline")
    assert as_text(spacy.load(tmp_path / "pipeline")(PLAIN[1])) == expected
    again = spacy.blank("en")
    again.add_pipe("diffie")
    again.from_bytes(nlp.to_bytes())
    assert as_text(again(PLAIN[1])) == expected
    restored = Component().from_bytes(nlp.get_pipe("diffie").to_bytes())
    assert restored._config == nlp.get_pipe("diffie")._config


def test_a_doc_without_the_component_has_none() -> None:
    pipeline()
    assert spacy.blank("en")(PLAIN[0])._.triples == ()
