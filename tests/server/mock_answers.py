"""What the mock server answers: of the example's sentences what the small model says, of others a guess."""
import json
import math
import pathlib
import re

CANNED = {}
for line in (pathlib.Path(__file__).parent / "canned.jsonl").read_text(encoding="utf-8").splitlines():
    CANNED[json.loads(line)["sentence"]] = json.loads(line)["extractions"]

PRESET = {"samples": 1, "steps": 16, "top_k": 12, "tau": 0.9, "rule": "all-runs", "selector": "learned",
          "min_confidence": 0.3, "temperature": 1.0, "tidy": True, "judged": 32, "theta": 0.03, "branch": 2, "refine": True}


def setting(name, kind, help_text, **more):
    return {"name": name, "kind": kind, "help": help_text, "in_preset": name in PRESET, **more}


def sampling(name):
    return {**PRESET, "samples": 512, "min_confidence": 0.0} if name == "paper" else {**PRESET, "samples": 64}


MODELS = {
    "models": [
        {"name": "small", "kernel": "anchored", "trained": True, "default_preset": "balanced", "presets": [
            {"name": "balanced", "settings": PRESET},
            {"name": "best", "settings": {**PRESET, "theta": 0.01, "branch": 4}},
            {"name": "fast", "settings": {**PRESET, "theta": 0.06, "branch": 1}}]},
        {"name": "noise", "kernel": "uniform", "trained": False, "default_preset": "fast", "presets": [
            {"name": name, "settings": sampling(name)} for name in ("fast", "paper")]}],
    "settings": [
        setting("samples", "integer", "Tag sequences per sentence (n)", minimum=1, maximum=65536),
        setting("top_k", "integer", "Triples per sentence at most", minimum=1, maximum=1024),
        setting("rule", "name", "Which runs of tagged words make a triple", names=["longest", "relation-runs", "all-runs"]),
        setting("min_confidence", "number", "Leave out triples below this", minimum=0, maximum=1),
        setting("times", "list", "The steps at which the model is asked, falling; none: evenly strided"),
        setting("theta", "number", "Leave out what is less likely than this on the way (anchored models)", minimum=0.0001, maximum=1),
        setting("branch", "integer", "Relations that a word is asked for (anchored models)", minimum=1, maximum=6),
        setting("refine", "flag", "Ask about a second word where one leaves the relation unsure (anchored models)"),
        setting("asserted_only", "flag", "Leave out what is denied, possible, asked, ordered, conditional or somebody's claim"),
        setting("mark_circumstances", "flag", "Name the time and place phrases of a triple")],
    "formats": [{"name": name, "help": text, "several_files": name in ("neo4j", "brat")} for name, text in (
        ("jsonl", "an object per sentence"), ("tsv", "a line per triple"), ("turtle", "RDF 1.2"),
        ("graphml", "a graph"), ("neo4j", "a graph, for neo4j-admin"), ("html", "a page to look at"))],
    "limits": {"body_bytes": 2097152, "deadline_ms": 30000}, "version": "0.1.0"}

OPENAPI = {
    "openapi": "3.1.0", "info": {"title": "diffie", "version": "0.1.0", "description": "Triples of texts."},
    "paths": {
        "/v1/extract": {"post": {
            "summary": "Triples of a text, of documents or of sentences",
            "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Extract"}, "example": {"text": "Ada wrote it."}}}},
            "responses": {"200": {"description": "The triples"}, "400": {"description": "A field is wrong"}}}},
        "/v1/models": {"get": {"summary": "What is served", "responses": {"200": {"description": "Models"}}}}},
    "components": {"schemas": {
        "Extract": {"type": "object", "required": ["text"], "properties": {
            "text": {"type": "string", "description": "A running text"}, "options": {"$ref": "#/components/schemas/Options"}}},
        "Options": {"type": "object", "properties": {
            "top_k": {"type": "integer", "minimum": 1, "maximum": 1024, "description": "Triples per sentence at most"},
            "rule": {"enum": ["longest", "all-runs"], "description": "Which runs of tagged words make a triple"}}}}}}


def byte_span(sentence, begin, end):
    return [len(sentence[:begin].encode()), len(sentence[:end].encode())]


