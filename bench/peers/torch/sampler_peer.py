#!/usr/bin/env python3
"""What preset `paper` computes, as a plain PyTorch program on the CPU: encoder, then n tag sequences through T steps.

    sampler_peer.py MODEL PIECES.jsonl [--samples 512] [--threads 2]     one JSON line: sentences/s
    sampler_peer.py --check tests/model/golden/uniform                   the same modules against stored outputs

MODEL is a model directory with fp32 weights and the uniform kernel, PIECES.jsonl what `diffie tokenize` prints.
A sentence's n rows are one batch, as one would write it: no padding, every row computed at every step, the fusion
layer applied to [tag + time; context]. Needs torch and safetensors; run.sh installs them.
"""
import argparse
import json
import math
import pathlib
import time

import torch
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional as F


def attention(q, k, v, heads):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(-2, -3) for x in (q, k, v))
    return F.scaled_dot_product_attention(q, k, v).transpose(-2, -3).flatten(-2)


class Weights:
    """Linear layers and layer norms by the names of the weights file."""

    def __init__(self, tensors):
        self.tensors = tensors

    def linear(self, name, x):
        return F.linear(x, self.tensors[name + ".weight"], self.tensors[name + ".bias"])

    def norm(self, name, x, eps):
        return F.layer_norm(x, x.shape[-1:], self.tensors[name + ".weight"], self.tensors[name + ".bias"], eps)


class Encoder:
    def __init__(self, weights, config):
        self.w, self.config = weights, config

    def __call__(self, ids):
        """ids [L] -> hidden [L, d]"""
        w, eps, heads = self.w, self.config["layer_norm_eps"], self.config["heads"]
        table = lambda kind: w.tensors[f"bert.embeddings.{kind}_embeddings.weight"]
        x = table("word")[ids] + table("position")[: len(ids)] + table("token_type")[0]
        x = w.norm("bert.embeddings.LayerNorm", x, eps)
        for layer in range(self.config["layers"]):
            at = f"bert.encoder.layer.{layer}."
            mixed = attention(*(w.linear(at + "attention.self." + part, x) for part in ("query", "key", "value")), heads)
            x = w.norm(at + "attention.output.LayerNorm", x + w.linear(at + "attention.output.dense", mixed), eps)
            inner = F.gelu(w.linear(at + "intermediate.dense", x))
            x = w.norm(at + "output.LayerNorm", x + w.linear(at + "output.dense", inner), eps)
        return x


class Denoiser:
    def __init__(self, weights, config):
        self.w, self.config = weights, config

    def __call__(self, states, step, context):
        """states [n, L], context [L, encoder hidden] -> logits [n, L, 4]"""
        w, eps = self.w, self.config["layer_norm_eps"]
        left = w.tensors["denoiser.tag.weight"][states] + w.tensors["denoiser.time.weight"][step - 1]
        right = w.linear("denoiser.context", context).expand(len(states), -1, -1)
        first = x = w.norm("denoiser.input_norm", w.linear("denoiser.fuse", torch.cat([left, right], -1)), eps)
        for layer in range(self.config["layers"]):
            at = f"denoiser.blocks.{layer}."
            qkv = w.linear(at + "qkv", w.norm(at + "norm1", x, eps)).chunk(3, -1)
            x = x + w.linear(at + "out", attention(*qkv, self.config["heads"]))
            x = x + w.linear(at + "down", F.gelu(w.linear(at + "up", w.norm(at + "norm2", x, eps))))
        return w.linear("denoiser.head", w.norm("denoiser.final_norm", x + first, eps))


def noise_levels(diffusion):
    steps, s = diffusion["steps"], diffusion["cosine_s"]
    curve = [1.0] + [math.cos((t / steps + s) / (1 + s) * math.pi / 2) ** 2 for t in range(1, steps + 1)]
    abar = [1.0]
    for t in range(1, steps + 1):
        abar.append(abar[-1] * min(max(curve[t] / curve[t - 1], 0.001), 1 - 1e-6))
    return abar


def posterior(abar, t):
    """q(y_{t-1} | y_t, y_0) as a table [y_t, y_0, y_{t-1}]"""
    def kernel(a):
        return a * torch.eye(4) + (1 - a) / 4
    table = kernel(abar[t] / abar[t - 1])[:, None, :] * kernel(abar[t - 1])[None, :, :]
    return table / table.sum(-1, keepdim=True)


def sample(denoiser, context, samples, abar):
    steps = len(abar) - 1
    states = torch.randint(0, 4, (samples, len(context)))
    for t in range(steps, 0, -1):
        clean = denoiser(states, t, context).softmax(-1)
        law = torch.einsum("nly,nlyu->nlu", clean, posterior(abar, t)[states])
        states = torch.multinomial(law.flatten(0, 1), 1).view_as(states)
    return states


def load(folder):
    config = json.loads((folder / "config.json").read_text())
    tensors = {}
    for name in config["weights"]:
        tensors.update(load_file(str(folder / name)))
    weights = Weights(tensors)
    return config, Encoder(weights, config["encoder"]), Denoiser(weights, config["denoiser"])


def check(folder):
    _, encoder, denoiser = load(folder)
    golden = load_file(str(folder) + ".safetensors")
    offsets, rows = golden["offsets"].tolist(), golden["row_offsets"].tolist()
    worst = 0.0
    for begin, end in zip(offsets, offsets[1:]):
        hidden = encoder(golden["ids"][begin:end].long())
        worst = max(worst, float((hidden - golden["hidden"][begin:end]).abs().max()))
    for key in (name for name in golden if name.startswith("logits.")):
        for row, (begin, end) in enumerate(zip(rows, rows[1:])):
            first = golden["context_begin"][row]
            context = golden["hidden"][first:first + end - begin]
            logits = denoiser(golden["states"][None, begin:end].long(), int(key.split(".")[1]), context)
            worst = max(worst, float((logits[0] - golden[key][begin:end]).abs().max()))
    print(f"largest difference {worst:.1e}")
    assert worst < 1e-4


def measure(args):
    config, encoder, denoiser = load(args.model)
    abar = noise_levels(config["diffusion"])
    lines = [json.loads(line)["ids"] for line in args.pieces.read_text().splitlines()]
    sample(denoiser, encoder(torch.tensor(lines[0]))[1:-1], 2, abar)
    times = []
    for ids in lines:
        begin = time.perf_counter()
        sample(denoiser, encoder(torch.tensor(ids))[1:-1], args.samples, abar)
        times.append(time.perf_counter() - begin)
    print(json.dumps({"peer": "torch", "version": torch.__version__, "threads": args.threads, "samples": args.samples,
                      "steps": len(abar) - 1, "sentences": len(lines), "pieces": sum(map(len, lines)) - 2 * len(lines),
                      "seconds": round(sum(times), 3), "sentences_per_s": len(lines) / sum(times),
                      "isa": torch.backends.cpu.get_cpu_capability()}))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=pathlib.Path, nargs="?")
    parser.add_argument("pieces", type=pathlib.Path, nargs="?")
    parser.add_argument("--samples", type=int, default=512)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--check", type=pathlib.Path)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(0)
    with torch.inference_mode():
        check(args.check) if args.check else measure(args)


if __name__ == "__main__":
    main()
