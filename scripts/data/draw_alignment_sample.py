"""Draw a seeded random sample of aligned triples for judging by hand, and show it.

  diffie data align --out aligned.tsv
  python3 scripts/data/draw_alignment_sample.py aligned.tsv lsoie-g-1.0.tsv --size 300 --seed 5 > sample.tsv

Columns: row, triple, tags, relaxations. With --show the words are printed instead, with their roles.
Needs Python 3 alone. The judged sample is tests/lab/data/judged_sample.tsv.
"""
import argparse
import csv
import random


def read_triples(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    split = lambda part: [slot.split("<is>", 1)[1].strip() for slot in part.split("<and>")]
    return [(sentence, [split(part) for part in target.split("<then>")]) for sentence, target in rows]


def marked(words, tags):
    out, last = [], "B"
    for word, tag in zip(words, tags):
        if tag != last:
            out += ["]"] * (last != "B") + [tag + "["] * (tag != "B")
        out.append(word)
        last = tag
    return " ".join(out + ["]"] * (last != "B"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("aligned")
    parser.add_argument("source")
    parser.add_argument("--size", type=int, default=300)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    with open(options.aligned, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file][1:]
    aligned = sorted((int(row), int(triple), tags, names) for row, triple, tags, names in lines if tags)
    triples = read_triples(options.source)
    for index, (row, triple, tags, names) in enumerate(random.Random(options.seed).sample(aligned, options.size)):
        if options.show:
            sentence, targets = triples[row]
            print(f"#{index} {row}.{triple} {names}\n  {' | '.join(targets[triple])}\n  {marked(sentence.split(), tags)}")
        else:
            print(row, triple, tags, names, sep="\t")


if __name__ == "__main__":
    main()
