"""Encoder, denoiser and judge of a model directory in plain PyTorch, over padded batches; nothing is drawn or decoded here."""
import json
import math

import torch
from safetensors.torch import load_file
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


class Rows:
    """What denoiser and judge have in common: tags [rows, L] in their context -> hidden [rows, L, d]."""

    def __init__(self, name, weights, config):
        self.name, self.w, self.config = name, weights, config

    def project(self, context):
        """context [..., L, encoder hidden] -> [..., L, d]"""
        return self.w.linear(self.name + ".context", context)

    def hidden(self, tags, projected, mask, time=0):
        w, name, eps = self.w, self.name, self.config["layer_norm_eps"]
        left = w.tensors[name + ".tag.weight"][tags] + time
        first = x = w.norm(name + ".input_norm", w.linear(name + ".fuse", torch.cat([left, projected], -1)), eps)
        for layer in range(self.config["layers"]):
            at = f"{name}.blocks.{layer}."
            qkv = w.linear(at + "qkv", w.norm(at + "norm1", x, eps)).chunk(3, -1)
            x = x + w.linear(at + "out", attention(*qkv, self.config["heads"], mask))
            x = x + w.linear(at + "down", F.gelu(w.linear(at + "up", w.norm(at + "norm2", x, eps))))
        return w.norm(name + ".final_norm", x + first, eps)


class Denoiser(Rows):
    def __init__(self, weights, config):
        super().__init__("denoiser", weights, config)

    def __call__(self, states, step, projected, mask=None):
        """states [rows, L]; step: a number, or [rows, 1]; projected [rows, L, d] -> logits [rows, L, states]"""
        time = self.w.tensors["denoiser.time.weight"][step - 1]
        return self.w.linear("denoiser.head", self.hidden(states, projected, mask, time))


class Judge(Rows):
    def __init__(self, weights, config):
        super().__init__("judge", weights, config)

    def __call__(self, tags, projected, mask=None):
        """tags [rows, L] -> [rows, 2]: exact, lenient"""
        x = self.hidden(tags, projected, mask)
        members = F.one_hot(tags, 4).to(x.dtype)
        if mask is not None:
            members = members * mask[:, 0, 0, :, None]
        means = members.transpose(1, 2) @ x / members.sum(1).clamp(min=1)[..., None]
        return self.w.linear("judge.head", F.gelu(self.w.linear("judge.pool", means.flatten(1)))).sigmoid()


def batch_of(sentences):
    """ids [S, L] padded with 0, mask [S, 1, 1, L]; no mask for one sentence"""
    longest = max(map(len, sentences))
    ids = torch.zeros(len(sentences), longest, dtype=torch.long)
    mask = torch.zeros(len(sentences), 1, 1, longest, dtype=torch.bool)
    for i, sentence in enumerate(sentences):
        ids[i, : len(sentence)] = torch.tensor(sentence)
        mask[i, ..., : len(sentence)] = True
    return ids, mask if len(sentences) > 1 else None


def noise_levels(diffusion):
    """abar of the uniform kernel's cosine schedule, 0..T"""
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


def read_tensors(folder, names):
    """All of them in fp32: int8 matrices by the scales of their rows, fp16 and bf16 as they are."""
    tensors = {}
    for name in names:
        tensors.update(load_file(str(folder / name)))
    scales = {name for name in tensors if name.endswith(".scale")}
    return {name: tensor.float() * tensors[name + ".scale"][:, None] if name + ".scale" in scales else tensor.float()
            for name, tensor in tensors.items() if name not in scales}


def random_tensors(config):
    """Of a model's shapes (docs/model-file.md): for its speed alone."""
    generator = torch.Generator().manual_seed(0)
    tensors = {}

    def matrix(name, *shape):
        tensors[name] = 0.02 * torch.randn(shape, generator=generator)

    def linear(name, n, k):
        matrix(name + ".weight", n, k)
        matrix(name + ".bias", n)

    def norm(name, width):
        tensors[name + ".weight"], tensors[name + ".bias"] = torch.ones(width), torch.zeros(width)

    encoder, denoiser = config["encoder"], config["denoiser"]
    h, d = encoder["hidden"], denoiser["hidden"]
    for kind, rows in (("word", "vocab_size"), ("position", "max_positions"), ("token_type", "type_vocab")):
        matrix(f"bert.embeddings.{kind}_embeddings.weight", encoder[rows], h)
    norm("bert.embeddings.LayerNorm", h)
    for layer in range(encoder["layers"]):
        at = f"bert.encoder.layer.{layer}."
        for part in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            linear(at + part, h, h)
        linear(at + "intermediate.dense", encoder["intermediate"], h)
        linear(at + "output.dense", h, encoder["intermediate"])
        norm(at + "attention.output.LayerNorm", h)
        norm(at + "output.LayerNorm", h)
    matrix("denoiser.tag.weight", 4, d)
    matrix("denoiser.time.weight", config["diffusion"]["steps"], d)
    linear("denoiser.context", d, h)
    linear("denoiser.fuse", d, 2 * d)
    linear("denoiser.head", 4, d)
    for name in ["input_norm", "final_norm"]:
        norm("denoiser." + name, d)
    for layer in range(denoiser["layers"]):
        at = f"denoiser.blocks.{layer}."
        norm(at + "norm1", d)
        norm(at + "norm2", d)
        for part, n, k in (("qkv", 3 * d, d), ("out", d, d), ("up", 4 * d, d), ("down", d, 4 * d)):
            linear(at + part, n, k)
    return tensors


def networks(config, tensors):
    """encoder, denoiser, judge, which is None where the model has none"""
    weights = Weights(tensors)
    judge = Judge(weights, config["judge"]) if "judge" in config else None
    return Encoder(weights, config["encoder"]), Denoiser(weights, config["denoiser"]), judge


def load(folder):
    config = json.loads((folder / "config.json").read_text())
    return config, *networks(config, read_tensors(folder, config["weights"]))
