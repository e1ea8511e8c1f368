#!/usr/bin/env python3
"""BenchIE, WiRe57 and WiRe57-C written straight from their definitions (docs/scoring.md); CaRB is in
bench/score/reference_carb.py. Plain Python, no packages. The oracle of the scorer's tests.

Usage: score_reference.py MEASURE GOLD PRED [EXTRACTOR]
"""
import itertools
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench" / "score"))
import reference_carb  # noqa: E402


def f1(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision + recall else 0


def report(precision_num, precision_den, recall_num, recall_den):
    precision = precision_num / precision_den if precision_den else 0
    recall = recall_num / recall_den if recall_den else 0
    return {"precision": precision, "recall": recall, "f1": f1(precision, recall)}


# ---- BenchIE

def surface_forms(slot):
    """Every string that a gold slot with its optional parts stands for."""
    pieces, group = [], None  # a piece: (words, optional)
    words = slot.split(" ")
    i = 0
    while i < len(words):
        word = words[i]
        opens, closes = "[" in word, "]" in word
        if group is not None:
            group.append(word)
            if closes:
                pieces.append((group, True))
                group = None
                if opens:
                    continue  # read once more, as a word of its own
        elif opens and closes:
            pieces.append(([word], True))
        elif opens:
            if any("]" in later for later in words[i + 1:]):
                group = [word]
        elif not closes:
            pieces.append(([word], False))
        i += 1
    choices = [(words, None) if optional else (words,) for words, optional in pieces]
    for choice in itertools.product(*choices):
        chosen = [word for words in choice if words is not None for word in words]
        yield " ".join(chosen).replace("[", "").replace("]", "")


def read_benchie_gold(path):
    clusters_by_id, clusters = {}, None
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        if line.startswith("sent_id:"):
            clusters = clusters_by_id.setdefault(line.split("\t")[0][len("sent_id:"):], [])
        elif re.fullmatch(r"\s*\d+\s*-->\s*Cluster(?!.*-->).*", line):
            clusters.append([])
        elif line.strip():
            clusters[-1].append([set(surface_forms(slot)) for slot in line.split(" --> ")])
    return clusters_by_id


def benchie(gold, extractions):
    hits, wrong = set(), 0
    for line in extractions:
        sentence_id, *slots = line.strip().split("\t")
        if sentence_id not in gold or len(slots) != 3:
            continue
        for number, cluster in enumerate(gold[sentence_id]):
            if any(all(s.strip() in {form.strip() for form in forms} for s, forms in zip(slots, triple))
                   for triple in cluster):
                hits.add((sentence_id, number))
                break
        else:
            wrong += 1
    return report(len(hits), len(hits) + wrong, len(hits), sum(map(len, gold.values())))


# ---- WiRe57

def wire57_part(predicted, gold_words, num_stated):
    """(matching, predicted length, gold length), or None when the part rules the pair out."""
    words = predicted.split()
    if not words:
        return None if num_stated else (0, 0, 0)
    matching = sum(word in gold_words for word in words)
    if matching == 0 and num_stated:
        return None
    return matching, len(words), num_stated


def stated(part):
    return [word for word, index in zip(part["words"], part["words_indexes"]) if index != "inf"]


def wire57_pair(gold, predicted):
    matching = predicted_length = gold_length = 0
    for part in ("arg1", "rel", "arg2"):
        counts = wire57_part(predicted[part], GOLD_WORDS(gold[part]), len(stated(gold[part])))
        if counts is None:
            return None
        matching, predicted_length, gold_length = (a + b for a, b in
                                                   zip((matching, predicted_length, gold_length), counts))
    for i, part in enumerate(gold["arg3+"]):
        gold_length += len(stated(part))
        if i < len(predicted.get("arg3+", [])):
            words = predicted["arg3+"][i].split()
            matching += sum(word in GOLD_WORDS(part) for word in words)
            predicted_length += len(words)
    if predicted_length == 0 or gold_length == 0:
        return None
    return matching / predicted_length, matching / gold_length


def GOLD_WORDS(part):
    return part["words"]


def one_to_one_by_f1(scores):
    rows, columns = set(range(len(scores))), set(range(len(scores[0]) if scores else 0))
    matched = []
    while True:
        best, best_f1 = None, 0
        for row in sorted(rows):
            for column in sorted(columns):
                score = scores[row][column]
                if score and f1(*score) > best_f1:
                    best, best_f1 = (row, column), f1(*score)
        if best is None:
            return matched
        matched.append(scores[best[0]][best[1]])
        rows.remove(best[0])
        columns.remove(best[1])


def wire57(gold_documents, extractions, extractor):
    totals = [0, 0, 0, 0]
    for document in gold_documents.values():
        for sentence in document:
            predicted = [e for e in extractions.get(sentence["id"], []) if e["extractor"] == extractor]
            scores = [[wire57_pair(g, p) for p in predicted] for g in sentence["tuples"]]
            matched = one_to_one_by_f1(scores)
            totals[0] += sum(m[0] for m in matched)
            totals[1] += len(predicted)
            totals[2] += sum(m[1] for m in matched)
            totals[3] += len(sentence["tuples"])
    return report(*totals)


# ---- WiRe57-C: CaRB's gold and its reading, WiRe57's matching

def wire57_c_pair(gold, predicted):
    matching = predicted_length = gold_length = 0
    parts = [(gold[0], predicted[0])]
    for i in (0, 1):
        gold_slots, slots = reference_carb.slots(gold[1]), reference_carb.slots(predicted[1])
        parts.append((gold_slots[i] if i < len(gold_slots) else "", slots[i] if i < len(slots) else ""))
    for gold_part, part in parts:
        gold_words, words = gold_part.split(), part.split()
        if not words and not gold_words:
            continue
        common = sum(word in gold_words for word in words)
        if common == 0:
            return None
        matching, predicted_length, gold_length = (matching + common, predicted_length + len(words),
                                                   gold_length + len(gold_words))
    return (matching / predicted_length, matching / gold_length) if predicted_length and gold_length else None


def wire57_c(gold, predictions):
    totals = [0, 0, 0, 0]
    for key, tuples in gold.items():
        predicted = predictions.get(key, [])
        matched = one_to_one_by_f1([[wire57_c_pair(g, p) for p in predicted] for g in tuples])
        totals[0] += sum(m[0] for m in matched)
        totals[1] += len(predicted)
        totals[2] += sum(m[1] for m in matched)
        totals[3] += len(tuples)
    return report(*totals)


def evaluate(measure, gold, predicted, extractor=None):
    if measure == "benchie":
        return benchie(read_benchie_gold(gold), open(predicted, encoding="utf-8"))
    if measure == "wire57":
        return wire57(json.load(open(gold, encoding="utf-8")), json.load(open(predicted, encoding="utf-8")), extractor)
    if measure == "wire57_c":
        return wire57_c(reference_carb.read_gold(gold, "carb"), reference_carb.read_predictions(predicted))
    return reference_carb.evaluate(reference_carb.read_gold(gold, measure),
                                   reference_carb.read_predictions(predicted), measure)


if __name__ == "__main__":
    print(json.dumps(evaluate(*sys.argv[1:]), indent=1))
