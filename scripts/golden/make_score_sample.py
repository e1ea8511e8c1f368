#!/usr/bin/env python3
"""Writes tests/lab/score/sample/: invented sentences with gold and predictions in every format, and the
scores that the Python transcriptions (bench/score/reference_carb.py, score_reference.py) give them.

Usage: scripts/golden/make_score_sample.py   (any Python 3, no packages; rewrites the files in place)
"""
import json
import pathlib

import score_reference

OUT = pathlib.Path(__file__).resolve().parents[2] / "tests" / "lab" / "score" / "sample"

# sentence, gold tuples (relation, arguments...), predictions (confidence, relation, arguments...)
SENTENCES = [
    ("Mira Holt painted the old mill in 1931 .",
     [("painted", "Mira Holt", "the old mill", "in 1931")],
     [(0.91, "painted", "Mira Holt", "the old mill", "in 1931"), (0.42, "painted", "Mira", "mill")]),
    ("The ferry , which sails at dawn , belongs to Oskar .",
     [("sails", "The ferry", "at dawn"), ("belongs to", "The ferry", "Oskar")],
     [(0.88, "belongs to", "The ferry , which sails at dawn ,", "Oskar"), (0.35, "sails at", "which", "dawn")]),
    ("Anna is a baker and Ben is a smith .",
     [("is", "Anna", "a baker"), ("is", "Ben", "a smith")],
     [(0.88, "be", "Anna", "baker"), (0.88, "be", "Ben", "smith"), (0.10, "is", "Anna", "a smith")]),
    ("`` We sold the boat , '' said Ruth .",
     [("said", "Ruth", "We sold the boat"), ("sold", "We", "the boat")],
     [(0.77, "said", "We sold the boat", "Ruth"), (0.66, "sold", "We", "the boat")]),
    ("Snow fell .", [("fell", "Snow")], [(0.50, "fell", "Snow", "again"), (0.20, "fell")]),
    ("The council ( est. 1902 ) met twice and voted once .",
     [("met", "The council", "twice"), ("voted", "The council", "once"), ("was est.", "The council", "1902")],
     [(0.73, "met", "The council -LRB- est. 1902 -RRB-", "twice"), (0.73, "voted", "The council", "once")]),
    ("Jon gave Lia a red hat on Monday .",
     [("gave", "Jon", "Lia", "a red hat", "on Monday"), ("gave a red hat to", "Jon", "Lia", "C: on Monday")],
     [(0.64, "gave", "Jon", "Lia", "a red hat"), (0.64, "gave", "Jon", "a red hat", "on Monday")]),
    ("Café Zoë opens at nine ; Ärzte eat there .",
     [("opens", "Café Zoë", "at nine"), ("eat", "Ärzte", "there")],
     [(0.59, "opens", "CAFÉ ZOË", "at\u00a0nine"), (0.31, "EAT", "ärzte", "there")]),
    ("He was seen by the river and by the bridge .",
     [("was seen", "He", "by the river"), ("was seen", "He", "by the bridge")],
     [(0.49, "was seen", "He", "by the river and by the bridge"), (0.28, "was", "He", "seen")]),
    ("Nobody knows why the lamp still burns .",
     [("knows", "Nobody", "why the lamp still burns"), ("burns", "the lamp")], []),
    ("The the band played on and on and on .",
     [("played", "The the band", "on and on and on")],
     [(0.83, "played", "The band", "on on on on"), (0.12, "sang", "The the band", "on")]),
    ("Two judges added that the law adds little .",
     [("added", "Two judges", "that the law adds little"), ("adds", "the law", "little")],
     [(0.70, "adds", "little", "the law"), (0.15, "added that", "judges", "the law adds little")]),
]

BENCHIE_GOLD = """sent_id:1\tMira Holt painted the old mill in 1931 .
1--> Cluster 1:
Mira Holt --> painted --> [the] [old] mill
Mira Holt --> painted --> [the] [old] mill [in 1931]
1--> Cluster 2:
Mira Holt --> painted [the] [old] mill in --> 1931
Mira Holt --> painted [the] [old] mill --> in 1931

sent_id:2\tThe ferry , which sails at dawn , belongs to Oskar .
2--> Cluster 1:
[The] ferry --> belongs to --> Oskar
[The] ferry --> belongs --> to Oskar
2--> Cluster 2:
[The] ferry[,] [which --> sails at --> dawn]
[The] ferry [, which sails at dawn ,] --> sails  at --> dawn
[The] ferry --> sails --> at dawn

sent_id:3\tAnna is a baker and Ben is a smith .
3--> Cluster 1:
Anna --> is --> [a] baker
3-->Cluster 2:
Ben --> is --> [a [very] good] smith
"""

