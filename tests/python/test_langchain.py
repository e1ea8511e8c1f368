"""LangChain's own classes hold what we find."""

from __future__ import annotations

import pytest
from failing import failing_at
from texts import PLAIN

import diffie

pytest.importorskip("langchain_core")
pytest.importorskip("langchain_community")

from langchain_community.graphs import NetworkxEntityGraph  # noqa: E402
from langchain_community.graphs.networkx_graph import KnowledgeTriple  # noqa: E402
from langchain_core.documents import Document  # noqa: E402

from diffie.langchain import GraphTransformer, TripleTransformer  # noqa: E402

DOCUMENTS = [Document(page_content=text, metadata={"page": i}) for i, text in enumerate(PLAIN)]


def test_triples_as_metadata(extractor: diffie.Extractor) -> None:
    found = TripleTransformer(extractor).transform_documents(DOCUMENTS)
    assert [document.metadata["page"] for document in found] == list(range(len(PLAIN)))
    for document, text in zip(found, PLAIN):
        expected = [triple.to_dict() for triple in extractor.extract(text).triples]
        assert document.metadata["triples"] == expected
    assert "triples" not in DOCUMENTS[0].metadata


def test_an_iterator_of_documents_is_as_a_list(extractor: diffie.Extractor) -> None:
    expected = TripleTransformer(extractor).transform_documents(DOCUMENTS)
    assert TripleTransformer(extractor).transform_documents(iter(DOCUMENTS)) == expected  # type: ignore[arg-type]


def test_what_fails_is_told(extractor: diffie.Extractor) -> None:
    failing = failing_at(PLAIN[2], extractor)
    with pytest.warns(RuntimeWarning, match=f"the text '{PLAIN[2]}' has no triples: out of memory"):
        found = TripleTransformer(failing).transform_documents(DOCUMENTS)
    assert [bool(document.metadata["triples"]) for document in found] == [True, True, False, False, True]


def test_graphs(extractor: diffie.Extractor) -> None:
    graphs = GraphTransformer(extractor).convert_to_graph_documents(DOCUMENTS)
    danube = graphs[1]
    assert danube.source is DOCUMENTS[1]
    assert {node.id for node in danube.nodes} == {
        "The Danube", "the Black Forest", "ten countries", "the Black Sea"
    }  # fmt: skip
    assert {edge.type for edge in danube.relationships} == {"rises in", "flows through", "empties into"}
    assert all(0 < edge.properties["confidence"] <= 1 for edge in danube.relationships)
    ids = [{node.id for node in graph.nodes} for graph in graphs]
    for graph, known in zip(graphs, ids):
        assert all({edge.source.id, edge.target.id} <= known for edge in graph.relationships)


def test_what_is_denied_is_left_out(extractor: diffie.Extractor) -> None:
    assert not GraphTransformer(extractor).process_response(DOCUMENTS[2]).relationships
    everything = GraphTransformer(extractor, asserted_only=False).process_response(DOCUMENTS[2])
    assert everything.relationships[0].properties["polarity"] == "negative"


def test_a_graph_of_langchain_takes_them(extractor: diffie.Extractor) -> None:
    pytest.importorskip("networkx")
    graph = NetworkxEntityGraph()
    for found in GraphTransformer(extractor).convert_to_graph_documents(DOCUMENTS):
        for edge in found.relationships:
            graph.add_triple(KnowledgeTriple(str(edge.source.id), edge.type, str(edge.target.id)))
    assert graph.get_entity_knowledge("The Danube") == [
        "The Danube rises in the Black Forest",
        "The Danube flows through ten countries",
        "The Danube empties into the Black Sea",
    ]
