#!/usr/bin/env python3
"""CaRB, CaRB (1-1) and carb_diffie written straight from their definitions (docs/scoring.md).

Plain Python, no packages, nothing cached between thresholds: the oracle of the scorer's tests and the
yardstick of its speed, not a tool. Usage: reference_carb.py MEASURE GOLD.tsv PRED.tsv
"""
import json
import string
import sys

BE_FORMS = {"be", "is", "am", "are", "was", "were", "been", "being"}
SPEECH = ("said", "told", "added", "adds", "says")
BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}


def sentence_key(sentence):
    sentence = sentence.replace(" ", "")
    for escaped, bracket in BRACKETS.items():
        sentence = sentence.replace(escaped, bracket)
    return "".join(c for c in sentence if c not in string.punctuation)


def by_key(sentences):
    keyed = {}
    for sentence, tuples in sentences.items():
        keyed[sentence_key(sentence)] = tuples
    return keyed


def read_gold(path, measure):
    sentences = {}
    for line in open(path, encoding="utf-8"):
        if not line.strip():
            continue
        sentence, relation, *arguments = line.strip().split("\t")
        if measure.startswith("carb_diffie"):
            arguments = [a for a in arguments if not a.startswith("C: ")]
        else:
            arguments = [a for a in arguments if "C: " not in a]
        sentences.setdefault(sentence.strip(), []).append((relation.strip(), [a.strip() for a in arguments]))
    return by_key(sentences)


def read_predictions(path):
    sentences = {}
    for line in open(path, encoding="utf-8"):
        if not line.strip():
            continue
        sentence, confidence, relation, *arguments = line.strip().split("\t")
        sentences.setdefault(sentence, []).append((relation, arguments, float(confidence)))
    return by_key(sentences)


def lower(sentences):
    return {key: [(t[0].lower(), [a.lower() for a in t[1]], *t[2:]) for t in tuples]
            for key, tuples in sentences.items()}


def slots(arguments):
    return [arguments[0], " ".join(arguments[1:])] if len(arguments) >= 2 else arguments


def common(gold, predicted):
    rest, count = list(predicted), 0
    for word in gold:
        if word in rest:
            rest.remove(word)
            count += 1
    return count, rest


def one_way(gold_relation, gold_slots, relation, predicted_slots):
    gold_words, words = gold_relation.split(), relation.split()
    matching, rest = common(gold_words, words)
    if "be" in rest and any(word in BE_FORMS for word in gold_words):
        matching += 1
    if matching == 0:
        return (0, 0)
    gold_total, predicted_total = len(gold_words), len(words)
    for i, gold_slot in enumerate(gold_slots):
        if i >= len(predicted_slots):
            return (0, 0)
        gold_words, words = gold_slot.split(), predicted_slots[i].split()
        matching += common(gold_words, words)[0]
        gold_total += len(gold_words)
        predicted_total += len(words)
    return (matching / predicted_total if predicted_total else 0, matching / gold_total if gold_total else 0)


def pair_score(gold, predicted):
    gold_slots, predicted_slots = slots(gold[1]), slots(predicted[1])
    score = one_way(gold[0], gold_slots, predicted[0], predicted_slots)
    if any(verb in gold[0] for verb in SPEECH) and len(predicted[1]) >= 2:
        score = max(score, one_way(gold[0], gold_slots, predicted[0], predicted_slots[::-1]))
    return score


def greedy(scores, columns, side):
    rows, columns, total = list(range(len(scores))), list(columns), 0
    for _ in range(min(len(rows), len(columns))):
        best = None
        for row in rows:
            for column in columns:
                if best is None or scores[row][column][side] > scores[best[0]][best[1]][side]:
                    best = (row, column)
        total += scores[best[0]][best[1]][side]
        rows.remove(best[0])
        columns.remove(best[1])
    return total


def optimal(scores, columns, side):
    """The best one-to-one matching, by dynamic programming over sets of columns (small samples only)."""
    best = {0: 0}
    for row in scores:
        following = dict(best)
        for used, total in best.items():
            for bit, column in enumerate(columns):
                if not used >> bit & 1:
                    key = used | 1 << bit
                    following[key] = max(following.get(key, 0), total + row[column][side])
        best = following
    return max(best.values())


def f1(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision + recall else 0


def point(gold, scored, predictions, threshold, measure):
    match = optimal if "hungarian" in measure else greedy
    precision_num = precision_den = recall_num = recall_den = 0
    for key, tuples in gold.items():
        recall_den += len(tuples)
        columns = [j for j, p in enumerate(predictions.get(key, [])) if p[2] >= threshold]
        if not columns:
            continue
        precision_den += len(columns)
        precision_num += match(scored[key], columns, 0)
        if measure in ("carb", "carb_diffie"):
            recall_num += sum(max(row[j][1] for j in columns) for row in scored[key])
        else:
            recall_num += match(scored[key], columns, 1)
    return (precision_num / precision_den if precision_den else 1, recall_num / recall_den if recall_den else 0)


def evaluate(gold, predictions, measure):
    if measure.startswith("carb_diffie"):
        gold, predictions = lower(gold), lower(predictions)
    scored = {key: [[pair_score(g, p) for p in predictions.get(key, [])] for g in tuples]
              for key, tuples in gold.items()}
    thresholds = sorted({p[2] for tuples in predictions.values() for p in tuples})
    curve = [(*point(gold, scored, predictions, t, measure), t) for t in thresholds]
    best = max(range(len(curve)), key=lambda i: f1(*curve[i][:2]))
    corners = [(p, r) for p, r, _ in curve] + [(1, 0)]
    auc = sum((a[1] - b[1]) * (a[0] + b[0]) / 2 for a, b in zip(corners, corners[1:]))
    return {"precision": curve[best][0], "recall": curve[best][1], "f1": f1(*curve[best][:2]), "auc": auc,
            "optimal_threshold": curve[best][2],
            "all_predictions": {"precision": curve[0][0], "recall": curve[0][1], "f1": f1(*curve[0][:2])},
            "curve": curve}


if __name__ == "__main__":
    measure_name, gold_path, predicted_path = sys.argv[1:]
    print(json.dumps(evaluate(read_gold(gold_path, measure_name), read_predictions(predicted_path), measure_name)))