def guess(sentence):
    """Subject, relation and object: the first words, the one behind them, the others; and a poorer one."""
    words = [match.span() for match in re.finditer(r"\S+", sentence.rstrip(".?! "))]
    if len(words) < 3:
        return []
    cut = min(2, len(words) - 2)
    parts = [(words[0][0], words[cut - 1][1]), words[cut], (words[cut + 1][0], words[-1][1])]
    spans = dict(zip(("subject", "relation", "object"), ([byte_span(sentence, *part)] for part in parts)))
    factuality = {"polarity": "positive", "modality": "question" if sentence.endswith("?") else "certain", "attributed_to": None}
    texts = dict(zip(("subject", "relation", "object"), (sentence[begin:end] for begin, end in parts)))
    return [{**texts, "confidence": confidence, "spans": spans, "factuality": factuality} for confidence in (0.9, 0.2)]


def sentences(text, options):
    result = []
    for match in re.finditer(r"\S.*?(?:[.?!](?=\s|$)|$)", text, re.DOTALL | re.MULTILINE):
        sentence = match.group()
        found = [each for each in CANNED.get(sentence) or guess(sentence)
                 if each["confidence"] >= options.get("min_confidence", 0.3)]
        result.append({"sentence": sentence, "extractions": found[:options.get("top_k", 12)],
                       "source": {"document": "", "sentence": len(result), "bytes": byte_span(text, *match.span())}})
    return result


def tags_of(pieces, extraction):
    tags = []
    for piece in pieces:
        if piece.get("implied"):
            tags.append("R" if piece["text"] in extraction.get("implied", []) else "B")
            continue
        inside = [letter for letter, slot in (("S", "subject"), ("R", "relation"), ("O", "object"))
                  if any(begin <= piece["begin"] and piece["end"] <= end for begin, end in extraction["spans"][slot])]
        tags.append(inside[0] if inside else "B")
    return "".join(tags)


def steps_of(tags):
    """Nothing, a piece of R, R, a piece of S, R and S, a piece of O: as an anchored model decides."""
    steps = []
    for time, letters in ((16, ""), (15, "r"), (12, "R"), (11, "Rs"), (10, "RS"), (9, "RSo")):
        state = "".join(letter if letter in letters or (letter.lower() in letters and tags.index(letter) == place) else "_"
                        for place, letter in enumerate(tags))
        asked = {16: "R", 15: "R", 12: "S", 11: "S", 10: "O", 9: "O"}[time]
        sure = [0.85 - 0.4 * abs(math.sin(place + time)) if tag == asked else 0.1 for place, tag in enumerate(tags)]
        rows = [[1 - p if role == "B" else p if role == asked else 0.0 for role in "BSRO"] for p in sure]
        steps.append({"time": time, "state": state, "probabilities": rows})
    return [*steps, {"time": 0, "state": tags, "probabilities": []}]


def trace(sentence, trajectories):
    found = (CANNED.get(sentence) or guess(sentence))[:trajectories]
    pieces = []
    for word, match in enumerate(re.finditer(r"\w+|[^\w\s]", sentence)):
        for begin in range(match.start(), match.end(), 7):
            begin_byte, end_byte = byte_span(sentence, begin, min(begin + 7, match.end()))
            pieces.append({"text": sentence[begin:begin + 7].lower(), "begin": begin_byte, "end": end_byte, "word": word})
    pieces += [{"text": text, "word": pieces[-1]["word"] + 1 + i, "implied": True} for i, text in enumerate(("is", "was"))]
    total = sum(each["confidence"] for each in found) or 1
    rows = [(each, tags_of(pieces, each), each["confidence"] / total) for each in found]
    slots = [{slot: each[slot] for slot in ("subject", "relation", "object")} for each in found]
    return {"sentence": sentence, "kernel": "anchored", "steps": 16, "cut": False, "pieces": pieces,
            "trajectories": [{"weight": weight, "tags": tags, "triple": triple, "steps": steps_of(tags)}
                             for (each, tags, weight), triple in zip(rows, slots)],
            "clusters": [{**triple, "mass": weight, "members": 1 + index, "confidence": each["confidence"]}
                         for index, ((each, _, weight), triple) in enumerate(zip(rows, slots))]}