BENCHIE_EXTRACTIONS = """1\tMira Holt\tpainted\tthe old mill
1\tMira Holt\tpainted\tmill in 1931
1\tMira Holt\tpainted old mill in\t1931
1\tMira\tpainted\tmill
2\tferry , which sails at dawn ,\tsails  at\tdawn
2\tferry\tbelongs to\toskar
2\tThe ferry \tsails\tat dawn
3\tAnna\tis\tbaker
3\tAnna\tis\ta baker
3\tBen\tis\ta very good] smith
3\tBen\tis\tsmith
9\tNobody\tknows\tthis
"""


def gold_part(words, inferred=()):
    return {"text": " ".join(words), "words": list(words),
            "words_indexes": ["inf" if w in inferred else ([i, -1.0] if i == 0 else i) for i, w in enumerate(words)]}


def gold_tuple(arg1, rel, arg2, *further, inferred=()):
    return {"arg1": gold_part(arg1.split(), inferred), "rel": gold_part(rel.split(), inferred),
            "arg2": gold_part(arg2.split(), inferred), "arg3+": [gold_part(f.split(), inferred) for f in further]}


WIRE57_GOLD = {
    "mill": [
        {"id": "MI 1", "sent": "Mira Holt painted the old mill in 1931.",
         "tokens": "Mira Holt painted the old mill in 1931 .".split(),
         "tuples": [gold_tuple("Mira Holt", "painted", "the old mill", "in 1931"),
                    gold_tuple("the mill", "is", "old", inferred=("is",))]},
        {"id": "MI 2", "sent": "Snow fell.", "tokens": "Snow fell .".split(),
         "tuples": [gold_tuple("Snow", "fell", "")]}],
    "hat": [
        {"id": "HA 1", "sent": "Jon gave Lia a red hat on Monday.",
         "tokens": "Jon gave Lia a red hat on Monday .".split(),
         "tuples": [gold_tuple("Jon", "gave", "Lia", "a red hat", "on Monday"),
                    gold_tuple("Lia", "has got", "a red hat", inferred=("has", "got"))]}]}

WIRE57_EXTRACTIONS = {
    "MI 1": [{"arg1": "Mira Holt", "rel": "painted", "arg2": "the old mill", "arg3+": ["1931"], "extractor": "one",
              "score": 0.9},
             {"arg1": "the mill", "rel": "is", "arg2": "old", "extractor": "one", "score": 0.5},
             {"arg1": "Mira Mira", "rel": "painted", "arg2": "mill", "extractor": "two", "score": -3}],
    "MI 2": [{"arg1": "Snow", "rel": "fell", "arg2": "", "extractor": "one", "score": 1.0},
             {"arg1": "Snow", "rel": "fell", "arg2": "down", "extractor": "two", "score": -4}],
    "HA 1": [{"arg1": "Jon", "rel": "gave", "arg2": "Lia", "arg3+": ["a hat", "Monday", "twice"], "extractor": "two",
              "score": -2},
             {"arg1": "Lia", "rel": "owns", "arg2": "a red hat", "extractor": "one", "score": 0.3}],
}


def triples():
    """Every prediction as (sentence, confidence, arg1, rel, [further arguments])."""
    for sentence, _, predictions in SENTENCES:
        for confidence, relation, *arguments in predictions:
            yield sentence, confidence, arguments[0] if arguments else "", relation, arguments[1:]


