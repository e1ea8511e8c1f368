"""What a caller writes; `mypy --strict` and pyright read it, and the tests run it."""

from __future__ import annotations

from collections.abc import Iterator

import diffie


def facts(texts: Iterator[str], least: float) -> Iterator[tuple[str, str, str]]:
    extractor: diffie.Extractor = diffie.load("small", preset="balanced", threads=1)
    for document in extractor.stream(texts, batch_size=64):
        for triple in document.triples:
            if triple.asserted and triple.confidence >= least:
                yield triple.subject, triple.relation, triple.object


def quoted(document: diffie.Document) -> list[str]:
    spans: list[diffie.Span] = [span for each in document.triples for span in each.spans.object]
    return [document.text[span.begin : span.end] for span in spans]


def failures(documents: list[diffie.Document]) -> dict[str, str]:
    return {
        document.id: failure.message
        for document in documents
        for failure in document.errors
        if document.id is not None
    }


def main() -> None:
    try:
        extractor = diffie.load("small", threads=1, top_k=2, asserted_only=True)
    except diffie.errors.NotFound as error:
        raise SystemExit(error.code) from error
    text = "Ada Lovelace wrote the first program."
    assert list(facts(iter([text]), 0.5)) == [("Ada Lovelace", "wrote", "the first program")]
    assert quoted(extractor.extract(text)) == ["the first program"]
    assert failures(list(extractor.stream([("a", text)]))) == {}
    table: diffie.Table = diffie.to_arrow(extractor.stream([("a", text)]))
    assert len(table) == 1


if __name__ == "__main__":
    main()
