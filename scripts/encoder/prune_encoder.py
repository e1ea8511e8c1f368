#!/usr/bin/env python3
"""Makes the feed-forward layers of a BERT encoder narrower.

    scripts/encoder/prune_encoder.py ENCODER SENTENCES.txt OUT.safetensors WIDTH [--diffie PATH] [--sentences 400]

ENCODER is the file of an imported encoder, or a model directory, whose encoder is taken. Layer by layer, from the lowest on:
the WIDTH neurons stay whose activations vary most after the output weights, and new output weights are fitted by least
squares (drawn towards the old ones) so that the layer gives what it gave before, also for inputs that the layers below
have changed. What is left of the error is for training to repair. Needs torch and safetensors.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import torch
from safetensors.torch import load_file, save_file
from torch.nn import functional as F

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "peers" / "torch"))
from sampler_peer import attention  # noqa: E402

IMPLIED_WORDS = "is are was were has had".split()
RIDGE = 0.02  # of the mean square of an activation


def read_encoder(path):
    files = [path]
    if path.is_dir():
        files = [path / name for name in json.loads((path / "config.json").read_text())["weights"]]
    stored = {name: tensor for file in files for name, tensor in load_file(str(file)).items()}
    weights = {}
    for name, tensor in stored.items():
        if name.endswith(".scale") or name.startswith(("denoiser.", "judge.")):
            continue
        scale = stored.get(name + ".scale")
        tensor = tensor.float() if scale is None else tensor.float() * scale[:, None]
        weights[name if name.startswith("bert.") else "bert." + name] = tensor
    return weights


def read_pieces(args):
    """Some of the sentences, with the implied words before [SEP], as the models read them."""
    lines = args.sentences_file.read_text().splitlines()
    lines = lines[:: max(1, len(lines) // args.sentences)][: args.sentences]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as text:
        text.write("".join(line + "\n" for line in lines))
        text.flush()
        printed = subprocess.run([args.diffie, "tokenize", text.name], stdout=subprocess.PIPE, text=True, check=True).stdout
    vocab = (ROOT / "share" / "bert-base-uncased" / "vocab.txt").read_text().split("\n")
    implied = [vocab.index(word) for word in IMPLIED_WORDS]
    ids = (json.loads(line)["ids"] for line in printed.splitlines())
    return [torch.tensor(line[:-1] + implied + line[-1:]) for line in ids]


class Encoder:
    """The halves of a layer, by the names of the weights file."""

    def __init__(self, weights, heads):
        self.weights, self.heads = weights, heads

    def linear(self, name, x):
        return F.linear(x, self.weights[name + ".weight"], self.weights[name + ".bias"])

    def norm(self, name, x):
        return F.layer_norm(x, x.shape[-1:], self.weights[name + ".weight"], self.weights[name + ".bias"], 1e-12)

    def embed(self, ids):
        table = lambda kind: self.weights[f"bert.embeddings.{kind}_embeddings.weight"]
        return self.norm("bert.embeddings.LayerNorm", table("word")[ids] + table("position")[: len(ids)] + table("token_type")[0])

    def attend(self, at, x):
        qkv = (self.linear(at + "attention.self." + part, x) for part in ("query", "key", "value"))
        return self.norm(at + "attention.output.LayerNorm",
                         x + self.linear(at + "attention.output.dense", attention(*qkv, self.heads)))

    def inner(self, at, x):
        return F.gelu(self.linear(at + "intermediate.dense", x))

    def feed(self, at, x):
        return self.norm(at + "output.LayerNorm", x + self.linear(at + "output.dense", self.inner(at, x)))


def fit(inner, target, old):
    """Weights [in, out] and bias of the least-squares map from activations to target, drawn towards `old`."""
    inner, target, old = inner.double(), target.double(), old.double()
    inner_mean, target_mean = inner.mean(0), target.mean(0)
    centred = inner - inner_mean
    gram = centred.T @ centred
    ridge = RIDGE * gram.diag().mean()
    weights = torch.linalg.solve(gram + ridge * torch.eye(len(gram), dtype=gram.dtype),
                                 centred.T @ (target - target_mean) + ridge * old)
    return weights.float(), (target_mean - inner_mean @ weights).float()


def prune_layer(old, new, at, width, before, after):
    """`before`, `after`: the inputs of the feed-forward layer in the old and in the new encoder, token by token."""
    target = before + old.linear(at + "output.dense", old.inner(at, before)) - after
    inner = old.inner(at, after)
    output = old.weights[at + "output.dense.weight"]
    keep = (inner.var(0) * output.pow(2).sum(0)).topk(width).indices.sort().values
    weights, bias = fit(inner[:, keep], target, output[:, keep].T)
    for part in ("weight", "bias"):
        name = at + "intermediate.dense." + part
        new.weights[name] = old.weights[name][keep].contiguous()
    new.weights[at + "output.dense.weight"] = weights.T.contiguous()
    new.weights[at + "output.dense.bias"] = bias


def prune(weights, sentences, width, heads):
    old, new = Encoder(weights, heads), Encoder(dict(weights), heads)
    before = [old.embed(ids) for ids in sentences]
    after = before
    layers = sum(name.endswith("intermediate.dense.bias") for name in weights)
    for layer in range(layers):
        at = f"bert.encoder.layer.{layer}."
        before, after = [old.attend(at, x) for x in before], [new.attend(at, x) for x in after]
        prune_layer(old, new, at, width, torch.cat(before), torch.cat(after))
        before, after = [old.feed(at, x) for x in before], [new.feed(at, x) for x in after]
        wanted, got = torch.cat(before), torch.cat(after)
        print(f"layer {layer}: relative error {(wanted - got).norm() / (wanted - wanted.mean(0)).norm():.3f}", flush=True)
    return new.weights


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encoder", type=pathlib.Path)
    parser.add_argument("sentences_file", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("width", type=int)
    parser.add_argument("--diffie", type=pathlib.Path, default=ROOT / "build" / "release" / "diffie")
    parser.add_argument("--sentences", type=int, default=400)
    parser.add_argument("--heads", type=int, default=12)
    args = parser.parse_args()
    with torch.inference_mode():
        weights = prune(read_encoder(args.encoder), read_pieces(args), args.width, args.heads)
    save_file({name: tensor.half() for name, tensor in weights.items()}, args.out)


if __name__ == "__main__":
    main()
