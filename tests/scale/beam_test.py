"""diffie.beam on Beam's local runner."""

from __future__ import annotations

import apache_beam as beam
from apache_beam.testing.test_pipeline import TestPipeline
from apache_beam.testing.util import assert_that, equal_to

import corpus
import diffie.beam


def test_same_triples_as_alone():
    documents = corpus.documents(60)
    wanted = [row for row in corpus.alone(documents).to_pylist() if row.pop("error_code") is None]
    for row in wanted:
        row.pop("error_message")
    pairs = list(zip(documents["id"].to_pylist(), documents["text"].to_pylist()))
    with TestPipeline() as pipeline:
        found = pipeline | beam.Create([*pairs, ("number", 5)]) | diffie.beam.Extract(model="small")
        assert_that(found.triples, equal_to(wanted), label="triples")
        failed = found.errors | beam.Map(lambda row: (row["document_id"], row["sentence"]))
        assert_that(failed, equal_to([(f"doc-{corpus.POISON:07}", None), ("number", None)]), label="errors")


def test_half_a_pair_of_surrogates_spoils_no_batch():
    documents = [("\ud800", "Ada wrote a program."), ("b", "Bob read \udfffit.")]
    found = list(diffie.beam._ExtractBatch({"threads": 1}).process(documents))
    assert [(row["document_id"], row["subject"]) for row in found] == [("?", "Ada"), ("b", "Bob")]
