"""Lines to try a tokenizer on: real ones from the benchmark data and awkward ones from a seed."""
import pathlib
import random
import unicodedata

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[sep]", "[[SEP]]", "[SEP", "SEP]", "[ SEP ]", "[MASK][MASK]"]
SPACES = " \t\r\u00a0\u1680\u2000\u2003\u2009\u200a\u2028\u2029\u202f\u205f\u3000\u0085\u000b\u000c\u001c\u001f\u180e\u200b\ufeff"
EMOJI = ["\U0001f600", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u2764\ufe0f", "\U0001f1e9\U0001f1ea",
         "\U0001f44d\U0001f3fd", "\U0001f3f4\u200d\u2620\ufe0f", "1\ufe0f\u20e3", "\U0001f9d1\u200d\U0001f4bb"]
RANGES = [(0x20, 0x7F), (0x80, 0x250), (0x250, 0x370), (0x370, 0x530), (0x530, 0x700), (0x900, 0xE00), (0xE00, 0x1000),
          (0x1000, 0x1400), (0x1400, 0x1D00), (0x1D00, 0x2000), (0x2000, 0x2C00), (0x2C00, 0x3100), (0x3100, 0x3400),
          (0x3400, 0xA000), (0xA000, 0xAC00), (0xAC00, 0xD7FF), (0xE000, 0xE100), (0xF900, 0xFB00), (0xFB00, 0x10000),
          (0x10000, 0x12000), (0x16A00, 0x17000), (0x1B000, 0x1C000), (0x1D000, 0x1E000), (0x1E000, 0x1F000),
          (0x1F000, 0x20000), (0x20000, 0x30000), (0x30000, 0x110000)]
WORDS = ("the of a Obama was born in Honolulu unbelievably electroencephalography Zürich naïve façade Ærøskøbing ΑΘΗΝΑ ὈΔΥΣΣΕΎΣ "
         "Москва Ёлка İstanbul ﬁnance ẞtraße Ångström résumé co-operate don't U.S. 3.14 $5,000 e-mail@x.org https://a.b/c?d=e "
         "東京 北京大学 한국어 서울 ไทย हिन्दी العربية עברית ١٢٣ Ⅷ ½ ℃ K ﷺ ǅ ß ſ").split()
MARKS = [chr(cp) for cp in range(0x300, 0x1E950) if unicodedata.combining(chr(cp))]
SPACING_MARKS = [chr(cp) for cp in range(0x300, 0x1E950) if unicodedata.category(chr(cp)) == "Mc"]
DECOMPOSING = [chr(cp) for cp in range(0xC0, 0x30000) if unicodedata.decomposition(chr(cp))]


def real_lines(data_dir):
    """Sentences of the benchmark files, and every line of them as it stands."""
    lines = []
    for name in ("carb/dev/dev.txt", "extra/sentences.txt", "lsoie-examples/lsoie-g-1.0.tsv", "extra/imojie-4586.tsv"):
        path = data_dir / name
        if path.is_file():
            lines += path.read_bytes().decode("utf-8", "replace").split("\n")
    return [line for line in lines if line]


def random_char(rng, low=0, high=0x110000):
    while True:
        cp = rng.randrange(low, high)
        if cp != 0x0A and not 0xD800 <= cp <= 0xDFFF:
            return chr(cp)


def words(rng):
    return "".join(rng.choice(WORDS) + rng.choice([" ", " ", "", rng.choice(SPACES)]) for _ in range(rng.randint(1, 12)))


def accents(rng):
    return "".join(rng.choice("aeiounAEIOUcçñ éÅ-") + "".join(rng.choices(MARKS, k=rng.choice([0, 0, 1, 1, 2, 5])))
                   for _ in range(rng.randint(1, 20)))


def marks(rng):
    """Marks in odd orders, among them those that are kept, on characters that decompose."""
    pools = [MARKS, MARKS, SPACING_MARKS, DECOMPOSING, list("ab \u00ad.字"), list("\u1b44\u1bf2\U0001d165\U0001d16d\u302e\u302f")]
    return "".join(rng.choice(rng.choice(pools)) for _ in range(rng.randint(1, 30)))


def planes(rng):
    return "".join(random_char(rng) for _ in range(rng.randint(1, 30)))


def scripts(rng):
    low, high = rng.choice(RANGES)
    return "".join(" " if rng.random() < 0.1 else random_char(rng, low, high) for _ in range(rng.randint(1, 40)))


def mixture(rng):
    return "".join(random_char(rng, *rng.choice(RANGES)) if rng.random() < 0.5 else rng.choice("abcXYZ 09.,'")
                   for _ in range(rng.randint(1, 40)))


def emoji(rng):
    return "".join(rng.choice(EMOJI + ["ok", " ", "!", "\u200d", "\ufe0f"]) for _ in range(rng.randint(1, 12)))


def specials(rng):
    parts = SPECIALS + ["a", " ", "word", "\u0301", "字", "é", "\u00ad", "[", "]", "ing"]
    return "".join(rng.choice(parts) for _ in range(rng.randint(1, 10)))


def controls(rng):
    return "".join(random_char(rng, 0, 0xA1) if rng.random() < 0.4 else rng.choice(SPACES + "abcDEF-é") for _ in range(rng.randint(1, 40)))


def long_word(rng):
    base = rng.choice(["a", "ab", "é", "e\u0301", "字", "\u0416", "한", "ing", "\u00ad", "x\u00ad", "\U0001d400", "1", "\u1b44"])
    length = rng.choice([95, 99, 100, 101, 102, 150, 300])
    return rng.choice(["", "q ", "\u0301"]) + (base * length)[:length] + rng.choice(["", " end", ".", "é", "\u0301"])


KINDS = [words, words, accents, marks, marks, planes, scripts, scripts, mixture, emoji, specials, controls, long_word]


def generated_lines(count, seed):
    rng = random.Random(seed)
    lines = [f"a{chr(cp)}B{chr(cp)}" for cp in range(0x30000) if cp != 0x0A and not 0xD800 <= cp <= 0xDFFF][::7]
    lines = lines[:count // 4]
    while len(lines) < count:
        lines.append(rng.choice(KINDS)(rng))
    return lines
