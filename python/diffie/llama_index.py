"""For LlamaIndex: a knowledge-graph extractor for ``PropertyGraphIndex``.

``PropertyGraphIndex.from_documents(documents, kg_extractors=[TripleExtractor()])`` then needs no
language model to build its graph. Needs ``llama-index-core``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.graph_stores.types import (
    KG_NODES_KEY,
    KG_RELATIONS_KEY,
    EntityNode,
    Relation,
)
from llama_index.core.schema import BaseNode, MetadataMode, TransformComponent
from pydantic import PrivateAttr

from .document import Triple, warn_of_errors
from .extractor import Extractor


class TripleExtractor(TransformComponent):
    """Adds entities and relations to the nodes it is given. Triples that are denied, open or
    somebody's claim are left out unless asked for."""

    model: str = "small"
    preset: str | None = None
    settings: dict[str, Any] = {}
    asserted_only: bool = True
    _made: Extractor | None = PrivateAttr(default=None)

    @classmethod
    def class_name(cls) -> str:
        return "diffie"

    def __call__(self, nodes: Sequence[BaseNode], **kwargs: Any) -> Sequence[BaseNode]:
        nodes = list(nodes)  # perhaps an iterator
        texts = [node.get_content(metadata_mode=MetadataMode.NONE) for node in nodes]
        for node, found in zip(nodes, self._extractor().stream(texts)):
            warn_of_errors(found)
            node.metadata.setdefault(KG_NODES_KEY, [])  # an index wants them, be they empty
            node.metadata.setdefault(KG_RELATIONS_KEY, [])
            for triple in found.triples:
                if triple.asserted or not self.asserted_only:
                    _add(node, triple)
        return nodes

    async def acall(self, nodes: Sequence[BaseNode], **kwargs: Any) -> Sequence[BaseNode]:
        import asyncio

        return await asyncio.to_thread(self.__call__, nodes, **kwargs)

    def _extractor(self) -> Extractor:
        if self._made is None:
            self._made = Extractor(self.model, self.preset, self.settings)
        return self._made


def _add(node: BaseNode, triple: Triple) -> None:
    ours = (KG_NODES_KEY, KG_RELATIONS_KEY)
    known = {key: value for key, value in node.metadata.items() if key not in ours}
    subject, object_ = (
        EntityNode(name=text, label="entity", properties=known)
        for text in (triple.subject, triple.object)
    )
    relation = Relation(
        label=triple.relation,
        source_id=subject.id,
        target_id=object_.id,
        properties={**known, "confidence": triple.confidence, "sentence": triple.sentence.text},
    )
    node.metadata[KG_NODES_KEY] += (subject, object_)
    node.metadata[KG_RELATIONS_KEY].append(relation)
