"""RDF 1.2 by pyoxigraph, classic reification by rdflib."""
from urllib.parse import quote

import pyoxigraph as ox
import pytest
import rdflib

from conftest import SLOTS, key

SCHEMA = "urn:diffie:schema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"


def read_12(path, syntax):
    return {(q.subject, q.predicate, q.object) for q in ox.parse(path=str(path), format=syntax)}


def iri(base, kind, text):
    return f"{base}{kind}/" + quote(key(text), safe=" -.~").replace("_", "%5F").replace(" ", "_")


def reifier(base, triple):
    return f"{base}triple/{quote(triple.document, safe='-.~').replace('_', '%5F')}/{triple.sentence}/{triple.index}"


class Facts:
    """Property values by subject, all as text."""

    def __init__(self, statements):
        self.by_subject = {}
        for subject, predicate, value in statements:
            self.by_subject.setdefault(subject, {}).setdefault(predicate, []).append(value)

    def values(self, subject, predicate):
        return self.by_subject[subject].get(predicate, [])

    def value(self, subject, predicate):
        (value,) = self.values(subject, predicate)
        return value


def check(facts, base, triple):
    node = reifier(base, triple)
    assert float(facts.value(node, SCHEMA + "confidence")) == triple.confidence
    for slot, words in zip(SLOTS, triple.words):
        assert facts.value(node, SCHEMA + slot) == words
        for unit, expected in (("Bytes", triple.bytes), ("Characters", triple.characters)):
            assert sorted(facts.values(node, f"{SCHEMA}{slot}{unit}")) == sorted(
                f"{begin}-{end}" for begin, end in expected[slot])
    assert facts.values(node, SCHEMA + "implied") == ([" ".join(triple.implied)] if triple.implied else [])
    assert facts.value(node, SCHEMA + "polarity") == triple.polarity
    assert facts.value(node, SCHEMA + "modality") == triple.modality
    assert facts.values(node, SCHEMA + "attributedTo") == ([triple.attributed_to] if triple.attributed_to else [])
    for kind in ("time", "place"):
        same_kind = [each for each in triple.circumstances if each[0] == kind]
        assert sorted(facts.values(node, SCHEMA + kind)) == sorted({text for _, text, _ in same_kind})
        assert sorted(facts.values(node, f"{SCHEMA}{kind}Characters")) == sorted(
            {f"{begin}-{end}" for _, _, places in same_kind for begin, end in places})
    sentence = facts.value(node, SCHEMA + "sentence")
    assert facts.value(sentence, SCHEMA + "text") == triple.sentence_text
    assert int(facts.value(sentence, SCHEMA + "index")) == triple.sentence
    assert int(facts.value(sentence, SCHEMA + "byteBegin")) == triple.sentence_bytes[0]
    assert facts.value(facts.value(sentence, SCHEMA + "document"), SCHEMA + "id") == triple.document
    for kind, words in zip(("entity", "relation", "entity"), triple.words):
        assert key(facts.value(iri(base, kind, words), LABEL)) == key(words)


def test_both_syntaxes_say_the_same(run):
    assert read_12(run.path("ntriples"), ox.RdfFormat.N_TRIPLES) == read_12(run.path("turtle"), ox.RdfFormat.TURTLE)


@pytest.mark.parametrize("name,syntax", [("ntriples", ox.RdfFormat.N_TRIPLES), ("turtle", ox.RdfFormat.TURTLE)])
def test_rdf_12(run, name, syntax):
    base = "urn:diffie:"
    graph = read_12(run.path(name), syntax)
    facts = Facts((s.value, p.value, o.value) for s, p, o in graph if not isinstance(o, ox.Triple))
    reified = {s.value: o for s, p, o in graph if p.value == RDF + "reifies"}
    stated = {(s.value, p.value, o.value) for s, p, o in graph if p.value.startswith(base + "relation/")}
    wanted = set()
    for triple in run.triples:
        check(facts, base, triple)
        terms = tuple(iri(base, kind, words) for kind, words in zip(("entity", "relation", "entity"), triple.words))
        term = reified.pop(reifier(base, triple))
        assert (term.subject.value, term.predicate.value, term.object.value) == terms
        if triple.asserted:
            wanted.add(terms)
    assert not reified
    assert stated == wanted


@pytest.mark.parametrize("name,syntax", [("ntriples-classic", "nt"), ("turtle-classic", "turtle")])
def test_classic_reification(run, name, syntax):
    base = "https://example.org/"
    graph = rdflib.Graph().parse(run.path(name), format=syntax)
    facts = Facts((str(s), str(p), str(o)) for s, p, o in graph)
    for triple in run.triples:
        check(facts, base, triple)
        node = reifier(base, triple)
        for name_of_term, kind, words in zip(("subject", "predicate", "object"), ("entity", "relation", "entity"),
                                             triple.words):
            assert facts.value(node, RDF + name_of_term) == iri(base, kind, words)
    assert len(set(graph.subjects(rdflib.RDF.type, rdflib.RDF.Statement))) == len(run.triples)
