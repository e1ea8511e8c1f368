"""GraphML by networkx; the CSV files by the rules of neo4j-admin database import."""
import csv
import re

import networkx

from conftest import SLOTS, circumstances, key, one_line


def as_text(spans, separator):
    return separator.join(f"{begin}-{end}" for begin, end in spans)


def writable(text):
    """XML has no way to write control characters."""
    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", "\ufffd", text)


def test_graphml(run):
    graph = networkx.read_graphml(run.path("graphml"), force_multigraph=True)
    edges = sorted(graph.edges(keys=True, data=True), key=lambda edge: int(edge[2][1:]))
    assert len(edges) == len(run.triples)
    for (source, target, _, data), triple in zip(edges, run.triples):
        assert key(graph.nodes[source].get("label") or "") == key(triple.words[0])
        assert key(graph.nodes[target].get("label") or "") == key(triple.words[2])
        assert data["relation"] == one_line(triple.words[1])
        assert data["confidence"] == triple.confidence
        assert data["document"] == writable(triple.document)
        assert (data["sentence"], data["sentence_begin"], data["sentence_end"]) == (
            triple.sentence, *triple.sentence_bytes)
        for slot in SLOTS:
            assert (data.get(f"{slot}_bytes") or "") == as_text(triple.bytes[slot], " ")
            assert (data.get(f"{slot}_characters") or "") == as_text(triple.characters[slot], " ")
        assert data.get("implied", "").split() == triple.implied
        assert (data["polarity"], data["modality"]) == (triple.polarity, triple.modality)
        assert data.get("attributed_to") == (one_line(triple.attributed_to) if triple.attributed_to else None)
        for kind in ("time", "place"):
            assert data.get(kind, "") == ";".join(circumstances(triple, kind))
    assert len(graph) == len({key(triple.words[end]) for triple in run.triples for end in (0, 2)})


TYPES = {"string", "string[]", "long", "double"}


def read_neo4j(path):
    """Rows as properties with their types; what the importer refuses fails here."""
    text = path.read_text(encoding="utf-8")
    assert "\r" not in text and "\0" not in text
    # No field may go over a line unless the importer is told so.
    rows = [next(csv.reader([line], strict=True)) for line in text.split("\n")[:-1]]
    header = [re.fullmatch(r"(\w*):(\w+(?:\[\])?)", field).groups() for field in rows[0]]
    assert len({name or kind for name, kind in header}) == len(header)
    for _, kind in header:
        assert kind in TYPES | {"ID", "LABEL", "START_ID", "END_ID", "TYPE"}
    for row in rows[1:]:
        assert len(row) == len(header)
        record = {}
        for (name, kind), field in zip(header, row):
            value = {"long": int, "double": float, "string[]": lambda text: text.split(";") if text else []}.get(
                kind, str)(field)
            record[name or kind] = value
        yield record


def test_neo4j(run):
    nodes = list(read_neo4j(run.path("neo4j") / "nodes.csv"))
    names = {node["id"]: node["name"] for node in nodes}
    assert len(names) == len(nodes)
    assert len({key(name) for name in names.values()}) == len(nodes)
    assert all(node["LABEL"] for node in nodes)
    relationships = list(read_neo4j(run.path("neo4j") / "relationships.csv"))
    assert len(relationships) == len(run.triples)
    for row, triple in zip(relationships, run.triples):
        assert key(names[row["START_ID"]]) == key(triple.words[0])
        assert key(names[row["END_ID"]]) == key(triple.words[2])
        assert row["TYPE"] == "RELATION"
        assert row["relation"] == one_line(triple.words[1])
        assert row["sentence_text"] == one_line(triple.sentence_text)
        assert row["document"] == one_line(triple.document)
        assert (row["sentence"], row["sentence_begin"], row["sentence_end"]) == (
            triple.sentence, *triple.sentence_bytes)
        assert row["confidence"] == triple.confidence
        for slot in SLOTS:
            assert ";".join(row[f"{slot}_bytes"]) == as_text(triple.bytes[slot], ";")
            assert ";".join(row[f"{slot}_characters"]) == as_text(triple.characters[slot], ";")
        assert row["implied"] == triple.implied
        assert (row["polarity"], row["modality"]) == (triple.polarity, triple.modality)
        assert row["attributed_to"] == one_line(triple.attributed_to or "")
        for kind in ("time", "place"):
            assert row[kind] == circumstances(triple, kind)
