"""The recipe of configs/paper.toml as a plain PyTorch loop, to compare the speed of diffie-train with on the same card:
    python3 scripts/gpu/plain_train.py train.safetensors encoder.safetensors [--epochs 12] [--levels 1]
Reads the same training file; needs torch, transformers and safetensors. Prints seconds per epoch; writes nothing."""
import argparse
import math
import random
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from safetensors.torch import load_file
from transformers import BertConfig, BertModel

args = argparse.ArgumentParser()
args.add_argument("data")
args.add_argument("encoder")
args.add_argument("--epochs", type=int, default=12)
args.add_argument("--levels", type=int, default=1)
args.add_argument("--batch", type=int, default=32)
args.add_argument("--device", default="cuda")
args = args.parse_args()
STEPS, WIDTH, LAYERS, HEADS, RATE, ENCODER_RATE, WARMUP = 16, 512, 6, 8, 2e-4, 5e-5, 500


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attention = nn.MultiheadAttention(WIDTH, HEADS, dropout=0.1, batch_first=True)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Dropout(0.1),
                                 nn.Linear(4 * WIDTH, WIDTH), nn.Dropout(0.1))

    def forward(self, x, padding):
        y = self.norm1(x)
        x = x + self.attention(y, y, y, key_padding_mask=padding, need_weights=False)[0]
        return x + self.mlp(self.norm2(x))


class Denoiser(nn.Module):
    def __init__(self, context):
        super().__init__()
        self.tag, self.time = nn.Embedding(4, WIDTH), nn.Embedding(STEPS, WIDTH)
        self.context, self.fuse = nn.Linear(context, WIDTH), nn.Linear(2 * WIDTH, WIDTH)
        self.norm, self.drop = nn.LayerNorm(WIDTH), nn.Dropout(0.1)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.final, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 4)

    def forward(self, tags, steps, context, padding):
        state = self.tag(tags) + self.time(steps - 1)[:, None]
        start = x = self.drop(self.norm(self.fuse(torch.cat([state, self.context(context)], -1))))
        for block in self.blocks:
            x = block(x, padding)
        return self.head(self.final(x + start))


file = load_file(args.data)
pieces, sentence_at = file["piece_ids"].tolist(), file["sentence_offsets"].tolist()
tags, instance_at = file["tags"].tolist(), file["instance_offsets"].tolist()
instances = [(pieces[sentence_at[s]:sentence_at[s + 1]], tags[instance_at[i]:instance_at[i + 1]])
             for i, s in enumerate(file["instance_sentence"].tolist())]
device = args.device
weights = {k.removeprefix("bert."): v.float() for k, v in load_file(args.encoder).items()}
encoder = BertModel(BertConfig(), add_pooling_layer=False)
encoder.load_state_dict(weights, strict=False)
encoder.to(device).train()
for part in [encoder.embeddings, *encoder.encoder.layer[:4]]:
    part.requires_grad_(False)
denoiser = Denoiser(768).to(device).train()

level = torch.cos((torch.arange(1, STEPS + 1) / STEPS + 0.002) / 1.002 * math.pi / 2) ** 2
level = torch.cat([torch.ones(1), level]).to(device)
trained = [p for p in encoder.parameters() if p.requires_grad]
optimizer = torch.optim.AdamW([{"params": denoiser.parameters(), "lr": RATE}, {"params": trained, "lr": ENCODER_RATE}],
                              weight_decay=0.01)
warmup = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1, (step + 1) / WARMUP))
class_weights = torch.tensor([0.7, 1, 1, 1], device=device)
everything = trained + list(denoiser.parameters())
random.seed(0)
start = time.time()
for epoch in range(args.epochs):
    random.shuffle(instances)
    batches = []
    for first in range(0, len(instances), 50 * args.batch):
        chunk = sorted(instances[first:first + 50 * args.batch], key=lambda pair: len(pair[0]))
        some = [chunk[i:i + args.batch] for i in range(0, len(chunk), args.batch)]
        random.shuffle(some)
        batches += some
    total = 0.0
    for batch in batches:
        length = max(len(ids) for ids, _ in batch)
        ids = torch.tensor([[101, *p, 102] + [0] * (length - len(p)) for p, _ in batch], device=device)
        clean = torch.tensor([t + [0] * (length - len(t)) for _, t in batch], device=device)
        valid = torch.tensor([[1] * len(p) + [0] * (length - len(p)) for p, _ in batch], device=device).bool()
        mask = F.pad(valid, (2, 0), value=True)
        with torch.autocast(device, torch.bfloat16):
            context = encoder(input_ids=ids, attention_mask=mask.long()).last_hidden_state[:, 1:-1]
            context, clean, valid = (x.repeat(args.levels, *[1] * (x.dim() - 1)) for x in (context, clean, valid))
            steps = torch.randint(1, STEPS + 1, (clean.shape[0],), device=device)
            keep = torch.rand(clean.shape, device=device) < level[steps][:, None]
            noisy = torch.where(keep, clean, torch.randint(0, 4, clean.shape, device=device))
            logits = denoiser(noisy, steps, context, ~valid)
        target = clean.masked_fill(~valid, -100)
        loss = F.cross_entropy(logits.float().flatten(0, 1), target.flatten(), weight=class_weights)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(everything, 1.0)
        optimizer.step()
        warmup.step()
        total += loss.detach()
    print(f"epoch {epoch + 1} loss {float(total) / len(batches):.4f} seconds {time.time() - start:.1f}", flush=True)
