"""A property graph of LlamaIndex, built without a language model."""

from __future__ import annotations

import pytest
from failing import failing_at
from texts import PLAIN

import diffie

pytest.importorskip("llama_index.core")

from llama_index.core import Document, PropertyGraphIndex  # noqa: E402
from llama_index.core.embeddings import MockEmbedding  # noqa: E402
from llama_index.core.graph_stores import SimplePropertyGraphStore  # noqa: E402
from llama_index.core.graph_stores.types import KG_NODES_KEY, KG_RELATIONS_KEY  # noqa: E402
from llama_index.core.llms import MockLLM  # noqa: E402
from llama_index.core.schema import TextNode  # noqa: E402

from diffie.llama_index import TripleExtractor  # noqa: E402


def test_nodes_get_entities_and_relations() -> None:
    nodes = [TextNode(text=text, metadata={"page": i}) for i, text in enumerate(PLAIN)]
    found = TripleExtractor(settings={"threads": 1})(nodes)
    danube = found[1].metadata
    assert [relation.label for relation in danube[KG_RELATIONS_KEY]] == ["rises in", "flows through", "empties into"]
    assert danube[KG_RELATIONS_KEY][0].source_id == danube[KG_NODES_KEY][0].id
    assert danube[KG_NODES_KEY][0].properties == {"page": 1}
    assert found[2].metadata[KG_RELATIONS_KEY] == [], "what is denied is left out"


def test_an_iterator_of_nodes_is_as_a_list() -> None:
    (node,) = TripleExtractor(settings={"threads": 1})(iter([TextNode(text=PLAIN[1])]))  # type: ignore[arg-type]
    assert len(node.metadata[KG_RELATIONS_KEY]) == 3


def test_what_fails_is_told(extractor: diffie.Extractor) -> None:
    failing = TripleExtractor()
    failing._made = failing_at(PLAIN[1], extractor)
    with pytest.warns(RuntimeWarning, match="the text 'The Danube .*' has no triples: out of memory"):
        (node,) = failing([TextNode(text=PLAIN[1])])
    assert node.metadata[KG_RELATIONS_KEY] == []


def test_asserted_only_can_be_switched_off() -> None:
    extractor = TripleExtractor(asserted_only=False, settings={"threads": 1})
    (node,) = extractor([TextNode(text=PLAIN[2])])
    assert node.metadata[KG_RELATIONS_KEY][0].label == "never completed"


def test_an_index_is_built() -> None:
    index = PropertyGraphIndex.from_documents(
        [Document(text=text) for text in PLAIN],
        kg_extractors=[TripleExtractor(settings={"threads": 1})],
        property_graph_store=SimplePropertyGraphStore(),
        embed_model=MockEmbedding(embed_dim=4),
        llm=MockLLM(),
        embed_kg_nodes=False,
        use_async=False,
    )
    triples = index.property_graph_store.get_triplets(entity_names=["The Danube"])
    assert {(relation.label, end.name) for _, relation, end in triples} == {
        ("rises in", "the Black Forest"),
        ("flows through", "ten countries"),
        ("empties into", "the Black Sea"),
    }
