"""Documents: offsets quote the text, values travel."""

from __future__ import annotations

import json
import pickle

import pytest
from texts import HARD, PLAIN

import diffie


def test_spans_quote_the_document(extractor: diffie.Extractor) -> None:
    document = extractor.extract(HARD, id="hard")
    utf8 = HARD.encode()
    assert len(document.sentences) == 3
    assert len(document.triples) >= 3
    for sentence in document.sentences:
        assert HARD[slice(*sentence.span)] == sentence.text
        assert utf8[slice(*sentence.byte_span)].decode() == sentence.text
    for triple in document.triples:
        for role in ("subject", "object"):
            characters = getattr(triple.spans, role)
            assert " ".join(HARD[slice(*span)] for span in characters) == getattr(triple, role)
        for characters, in_bytes in zip(triple.spans, triple.byte_spans):
            quoted = [HARD[slice(*span)] for span in characters]
            assert [utf8[slice(*span)].decode() for span in in_bytes] == quoted
        assert triple.sentence in document.sentences
        assert triple in triple.sentence.triples


def test_implied_words_and_whose_claim(extractor: diffie.Extractor) -> None:
    document = extractor.extract(HARD)
    by_object = {triple.object: triple for triple in document.triples}
    implied = by_object["the actress"]
    assert implied.implied == ("is",) and implied.spans.relation == () and implied.asserted
    claimed = by_object["the bread"]
    assert claimed.attributed_to == "Zoë Kravitz" and not claimed.asserted
    assert HARD[slice(*claimed.spans.attributed_to[0])] == "Zoë Kravitz"


def test_circumstances_quote_the_document() -> None:
    text = "Zoë said it. Ada Lovelace published a paper in Łódź in 1843."
    document = diffie.load("small", threads=1, mark_circumstances=True).extract(text)
    found = {each for triple in document.triples for each in triple.circumstances}
    assert {(each.kind, each.text) for each in found} == {("place", "in Łódź"), ("time", "in 1843")}
    for each in found:
        assert [text[slice(*span)] for span in each.spans] == [each.text]
        assert [text.encode()[slice(*span)].decode() for span in each.byte_spans] == [each.text]
    assert pickle.loads(pickle.dumps(document)) == document
    table = diffie.to_arrow(document)
    assert table.to_pyarrow().to_pydict() == table.to_dict()
    assert {"kind": "time", "text": "in 1843"} in table.to_dict()["circumstances"][-1]


def test_to_dict_is_json(extractor: diffie.Extractor) -> None:
    values = extractor.extract(HARD, id="hard").to_dict()
    assert json.loads(json.dumps(values)) == values
    assert values["id"] == "hard" and len(values["sentences"]) == 3


def test_documents_can_be_pickled(extractor: diffie.Extractor) -> None:
    document = extractor.extract(HARD, id="hard")
    again = pickle.loads(pickle.dumps(document))
    assert again == document and again.origin == ("small", "balanced")
    assert again != extractor.extract(PLAIN[0])
    tables = [diffie.to_arrow(each).to_pyarrow() for each in (again, document)]
    assert tables[0].equals(tables[1])


@pytest.mark.parametrize("position", [0, 1, 2])
def test_a_pickle_that_was_changed_is_refused(extractor: diffie.Extractor, position: int) -> None:
    reading = extractor.extract(PLAIN[0])._reading
    assert reading is not None
    state = list(reading.__getstate__())
    state[position] = {0: "short", 1: [(0, 10**9, 0, 1)] * len(reading), 2: []}[position]
    other = type(reading).__new__(type(reading))
    with pytest.raises(diffie.Error, match="not a pickled document"):
        other.__setstate__(tuple(state))


def test_html_escapes_the_text(extractor: diffie.Extractor) -> None:
    html = extractor.extract("Bob <script>alert(1)</script> wrote a book & left.")._repr_html_()
    assert "<script>" not in html and "&lt;script&gt;" in html


def test_html_says_what_is_denied(extractor: diffie.Extractor) -> None:
    assert ">not<" in extractor.extract(PLAIN[2])._repr_html_()


def test_half_a_surrogate_pair_keeps_the_offsets(extractor: diffie.Extractor) -> None:
    text = "\ud83e Ada wrote a program."
    document = extractor.extract(text)
    assert [text[slice(*each.spans.object[0])] for each in document.triples] == ["a program"]


def test_repr(extractor: diffie.Extractor) -> None:
    document = extractor.extract(PLAIN[0], id="d")
    assert repr(document) == "<Document 'd': 2 sentences, 2 triples>"
    assert str(document.triples[0]) == "(Ada Lovelace; wrote; the first program)"
