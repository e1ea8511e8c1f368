"""The page by html5lib, which refuses what is not well-formed."""
import re

import html5lib

from conftest import one_line

MARKS = {"possible": "possible", "question": "question", "order": "imperative", "if": "conditional"}


def shown(text):
    """As a page can have it: no control characters, line breaks in one form."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]", "\ufffd", text)


def text_of(element):
    return "".join(element.itertext())


def test_html(run):
    page = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(run.path("html").read_bytes())
    assert not list(page.iter("script")) and not list(page.iter("link")) and not list(page.iter("img"))
    assert not [name for element in page.iter() for name in element.attrib if name.startswith("on") or name in
                ("src", "href")]
    sentences = [element for element in page.iter("section")]
    assert [text_of(element.find("p")) for element in sentences] == [shown(s["sentence"]) for s in run.sentences]
    items = [item for section in sentences for item in section.iter("li")]
    assert len(items) == len(run.triples)
    for item, triple in zip(items, run.triples):
        assert [text_of(slot) for slot in item.iter("bdi")] == [shown(words) for words in triple.words]
        assert item.find("span").text == f"{triple.confidence:.2f}"
        marks = [text_of(mark) for mark in item.iter("em")]
        assert ("not" in marks) == (triple.polarity == "negative")
        assert [MARKS[mark] for mark in marks if mark in MARKS] == (
            [] if triple.modality == "certain" else [triple.modality])
        assert any(mark.startswith("according to ") for mark in marks) == (triple.attributed_to is not None)
        for kind, words, _ in triple.circumstances:
            assert f"{kind}: {shown(one_line(words))}" in marks
        assert item.get("class") == ("denied" if triple.polarity == "negative" else
                                     "asserted" if triple.asserted else "open")


def test_roles_are_coloured_over_the_text(run):
    page = html5lib.parse(run.path("html").read_bytes(), namespaceHTMLElements=False)
    triples = iter(run.triples)
    for section, sentence in zip(page.iter("section"), run.sentences, strict=True):
        first = sentence["source"]["characters"][0]
        for index, _ in enumerate(section.iter("li"), start=1):
            triple = next(triples)
            for role, slot in zip("sro", ("subject", "relation", "object")):
                pieces = [text_of(span) for span in section.find("p").iter("span")
                          if f"{role}{index}" in span.get("class").split()]
                assert "".join(pieces) == "".join(shown(sentence["sentence"][begin - first:end - first])
                                                  for begin, end in triple.characters[slot])
