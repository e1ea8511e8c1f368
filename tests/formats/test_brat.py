"""brat standoff by the rules of brat's own parser: ids, types, places and quoted text of every line."""
import re

from conftest import SLOTS, one_line

# What ends a line for the reader of brat's server, and the tab that separates fields.
BREAKS = re.compile("[\n\r\t\v\f\x1c-\x1e\x85\u2028\u2029]")


def read_annotations(path, text):
    """id -> (type, details)."""
    known = {}
    content = path.read_text(encoding="utf-8", errors="strict")
    assert content == "" or content.endswith("\n")
    for line in content.splitlines():
        name, data, *tail = line.split("\t")
        assert re.fullmatch(r"[TERA#][1-9][0-9]*", name) and name not in known
        if name[0] == "T":
            kind, places = data.split(" ", 1)
            spans = [tuple(map(int, place.split(" "))) for place in places.split(";")]
            for index, (begin, end) in enumerate(spans):
                assert 0 <= begin < end <= len(text)
                assert index == 0 or spans[index - 1][1] <= begin
            (quoted,) = tail
            assert quoted == " ".join(text[begin:end] for begin, end in spans)
            assert not BREAKS.search(quoted)
            known[name] = (kind, spans)
        elif name[0] in "ER":
            parts = [part.split(":") for part in data.split(" ")]
            kind = parts[0][0]
            arguments = dict(parts[1:])
            if name[0] == "E":
                trigger = parts[0][1]
                assert known[trigger][0] == kind
                arguments["trigger"] = trigger
            else:
                assert set(arguments) == {"Arg1", "Arg2"}
            assert all(target in known for target in arguments.values())
            known[name] = (kind, arguments)
        else:
            kind, target, *value = data.split(" ")
            assert target in known
            known[name] = (kind, target, value[0] if value else tail[0] if tail else None)
    return known


def covered(text, spans):
    """The characters of spans that an annotation can hold."""
    return sorted(at for begin, end in spans for at in range(begin, end)
                  if not (text[at].isspace() or BREAKS.search(text[at])))


def test_brat(run):
    folder = run.path("brat")
    assert "[events]" in (folder / "annotation.conf").read_text()
    stems = {path.stem for path in folder.glob("*.txt")}
    assert {path.name for path in folder.iterdir()} == (
        {"annotation.conf"} | {stem + suffix for stem in stems for suffix in (".txt", ".ann")})
    found = []
    for stem in stems:
        # As a reader with universal newlines sees it.
        text = (folder / f"{stem}.txt").read_text(encoding="utf-8", errors="strict")
        known = read_annotations(folder / f"{stem}.ann", text)
        notes = {target: note for name, (_, target, note) in
                 ((n, k) for n, k in known.items() if n[0] == "#")}
        for name, (kind, arguments) in ((n, k) for n, k in known.items() if n[0] in "ER"):
            attributes = {known[a][0]: known[a][2] for a in known if a[0] == "A" and known[a][1] == name}
            slots = [arguments.get("Subject") or arguments.get("Arg1"), arguments.get("trigger"),
                     arguments.get("Object") or arguments.get("Arg2")]
            phrases = sorted((known[target][0].lower(), covered(text, known[target][1]))
                             for role, target in arguments.items() if role.rstrip("0123456789") in ("Time", "Place"))
            found.append((tuple(covered(text, known[slot][1]) if slot else [] for slot in slots),
                          "negative" if "Negated" in attributes else "positive",
                          attributes.get("Modality", "certain"), notes[name], phrases))
    texts = [(folder / f"{stem}.txt").read_text(encoding="utf-8") for stem in stems]
    wanted = []
    for triple in run.triples:
        # The document's text is the one in which the sentence stands where it should.
        begin = next(s for s in run.sentences if s["source"]["document"] == triple.document
                     and s["source"]["sentence"] == triple.sentence)["source"]["characters"][0]
        sentence = triple.sentence_text.replace("\r", " ")
        (text,) = [text for text in texts if text[begin:begin + len(sentence)] == sentence]
        note = f"confidence={triple.confidence:g}"
        if triple.implied:
            note += f"; implied={' '.join(triple.implied)}"
        if triple.attributed_to:
            note += f"; attributed_to={one_line(triple.attributed_to)}"
        for kind, words, _ in triple.circumstances:
            note += f"; {kind}={one_line(words)}"
        phrases = sorted((kind, covered(text, at)) for kind, _, at in triple.circumstances if triple.bytes["relation"])
        places = tuple(covered(text, triple.characters[slot]) for slot in SLOTS)
        wanted.append((places, triple.polarity, triple.modality, note, phrases))
    assert sorted(found) == sorted(wanted)
