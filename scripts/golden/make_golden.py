#!/usr/bin/env python3
"""Writes tests/model/golden/: tiny random models and what PyTorch makes of them.

    python3 -m venv --system-site-packages VENV     # Debian's python3-torch 1.13
    VENV/bin/pip install transformers==4.30.2 safetensors
    VENV/bin/python scripts/golden/make_golden.py

For each kernel (uniform, absorbing) a model directory and NAME.safetensors with inputs and outputs:
ids, offsets -> hidden (transformers' BertModel, sentence by sentence); hidden as context,
states, row_offsets, context_begin -> logits.T for a few steps T (the denoiser below). All fp32.
"""
import hashlib
import json
import math
import pathlib

import torch
from safetensors.torch import save_file
from torch import nn
from torch.nn import functional as F
from transformers import BertConfig, BertModel

OUT = pathlib.Path(__file__).resolve().parents[2] / "tests" / "model" / "golden"
ENCODER = dict(layers=2, hidden=32, heads=4, intermediate=72, vocab_size=50, max_positions=48,
               type_vocab=2, layer_norm_eps=1e-12)
DENOISER = dict(layers=2, hidden=16, heads=4, layer_norm_eps=1e-5)
T = 16
STEPS = (1, 7, 16)
LENGTHS = (1, 2, 9, 17, 40)  # pieces per sentence
ROWS_PER_SENTENCE = 3


class Attention(nn.Module):
    """softmax(q k^T / sqrt(d / heads)) v over one row of tokens; qkv holds q, k, v of width d."""

    def forward(self, qkv, heads):
        q, k, v = (part.unflatten(-1, (heads, -1)).transpose(0, 1) for part in qkv.chunk(3, -1))
        weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(q.shape[-1]), -1)
        return (weights @ v).transpose(0, 1).flatten(1)


class Block(nn.Module):
    def __init__(self, d, heads, eps):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(d, eps), nn.LayerNorm(d, eps)
        self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def forward(self, x):
        x = x + self.out(Attention()(self.qkv(self.norm1(x)), self.heads))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Denoiser(nn.Module):
    """One row: states [L], step t, context [L, encoder hidden] -> logits [L, 4]."""

    def __init__(self, states, context, layers, hidden, heads, layer_norm_eps):
        super().__init__()
        self.tag, self.time = nn.Embedding(states, hidden), nn.Embedding(T, hidden)
        self.context, self.fuse = nn.Linear(context, hidden), nn.Linear(2 * hidden, hidden)
        self.input_norm = nn.LayerNorm(hidden, layer_norm_eps)
        self.blocks = nn.ModuleList(Block(hidden, heads, layer_norm_eps) for _ in range(layers))
        self.final_norm, self.head = nn.LayerNorm(hidden, layer_norm_eps), nn.Linear(hidden, 4)

    def forward(self, states, t, context):
        left = self.tag(states) + self.time(torch.tensor(t - 1))
        first = x = self.input_norm(self.fuse(torch.cat([left, self.context(context)], -1)))
        for block in self.blocks:
            x = block(x)
        return self.head(self.final_norm(x + first))


def randomise(module):
    """Weights large enough that attention is uneven and GELU bends."""
    for name, p in module.named_parameters():
        scale = 1.5 / math.sqrt(p.shape[-1]) if p.dim() == 2 else 0.2
        centre = 1.0 if "norm" in name.lower() and name.endswith("weight") else 0.0
        p.data = centre + scale * torch.randn_like(p)


def bert(encoder):
    config = BertConfig(
        vocab_size=encoder["vocab_size"], hidden_size=encoder["hidden"],
        num_hidden_layers=encoder["layers"], num_attention_heads=encoder["heads"],
        intermediate_size=encoder["intermediate"], type_vocab_size=encoder["type_vocab"],
        max_position_embeddings=encoder["max_positions"],
        layer_norm_eps=encoder["layer_norm_eps"])
    return BertModel(config, add_pooling_layer=False).eval()


def config_json(kernel):
    preset = dict(samples=8, steps=T, top_k=4, tau=0.9, rule="longest", selector="lenient",
                  power=2.0, wording=0.0, min_confidence=0.0, temperature=1.0, remask=0.0)
    return dict(format="diffie-model", version=1, name="golden-" + kernel, trained=False,
                encoder=ENCODER, denoiser=DENOISER,
                diffusion=dict(kernel=kernel, schedule="cosine", steps=T, cosine_s=0.002),
                tags=["B", "S", "R", "O"], weights=["model.safetensors"],
                presets=dict(balanced=preset), default_preset="balanced",
                provenance=dict(made_by="scripts/golden/make_golden.py"))


def write_model(out, kernel, encoder, denoiser):
    out.mkdir(parents=True, exist_ok=True)
    tensors = {"bert." + k: v for k, v in encoder.state_dict().items() if v.is_floating_point()}
    tensors.update({"denoiser." + k: v for k, v in denoiser.state_dict().items()})
    save_file({k: v.contiguous() for k, v in tensors.items()}, str(out / "model.safetensors"))
    (out / "config.json").write_text(json.dumps(config_json(kernel), indent=2) + "\n")
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = [chr(ord("a") + i % 26) + "x" * (i // 26) for i in range(ENCODER["vocab_size"] - 5)]
    (out / "vocab.txt").write_text("\n".join(specials + words) + "\n")
    (out / "MODEL_CARD.md").write_text("# Random weights for tests\n\nscripts/golden/make_golden.py\n")
    names = sorted(p.name for p in out.iterdir() if p.name != "SHA256SUMS")
    sums = [hashlib.sha256((out / n).read_bytes()).hexdigest() + "  " + n + "\n" for n in names]
    (out / "SHA256SUMS").write_text("".join(sums))


def run(kernel, seed):
    torch.manual_seed(seed)
    num_states = 5 if kernel == "absorbing" else 4
    encoder = bert(ENCODER)
    denoiser = Denoiser(num_states, ENCODER["hidden"], **DENOISER).eval()
    randomise(encoder)
    randomise(denoiser)
    write_model(OUT / kernel, kernel, encoder, denoiser)

    ids = [torch.randint(0, ENCODER["vocab_size"], (n,)) for n in LENGTHS]
    hidden = [encoder(input_ids=i[None]).last_hidden_state[0] for i in ids]
    begins = torch.tensor((0,) + LENGTHS).cumsum(0)
    golden = {"ids": torch.cat(ids).int(), "offsets": begins.int(), "hidden": torch.cat(hidden)}
    order = torch.randperm(len(LENGTHS) * ROWS_PER_SENTENCE) % len(LENGTHS)  # rows of all sentences, mixed
    states = [torch.randint(0, num_states, (LENGTHS[s],)) for s in order]
    golden["states"] = torch.cat(states).to(torch.uint8)
    golden["row_offsets"] = torch.tensor([0] + [len(s) for s in states]).cumsum(0).int()
    golden["context_begin"] = begins[order].int()
    for t in STEPS:
        golden["logits.%d" % t] = torch.cat(
            [denoiser(y, t, hidden[s]) for y, s in zip(states, order)])
    save_file(golden, str(OUT / (kernel + ".safetensors")))
    print(kernel, "max |hidden| %.2f" % golden["hidden"].abs().max(),
          "max |logit| %.2f" % golden["logits.7"].abs().max())


if __name__ == "__main__":
    with torch.no_grad():
        run("uniform", 1)
        run("absorbing", 2)
