"""has_hole() of src/lab/score/holes.cpp for a line of `diffie extract --format jsonl`; its list of adverbs is read from there."""
import pathlib
import re

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent / "src" / "lab" / "score" / "holes.cpp"
ADVERBS = set(re.findall(r'"([^"]+)"', re.search(r"kAdverbs = .*?\(\s*\{(.*?)\}\)", SOURCE.read_text(), re.S)[1]))
MAX_BETWEEN = 3


def is_adverb(word):
    return (len(word) > 4 and word.endswith("ly")) or word in ADVERBS


def splits_a_verb(sentence, gap, slots):
    between = bytearray(sentence[gap[0]:gap[1]])
    taken = False
    for spans in slots:
        if not any(begin < gap[1] and end > gap[0] for begin, end in spans):
            continue
        if not all(begin >= gap[0] and end <= gap[1] for begin, end in spans):
            return False
        for begin, end in spans:
            between[begin - gap[0]:end - gap[0]] = b" " * (end - begin)
            taken = True
    left = between.decode("utf-8", "replace").lower().split()
    return all(map(is_adverb, left)) and len(left) <= MAX_BETWEEN and (taken or bool(left))


def has_hole(sentence, triple):
    spans = triple["spans"]
    if len(spans["subject"]) > 1 or len(spans["object"]) > 1:
        return True
    runs = spans["relation"]
    return any(not splits_a_verb(sentence.encode(), (before[1], after[0]), (spans["subject"], spans["object"]))
               for before, after in zip(runs, runs[1:]))