def write(name, lines):
    (OUT / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def write_formats():
    """The predictions with one object each (further arguments joined), in each system's own form."""
    whole = [(s, c, a, r, " ".join(o)) for s, c, a, r, o in triples() if o]
    write("triples.tsv", (f"{s}\t{c}\t{r}\t{a}\t{o}" for s, c, a, r, o in whole))
    by_sentence = {}
    for s, c, a, r, o in whole:
        by_sentence.setdefault(s, []).append((c, a, r, o))
    write("triples.jsonl", (json.dumps({"sentence": s, "extractions": [
        {"subject": a, "relation": r, "object": o, "confidence": c} for c, a, r, o in tuples]}, ensure_ascii=False)
        for s, tuples in by_sentence.items()))
    write("openie4.txt", (f"{c}\t\tSimpleArgument({a},List([0, 1)))\tRelation({r},List([1, 2)))\t"
                          f"SimpleArgument({o},List([2, 3)))\t{s}" for s, c, a, r, o in whole))
    write("openie5.txt", (f"{c}\t\tSimpleArgument({a},List([0, 1)))\tRelation({r},List([1, 2)))\t"
                          f"SimpleArgument({o},List([2, 3)))\t{s}" for s, c, a, r, o in whole))
    write("clausie.txt", (line for s, tuples in by_sentence.items() for line in
                          [s] + [f'1\t"{a}"\t"{r}"\t"{o}"\t{c}' for c, a, r, o in tuples]))
    header = "confidence\targ1\trel\targ2\tenabler\tattribution\ttext\tpattern\tdependencies"
    write("ollie.txt", [header] + [f"{c}\t{a}\t{r}\t{o}\tNone\tNone\t{s}\tp\td" for s, c, a, r, o in whole])
    write("ollie_shown.txt", (line for s, tuples in by_sentence.items() for line in
                              [s] + [f"{c}: ({a}; {r}; {o})" for c, a, r, o in tuples] + [""]))
    write("reverb.txt", (f"stdin\t1\t{a}\t{r}\t{o}\t0\t1\t1\t2\t2\t3\t{c}\t{s}\tN\tB\ta\tr\to"
                         for s, c, a, r, o in whole))
    write("stanford.txt", (f"doc\t0\t{a}\t{r}\t{o}\t0\t1\t1\t2\t2\t3\t{c}\t{s}\tN\ta\tr\to"
                           for s, c, a, r, o in whole))
    write("detie.tsv", [header] + ["\t".join([str(c), quoted(a), quoted(r), quoted(o), "", "", quoted(s), "", ""])
                                   for s, c, a, r, o in whole])
    write("allennlp.txt", (f"{s}\t<arg1> {a} </arg1> <rel> {r} </rel> <arg2> {o} </arg2>\t{c}"
                           for s, c, a, r, o in whole))


def quoted(cell):
    return '"' + cell.replace('"', '""') + '"' if " " in cell else cell


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    write("gold.tsv", ("\t".join((s, *t)) for s, gold, _ in SENTENCES for t in gold))
    # Another spelling of a sentence, a sentence without gold, and an empty last argument.
    rows = ["\t".join([s, str(c), r, a, *o]).rstrip("\t") for s, c, a, r, o in triples()]
    rows += ["An unknown sentence .\t0.55\tis\tIt\tunknown", "Snow fell.\t0.45\tfell\tSnow\t"]
    write("predictions.tsv", rows)
    write_formats()
    (OUT / "benchie_gold.txt").write_text(BENCHIE_GOLD, encoding="utf-8")
    (OUT / "benchie_explicit.txt").write_text(BENCHIE_EXTRACTIONS, encoding="utf-8")
    (OUT / "wire57_gold.json").write_text(json.dumps(WIRE57_GOLD, indent=1, ensure_ascii=False) + "\n")
    (OUT / "wire57_extractions.json").write_text(json.dumps(WIRE57_EXTRACTIONS, indent=1, ensure_ascii=False) + "\n")
    expected = []
    for predictions in ("predictions.tsv", "triples.tsv"):
        for measure in ("carb", "carb_1_1", "carb_diffie", "carb_hungarian", "carb_diffie_hungarian", "wire57_c"):
            scores = score_reference.evaluate(measure, OUT / "gold.tsv", OUT / predictions)
            expected.append({"measure": measure, "gold": "gold.tsv", "pred": predictions, **scores})
    scores = score_reference.evaluate("benchie", OUT / "benchie_gold.txt", OUT / "benchie_explicit.txt")
    expected.append({"measure": "benchie", "gold": "benchie_gold.txt", "pred": "benchie_explicit.txt", **scores})
    for extractor in ("one", "two"):
        scores = score_reference.evaluate("wire57", OUT / "wire57_gold.json", OUT / "wire57_extractions.json", extractor)
        expected.append({"measure": "wire57", "gold": "wire57_gold.json", "pred": "wire57_extractions.json",
                         "extractor": extractor, **scores})
    (OUT / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
