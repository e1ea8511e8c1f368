"""Pieces of documents give what the documents give."""

from __future__ import annotations

import pyarrow as pa
import pytest

import corpus
from diffie import pieces, rows


@pytest.mark.parametrize("sentences", [1, 7, 1000])
def test_pieces_have_the_triples_of_their_documents_with_the_same_offsets(sentences):
    awkward = ["Zoë met Ana in Łódź. Ünal wrote «Memoirs».\n\n  Ada 😀 read it.  Bob slept.", "", "  \n ", None]
    few = corpus.documents(12, poison=False).slice(6, 2)  # the long one, and one behind it
    documents = pa.concat_tables([few, pa.table({"id": ["a", "b", "c", "d"], "text": awkward})])
    cut = list(pieces.cut(documents.to_batches(), sentences))
    assert all(len(row["cut"] or ()) <= 2 * sentences for batch in cut for row in batch.to_pylist())
    found = pa.Table.from_batches(rows.stream_pieces(cut, threads=1), rows.schema())
    corpus.assert_same(found, corpus.alone(documents))
