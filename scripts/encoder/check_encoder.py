#!/usr/bin/env python3
"""Sanity of an imported encoder: does it still know English?

    python3 -m venv VENV && VENV/bin/pip install numpy safetensors
    VENV/bin/python scripts/encoder/check_encoder.py ENCODER_DIR

Reads our file with the safetensors package, runs a plain numpy BERT and checks what no transposed,
permuted or shifted weight would survive: neighbours of words, and that sentences about one thing
are nearer to each other than to a third.
"""
import json
import math
import pathlib
import sys

import numpy as np
from safetensors.numpy import load_file


def layer_norm(x, weight, bias, eps):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(x.var(-1, keepdims=True) + eps) * weight + bias


def gelu(x):
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


class Bert:
    def __init__(self, directory):
        self.config = json.loads((directory / "encoder.json").read_text())
        self.tensors = {name: tensor.astype(np.float32)
                        for name, tensor in load_file(directory / "encoder.safetensors").items()}
        pieces = (directory / "vocab.txt").read_text(encoding="utf-8").splitlines()
        self.ids = {piece: i for i, piece in enumerate(pieces)}
        self.pieces = pieces

    def linear(self, x, name):
        return x @ self.tensors[name + ".weight"].T + self.tensors[name + ".bias"]

    def norm(self, x, name):
        return layer_norm(x, self.tensors[name + ".weight"], self.tensors[name + ".bias"],
                          self.config["layer_norm_eps"])

    def attend(self, x, prefix):
        heads, size = self.config["heads"], self.config["hidden"] // self.config["heads"]
        q, k, v = (self.linear(x, f"{prefix}.attention.self.{part}").reshape(-1, heads, size).swapaxes(0, 1)
                   for part in ("query", "key", "value"))
        mixed = softmax(q @ k.swapaxes(1, 2) / math.sqrt(size)) @ v
        return self.linear(mixed.swapaxes(0, 1).reshape(len(x), -1), prefix + ".attention.output.dense")

    def forward(self, words):
        ids = [self.ids[word] for word in ["[CLS]", *words.split(), "[SEP]"]]
        e = "bert.embeddings."
        x = (self.tensors[e + "word_embeddings.weight"][ids] + self.tensors[e + "position_embeddings.weight"][: len(ids)]
             + self.tensors[e + "token_type_embeddings.weight"][0])
        x = self.norm(x, e + "LayerNorm")
        for layer in range(self.config["layers"]):
            prefix = f"bert.encoder.layer.{layer}"
            x = self.norm(x + self.attend(x, prefix), prefix + ".attention.output.LayerNorm")
            up = gelu(self.linear(x, prefix + ".intermediate.dense"))
            x = self.norm(x + self.linear(up, prefix + ".output.dense"), prefix + ".output.LayerNorm")
        return x

    def neighbours(self, word, count):
        table = self.tensors["bert.embeddings.word_embeddings.weight"]
        unit = table / np.linalg.norm(table, axis=1, keepdims=True)
        order = np.argsort(-(unit @ unit[self.ids[word]]))
        return [self.pieces[i] for i in order[1 : count + 1]]


def cosine(a, b):
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def main():
    bert = Bert(pathlib.Path(sys.argv[1]))
    embeddings = bert.tensors["bert.embeddings.word_embeddings.weight"]
    print("parameters", sum(t.size for t in bert.tensors.values()))
    print("norm of 'the'", np.linalg.norm(embeddings[bert.ids["the"]]))
    for word, wanted in (("king", "queen"), ("paris", "london"), ("two", "three")):
        near = bert.neighbours(word, 10)
        print(word, near)
        assert wanted in near, (word, near)
    sentence = "a man is playing the guitar on the stage"
    same, other = "someone plays an instrument at a concert", "the stock market fell sharply in october"
    pooled = [bert.forward(text)[1:-1].mean(0) for text in (sentence, same, other)]
    print("similar", cosine(pooled[0], pooled[1]), "different", cosine(pooled[0], pooled[2]))
    assert cosine(pooled[0], pooled[1]) > cosine(pooled[0], pooled[2]) + 0.1
    river, money, shore = (bert.forward(text)[at] for text, at in
                           (("he sat on the bank of the river", 5), ("she put the money in the bank", 7),
                            ("they walked along the bank of the lake", 5)))
    print("bank: river/lake", cosine(river, shore), "river/money", cosine(river, money))
    assert cosine(river, shore) > cosine(river, money) + 0.1
    print("ok")


if __name__ == "__main__":
    main()
