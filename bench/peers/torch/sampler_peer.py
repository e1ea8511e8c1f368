#!/usr/bin/env python3
"""What preset `paper` computes, as a plain PyTorch program on the CPU: encoder, then n tag sequences through T steps.

    sampler_peer.py MODEL PIECES.jsonl [--samples 512] [--threads 2]     one JSON line: sentences/s
    sampler_peer.py --check tests/model/golden/uniform                   the same modules against stored outputs

MODEL is a model directory with fp32 weights and the uniform kernel, PIECES.jsonl what `diffie tokenize` prints.
As one would write it: the rows of several sentences (--batch) are one batch, padded to the longest and masked, every
row computed at every step, the fusion layer applied to [tag + time; context]. With --batch 1 there is no padding and
no mask. Every step costs the same, so --timed-steps may measure some of the T and count them as all.
Needs torch and safetensors; run.py installs them.
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


def attention(q, k, v, heads, mask=None):
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(-2, -3) for x in (q, k, v))
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(-2, -3).flatten(-2)


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

    def __call__(self, ids, mask=None):
        """ids [..., L], mask [..., 1, 1, L] -> hidden [..., L, d]"""
        w, eps, heads = self.w, self.config["layer_norm_eps"], self.config["heads"]
        table = lambda kind: w.tensors[f"bert.embeddings.{kind}_embeddings.weight"]
        x = table("word")[ids] + table("position")[: ids.shape[-1]] + table("token_type")[0]
        x = w.norm("bert.embeddings.LayerNorm", x, eps)
        for layer in range(self.config["layers"]):
            at = f"bert.encoder.layer.{layer}."
            qkv = (w.linear(at + "attention.self." + part, x) for part in ("query", "key", "value"))
            mixed = attention(*qkv, heads, mask)
            x = w.norm(at + "attention.output.LayerNorm", x + w.linear(at + "attention.output.dense", mixed), eps)
            inner = F.gelu(w.linear(at + "intermediate.dense", x))
            x = w.norm(at + "output.LayerNorm", x + w.linear(at + "output.dense", inner), eps)
        return x


class Denoiser:
    def __init__(self, weights, config):
        self.w, self.config = weights, config

    def __call__(self, states, step, context, mask=None):
        """states [rows, L], context [L or rows, L, encoder hidden], mask [rows, 1, 1, L] -> logits [rows, L, 4]"""
        w, eps = self.w, self.config["layer_norm_eps"]
        left = w.tensors["denoiser.tag.weight"][states] + w.tensors["denoiser.time.weight"][step - 1]
        right = w.linear("denoiser.context", context).expand(len(states), -1, -1)
        first = x = w.norm("denoiser.input_norm", w.linear("denoiser.fuse", torch.cat([left, right], -1)), eps)
        for layer in range(self.config["layers"]):
            at = f"denoiser.blocks.{layer}."
            qkv = w.linear(at + "qkv", w.norm(at + "norm1", x, eps)).chunk(3, -1)
            x = x + w.linear(at + "out", attention(*qkv, self.config["heads"], mask))
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


def batch_of(sentences):
    """ids [S, L] padded with 0, mask [S, 1, 1, L]; no mask for one sentence"""
    longest = max(map(len, sentences))
    ids = torch.zeros(len(sentences), longest, dtype=torch.long)
    mask = torch.zeros(len(sentences), 1, 1, longest, dtype=torch.bool)
    for i, sentence in enumerate(sentences):
        ids[i, : len(sentence)] = torch.tensor(sentence)
        mask[i, ..., : len(sentence)] = True
    return ids, mask if len(sentences) > 1 else None


def sample(encoder, denoiser, sentences, samples, abar, timed_steps):
    """Seconds for all T steps of all rows, the encoder included."""
    begin = time.perf_counter()
    ids, mask = batch_of(sentences)
    context = encoder(ids, mask)[:, 1:-1].repeat_interleave(samples, 0)
    if mask is not None:  # of the pieces between [CLS] and [SEP]
        mask = mask[..., 2:].repeat_interleave(samples, 0)
    states = torch.randint(0, 4, context.shape[:2])
    steps = len(abar) - 1
    encoded = time.perf_counter()
    for t in range(steps, steps - timed_steps, -1):
        clean = denoiser(states, t, context, mask).softmax(-1)
        law = torch.einsum("nly,nlyu->nlu", clean, posterior(abar, t)[states])
        states = torch.multinomial(law.flatten(0, 1), 1).view_as(states)
    return encoded - begin + (time.perf_counter() - encoded) * steps / timed_steps


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
    ids, mask = batch_of([golden["ids"][begin:end].tolist() for begin, end in zip(offsets, offsets[1:])])
    for i, hidden in enumerate(encoder(ids, mask)):  # padding changes nothing
        wanted = golden["hidden"][offsets[i]:offsets[i + 1]]
        worst = max(worst, float((hidden[: len(wanted)] - wanted).abs().max()))
    print(f"largest difference {worst:.1e}")
    assert worst < 1e-4


def measure(args):
    config, encoder, denoiser = load(args.model)
    abar = noise_levels(config["diffusion"])
    lines = [json.loads(line)["ids"] for line in args.pieces.read_text().splitlines()]
    timed_steps = args.timed_steps or len(abar) - 1
    sample(encoder, denoiser, lines[:1], 2, abar, 1)
    batches = [lines[i:i + args.batch] for i in range(0, len(lines), args.batch)]
    seconds = sum(sample(encoder, denoiser, batch, args.samples, abar, timed_steps) for batch in batches)
    print(json.dumps({"peer": "torch", "version": torch.__version__, "threads": args.threads, "samples": args.samples,
                      "steps": len(abar) - 1, "timed_steps": timed_steps, "batch": args.batch, "sentences": len(lines),
                      "pieces": sum(map(len, lines)) - 2 * len(lines), "seconds": round(seconds, 3),
                      "sentences_per_s": len(lines) / seconds, "isa": torch.backends.cpu.get_cpu_capability()}))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=pathlib.Path, nargs="?")
    parser.add_argument("pieces", type=pathlib.Path, nargs="?")
    parser.add_argument("--samples", type=int, default=512)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--batch", type=int, default=4, help="sentences in a batch")
    parser.add_argument("--timed-steps", type=int, default=0, help="0: all")
    parser.add_argument("--check", type=pathlib.Path)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(0)
    with torch.inference_mode():
        check(args.check) if args.check else measure(args)


if __name__ == "__main__":
    main()
