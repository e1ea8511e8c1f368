"""The right triples of the reader's set, in the wordings a careful reader accepts. tests/reader/README.md has the format."""
import collections
import itertools
import re

ARTICLES = {"a", "an", "the"}
NEGATIONS = {"not", "never", "no", "longer", "do", "does", "did"}
NEGATING = {"not", "never", "no", "nobody", "neither", "nor", "hardly", "without"}
# May stand at the end of the relation or at the beginning of the object.
MOVABLE = set("about after against as at because before behind between by during for from in into near of off on onto out over since than "
              "that through till to toward towards under until up when with within without worth".split())


def words(text):
    """Lower-cased, without marks and articles; "n't" is "not"."""
    text = text.lower().replace("\u2019", "'").replace("n't", " not").replace("cannot", "can not")
    return tuple(word for word in re.findall(r"\w+|[%$€£&@]", text) if word not in ARTICLES)


def expand(pattern):
    """All readings of a slot: `/` separates alternatives, words in [ ] (nested or not) may be missing."""
    readings = []
    for alternative in pattern.split(" / "):
        readings += [words(text) for text in without_brackets(alternative)]
    return list(dict.fromkeys(readings))


def without_brackets(text):
    begin = text.find("[")
    if begin < 0:
        return [text]
    depth = 0
    for end in range(begin, len(text)):
        depth += {"[": 1, "]": -1}.get(text[end], 0)
        if depth == 0:
            break
    else:
        raise ValueError(f"'{text}': [ without ]")
    head, group, tail = text[:begin], text[begin + 1:end], text[end + 1:]
    return [head + inner + rest for rest in without_brackets(tail) for inner in ["", *without_brackets(group)]]


def tidy(slots):
    """No bracket without partner ("a) Copper"), no article twice ("elects a | a chair")."""
    relation, obj = slots[1].lower().split(), slots[2].lower().split()
    twice = relation and obj and relation[-1] in ARTICLES and obj[0] in ARTICLES
    return not twice and all(slot.count("(") == slot.count(")") for slot in slots)


def same(relation, obj, wanted_relation, wanted_object):
    """Equal, up to prepositions on the other side of the boundary."""
    if relation + obj != wanted_relation + wanted_object or not relation or not obj:
        return False
    low, high = sorted((len(relation), len(wanted_relation)))
    return all(word in MOVABLE for word in (relation + obj)[low:high])


def status_is_marked(factuality):
    """Not said to be so: asked, ordered, supposed, possible, denied, or somebody's words."""
    if not factuality:
        return False
    return bool(factuality.get("modality", "certain") != "certain" or factuality.get("polarity") == "negative" or
                factuality.get("attributed_to"))


def wrongly_marked(status, slots, factuality):
    """An asserted triple that its factuality calls denied, asked, ordered or conditional."""
    if not factuality or status not in (None, "asserted", "attributed"):
        return False
    negating = any(word in NEGATING for slot in slots for word in words(slot))
    return ((factuality.get("polarity") == "negative" and not negating) or
            factuality.get("modality") in ("question", "imperative", "conditional"))


class FactBook:
    def __init__(self, path):
        self.rows = collections.defaultdict(list)  # sentence id -> [(subjects, relations, objects, status)]
        for line in path.read_text(encoding="utf-8").splitlines():
            number, _, subject, relation, obj, status = line.split("\t")
            self.rows[int(number)].append((expand(subject), expand(relation), expand(obj), status))

    def matches(self, number, slots):
        """(status, whether the triple itself says what the fact says) of each fact that it words."""
        if not tidy(slots):
            return
        subject, relation, obj = map(words, slots)
        for subjects, relations, objects, status in self.rows[number]:
            if subject not in subjects:
                continue
            for wanted in itertools.product(relations, objects):
                if same(relation, obj, *wanted):
                    denies = any(word in NEGATING for word in wanted[0] + wanted[1])
                    yield status, status in ("asserted", "attributed") or (status == "denied" and denies)
                elif status == "denied":
                    bare = tuple(tuple(word for word in slot if word not in NEGATIONS) for slot in wanted)
                    if same(tuple(word for word in relation if word not in NEGATIONS), obj, *bare):
                        yield status, False

    def status(self, number, slots):
        return next((status for status, _ in self.matches(number, slots)), None)

    def verdict(self, number, slots, factuality):
        """right, not-asserted, or None where no wording fits."""
        found = list(self.matches(number, slots))
        if not found:
            return None
        if any(said for _, said in found) or status_is_marked(factuality):
            return "right"
        return "not-asserted"
