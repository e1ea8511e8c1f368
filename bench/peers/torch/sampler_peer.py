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
import pathlib
import time

import torch
from safetensors.torch import load_file

from networks import batch_of, load, noise_levels, posterior


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
        clean = denoiser(states, t, denoiser.project(context), mask).softmax(-1)
        law = torch.einsum("nly,nlyu->nlu", clean, posterior(abar, t)[states])
        states = torch.multinomial(law.flatten(0, 1), 1).view_as(states)
    return encoded - begin + (time.perf_counter() - encoded) * steps / timed_steps


def check(folder):
    _, encoder, denoiser, _ = load(folder)
    golden = load_file(str(folder) + ".safetensors")
    offsets, rows = golden["offsets"].tolist(), golden["row_offsets"].tolist()
    worst = 0.0
    for begin, end in zip(offsets, offsets[1:]):
        hidden = encoder(golden["ids"][begin:end].long())
        worst = max(worst, float((hidden - golden["hidden"][begin:end]).abs().max()))
    for key in (name for name in golden if name.startswith("logits.")):
        for row, (begin, end) in enumerate(zip(rows, rows[1:])):
            first = golden["context_begin"][row]
            context = denoiser.project(golden["hidden"][None, first:first + end - begin])
            logits = denoiser(golden["states"][None, begin:end].long(), int(key.split(".")[1]), context)
            worst = max(worst, float((logits[0] - golden[key][begin:end]).abs().max()))
    ids, mask = batch_of([golden["ids"][begin:end].tolist() for begin, end in zip(offsets, offsets[1:])])
    for i, hidden in enumerate(encoder(ids, mask)):  # padding changes nothing
        wanted = golden["hidden"][offsets[i]:offsets[i + 1]]
        worst = max(worst, float((hidden[: len(wanted)] - wanted).abs().max()))
    print(f"largest difference {worst:.1e}")
    assert worst < 1e-4


def measure(args):
    config, encoder, denoiser, _ = load(args.model)
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
