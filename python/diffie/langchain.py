"""For LangChain: documents to graphs, or triples as metadata.

``GraphTransformer`` has the interface of LangChain's own graph transformers; its graphs go to
whatever takes ``GraphDocument`` (``graph.add_graph_documents(...)``). Needs ``langchain-core``,
and for graphs ``langchain-community``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from langchain_core.documents import BaseDocumentTransformer, Document

from . import document as core
from .extractor import Extractor

if TYPE_CHECKING:
    from langchain_community.graphs.graph_document import GraphDocument


class TripleTransformer(BaseDocumentTransformer):
    """Puts the triples of each document into its metadata, as plain values, under ``key``."""

    def __init__(self, extractor: Extractor, key: str = "triples") -> None:
        self._extractor = extractor
        self._key = key

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> list[Document]:
        return [
            Document(
                page_content=document.page_content,
                metadata={
                    **document.metadata,
                    self._key: [triple.to_dict() for triple in found.triples],
                },
                id=document.id,
            )
            for document, found in _read(self._extractor, documents)
        ]


class GraphTransformer:
    """A graph for each document: subjects and objects are nodes, by their words; triples are
    relationships. Those that are denied, open or somebody's claim are left out unless asked for."""

    def __init__(self, extractor: Extractor, *, asserted_only: bool = True) -> None:
        self._extractor = extractor
        self._asserted_only = asserted_only

    def convert_to_graph_documents(self, documents: Sequence[Document]) -> list[GraphDocument]:
        return [self._graph(document, found) for document, found in _read(self._extractor, documents)]

    def process_response(self, document: Document) -> GraphDocument:
        return self.convert_to_graph_documents([document])[0]

    def _graph(self, source: Document, found: core.Document) -> GraphDocument:
        from langchain_community.graphs.graph_document import GraphDocument, Node, Relationship

        nodes: dict[str, Node] = {}
        relationships = []
        for triple in found.triples:
            if self._asserted_only and not triple.asserted:
                continue
            ends = [
                nodes.setdefault(text, Node(id=text, type="Entity"))
                for text in (triple.subject, triple.object)
            ]
            relationships.append(
                Relationship(
                    source=ends[0], target=ends[1], type=triple.relation, properties=_properties(triple)
                )
            )
        return GraphDocument(
            nodes=list(nodes.values()), relationships=relationships, source=source
        )


def _read(
    extractor: Extractor, documents: Sequence[Document]
) -> Iterator[tuple[Document, core.Document]]:
    documents = list(documents)  # perhaps an iterator, of which each is taken once
    for document, found in zip(documents, extractor.stream(each.page_content for each in documents)):
        core.warn_of_errors(found)
        yield document, found


def _properties(triple: core.Triple) -> dict[str, Any]:
    return {
        "confidence": triple.confidence,
        "sentence": triple.sentence.text,
        "polarity": triple.polarity,
        "modality": triple.modality,
        "attributed_to": triple.attributed_to,
    }
