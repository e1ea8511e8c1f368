#!/usr/bin/env python3
"""What diffie computes on a GPU, as a plain PyTorch program on the same GPU:

    gpu_peer.py paper --pieces PIECES.jsonl --out DIR [--model DIR]      preset `paper`: bert-base, 6 x 512 denoiser, n = 512, 16 steps
    gpu_peer.py anchored --model models/small --pieces PIECES.jsonl --out DIR      the networks of preset `balanced`
    gpu_peer.py check --model models/small --answers ANSWERS.json       the same modules in fp32 against what peer_answers printed

PIECES.jsonl is what `diffie tokenize` prints. bf16, padded batches of sentences of about equal length, attention by PyTorch's
scaled_dot_product_attention; once as it stands (eager) and once through torch.compile. A time is the median of --passes over all
sentences, start, tokenizing and one pass before not counted; a sentence's context is projected once.

paper: every row at every step, the posterior drawn from as torch.multinomial does; without --model random weights.
anchored: encoder, the rounds of the denoiser and one of the judge with as many rows as `balanced` asks about; their tags are
random and were made beforehand. No decoding, no selection, no output, nothing is copied to the host: less work than diffie does.

Prints a line per program and batch, and writes DIR/torch-paper.json or DIR/torch-MODEL.json. Needs torch, numpy and safetensors.
"""
import argparse
import json
import pathlib
import statistics
import time

import torch
from torch.nn import functional as F

import networks

PAPER = {
    "name": "paper-size, random weights",
    "encoder": {"layers": 12, "hidden": 768, "heads": 12, "intermediate": 3072, "vocab_size": 30522, "max_positions": 512,
                "type_vocab": 2, "layer_norm_eps": 1e-12},
    "denoiser": {"layers": 6, "hidden": 512, "heads": 8, "layer_norm_eps": 1e-5},
    "diffusion": {"kernel": "uniform", "schedule": "cosine", "steps": 16, "cosine_s": 0.002},
}

# (stage, rows) of each round of the 213 sentences of CaRB dev that `small` `balanced` takes at a time on a GPU.
ROUNDS = [(16, 213), (15, 213), (7, 99), (15, 208), (7, 108), (15, 199), (7, 105), (15, 177), (7, 85), (15, 124), (7, 39), (15, 58),
          (7, 20), (15, 33), (7, 7), (15, 13), (12, 1139), (11, 192), (11, 77), (11, 16), (11, 2), (10, 1179), (9, 200), (9, 106),
          (9, 52), (9, 25), (9, 13), (9, 6), (9, 1), (9, 1)]
# Rows and judged candidates a sentence of `balanced` on CaRB dev (docs/performance.md).
ASKED = {"small": (20.8, 20), "base": (20.4, 19)}
MASK = 4


def round_up(count, multiple=8):
    return (count + multiple - 1) // multiple * multiple


class Batch:
    """Sentences padded to a multiple of 8, for the encoder with [CLS] and [SEP], for rows without."""

    def __init__(self, sentences, device):
        self.lengths = torch.tensor([len(sentence) for sentence in sentences])
        longest = round_up(int(self.lengths.max()))
        ids = [torch.tensor(sentence + [0] * (longest - len(sentence))) for sentence in sentences]
        self.ids = torch.stack(ids).to(device)
        self.mask = (torch.arange(longest) < self.lengths[:, None])[:, None, None].to(device)
        self.row_length = round_up(int(self.lengths.max()) - 2)
        self.row_mask = (torch.arange(self.row_length) < self.lengths[:, None] - 2)[:, None, None].to(device)

    def context(self, encode):
        hidden = encode(self.ids, self.mask)[:, 1:]
        return F.pad(hidden, (0, 0, 0, max(0, self.row_length - hidden.shape[1])))[:, :self.row_length]


class Program:
    def __init__(self, config, tensors, args, compiled):
        device = torch.device(args.device)
        dtype = torch.float32 if args.fp32 else torch.bfloat16
        self.config, self.device = config, device
        encoder, denoiser, judge = networks.networks(config, {name: x.to(device, dtype) for name, x in tensors.items()})
        wrap = (lambda call: torch.compile(call, dynamic=True)) if compiled else (lambda call: call)
        self.encode, self.denoise = wrap(encoder.__call__), wrap(denoiser.__call__)
        self.judge = wrap(judge.__call__) if judge else None
        self.for_denoiser, self.for_judge = denoiser.project, judge.project if judge else None
        self.steps = [torch.tensor([t], device=device) for t in range(config["diffusion"]["steps"] + 1)]


class Paper:
    def __init__(self, program, args):
        self.program, self.samples = program, args.samples
        abar = networks.noise_levels(program.config["diffusion"])
        self.posterior = [None] + [networks.posterior(abar, t).to(program.device) for t in range(1, len(abar))]

    def prepare(self, batch):
        batch.rows_mask = batch.row_mask.repeat_interleave(self.samples, 0)

    def run(self, batch):
        program = self.program
        projected = program.for_denoiser(batch.context(program.encode)).repeat_interleave(self.samples, 0)
        states = torch.randint(0, 4, projected.shape[:2], device=program.device)
        for t in range(len(self.posterior) - 1, 0, -1):
            clean = program.denoise(states, program.steps[t], projected, batch.rows_mask).float().softmax(-1)
            law = torch.einsum("nly,nlyu->nlu", clean, self.posterior[t][states])
            states = torch.multinomial(law.flatten(0, 1), 1).view_as(states)
        return states.to(torch.uint8).cpu()


class Anchored:
    def __init__(self, program, args):
        self.program, self.rows, self.judged = program, args.rows, args.judged

    def prepare(self, batch):
        sentences, device = len(batch.lengths), self.program.device
        scale = self.rows * sentences / sum(rows for _, rows in ROUNDS)
        asked, batch.rounds = 0, []
        for stage, rows in ROUNDS:
            rows = max(1, round(rows * scale))
            which = torch.arange(asked, asked + rows, device=device) % sentences
            states = torch.full((rows, batch.row_length), MASK, device=device)
            states[torch.rand(states.shape, device=device) < 0.2] = 2
            batch.rounds.append((self.program.steps[stage], which, states))
            asked += rows
        batch.judged = torch.arange(round(self.judged * sentences), device=device) % sentences
        batch.tags = torch.randint(0, 4, (len(batch.judged), batch.row_length), device=device)

    def run(self, batch):
        program = self.program
        context = batch.context(program.encode)
        projected, for_judge = program.for_denoiser(context), program.for_judge(context)
        said = [program.denoise(states, step, projected[which], batch.row_mask[which]).softmax(-1)
                for step, which, states in batch.rounds]
        return said, program.judge(batch.tags, for_judge[batch.judged], batch.row_mask[batch.judged])


def synchronize(program):
    if program.device.type == "cuda":
        torch.cuda.synchronize()


@torch.inference_mode()
def measure(task, batches, passes):
    """Seconds of each pass, after one that is not counted."""
    for batch in batches:
        task.prepare(batch)
    seconds = []
    for _ in range(passes + 1):
        synchronize(task.program)
        begin = time.perf_counter()
        for batch in batches:
            task.run(batch)
        synchronize(task.program)
        seconds.append(time.perf_counter() - begin)
    return seconds[1:]


def read_sentences(args, config):
    """Ids of each, with the words that the model lets follow, the shortest first."""
    lines = [json.loads(line)["ids"] for line in args.pieces.read_text().splitlines()]
    if args.count:
        lines = [lines[(2 * i + 1) * len(lines) // (2 * args.count)] for i in range(args.count)]
    words = config.get("implied_words", [])
    vocab = (args.model / "vocab.txt").read_text().splitlines() if words else []
    return sorted((ids[:-1] + [vocab.index(word) for word in words] + ids[-1:] for ids in lines), key=len)


def row_flop(config, tokens, length):
    d, layers = config["hidden"], config["layers"]
    return tokens * layers * (24 * d * d + 4 * length * d)


def flop(config, args, sentences):
    """Of the products and attention of all tokens that are there, padding not counted."""
    encoder, total = config["encoder"], 0
    for ids in sentences:
        n, d = len(ids), encoder["hidden"]
        total += n * encoder["layers"] * (8 * d * d + 4 * d * encoder["intermediate"] + 4 * n * d)
        rows = args.samples * config["diffusion"]["steps"] if args.what == "paper" else args.rows
        total += row_flop(config["denoiser"], rows * (n - 2), n - 2)
        if "judge" in config and args.what == "anchored":
            total += row_flop(config["judge"], args.judged * (n - 2), n - 2)
    return total


def read_model(args):
    """config, tensors; the rows of `balanced` are filled in where none were given"""
    if not args.model:
        return PAPER, networks.random_tensors(PAPER)
    config = json.loads((args.model / "config.json").read_text())
    if args.what == "anchored":
        rows, judged = ASKED.get(config["name"], (args.rows, args.judged))
        args.rows, args.judged = args.rows or rows, args.judged or judged
    return config, networks.read_tensors(args.model, config["weights"])


def measure_program(config, tensors, sentences, size, compiled, args):
    """What is kept of one program with batches of one size."""
    on_gpu = torch.device(args.device).type == "cuda"
    if on_gpu:
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
    torch.compiler.reset()
    program = Program(config, tensors, args, compiled)
    task = (Paper if args.what == "paper" else Anchored)(program, args)
    batches = [Batch(sentences[i:i + size], program.device) for i in range(0, len(sentences), size)]
    seconds = measure(task, batches, args.passes)
    median = statistics.median(seconds)
    return {"peer": "torch", "what": args.what, "model": config["name"], "program": "compiled" if compiled else "eager",
            "torch": torch.__version__, "machine": torch.cuda.get_device_name() if on_gpu else "cpu",
            "dtype": "fp32" if args.fp32 else "bf16", "batch": size, "sentences": len(sentences),
            "pieces": sum(map(len, sentences)) - 2 * len(sentences), "samples": args.samples if args.what == "paper" else None,
            "rows": args.rows, "judged": args.judged, "pass_s": seconds, "sentences_per_s": len(sentences) / median,
            "tflop_per_s": flop(config, args, sentences) / median / 1e12,
            "gpu_memory_bytes": torch.cuda.max_memory_reserved() if on_gpu else None}


def measure_all(args):
    config, tensors = read_model(args)
    sentences = read_sentences(args, config)
    results = []
    for compiled in [False] + [True] * (not args.eager):
        for size in args.batch or ([4, 16] if args.what == "paper" else [256]):
            name = f"{args.what} {config['name']}, {'compiled' if compiled else 'eager'}, batches of {size}"
            try:
                row = measure_program(config, tensors, sentences, size, compiled, args)
            except Exception as error:  # no compiler, no memory: the other programs are measured none the less
                print(f"{name}: failed: {str(error).splitlines()[0]}", flush=True)
                continue
            results.append(row)
            slowest, fastest = (len(sentences) / seconds for seconds in (max(row["pass_s"]), min(row["pass_s"])))
            print(f"{name}: {row['sentences_per_s']:.1f} sentences/s ({slowest:.1f} to {fastest:.1f}), "
                  f"{row['tflop_per_s']:.1f} TFLOP/s, {(row['gpu_memory_bytes'] or 0) / 1e9:.1f} GB", flush=True)
    args.out.mkdir(parents=True, exist_ok=True)
    name = "paper" if args.what == "paper" else config["name"]
    (args.out / f"torch-{name}.json").write_text(json.dumps(results, indent=1) + "\n")


@torch.inference_mode()
def check(args):
    """In one padded batch: the denoiser's logits and the judge's numbers."""
    config = json.loads((args.model / "config.json").read_text())
    program = Program(config, networks.read_tensors(args.model, config["weights"]), args, compiled=False)
    answers = json.loads(args.answers.read_text())
    batch = Batch([answer["ids"] for answer in answers], program.device)
    which = torch.tensor([i for i, answer in enumerate(answers) for _ in range(answer["rows"])], device=program.device)
    rows = lambda name: F.pad(torch.nn.utils.rnn.pad_sequence(
        [row for answer in answers for row in torch.tensor(answer[name]).view(answer["rows"], -1)], batch_first=True),
        (0, batch.row_length - max(len(answer["ids"]) - 2 for answer in answers))).to(program.device)
    context, mask = batch.context(program.encode), batch.row_mask[which]
    logits = program.denoise(rows("states"), program.steps[answers[0]["step"]], program.for_denoiser(context)[which], mask)
    found = torch.cat([row[: len(answers[i]["ids"]) - 2].flatten() for i, row in zip(which, logits)])
    differences = {"logits": found - torch.tensor(sum((answer["logits"] for answer in answers), []), device=program.device)}
    if program.judge:
        judged = program.judge(rows("tags"), program.for_judge(context)[which], mask)
        wanted = torch.tensor(sum((answer["judgements"] for answer in answers), []), device=program.device)
        differences["judgements"] = judged - wanted
    worst = {name: float(difference.abs().max()) for name, difference in differences.items()}
    print(f"{config['name']}, {program.device}: " + ", ".join(f"{name} within {value:.1e}" for name, value in worst.items()))
    assert all(value < 1e-3 for value in worst.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["paper", "anchored", "check"])
    parser.add_argument("--model", type=pathlib.Path, help="model directory, weights of any type")
    parser.add_argument("--pieces", type=pathlib.Path)
    parser.add_argument("--answers", type=pathlib.Path, help="check: what peer_answers printed")
    parser.add_argument("--out", type=pathlib.Path, help="folder of the JSON")
    parser.add_argument("--count", type=int, default=0, help="sentences, spread over the file; 0: all")
    parser.add_argument("--batch", type=lambda text: [int(part) for part in text.split(",")],
                        help="sentences at a time, one or several numbers")
    parser.add_argument("--samples", type=int, default=512, help="paper: tag sequences a sentence")
    parser.add_argument("--rows", type=float, help="anchored: denoiser rows a sentence")
    parser.add_argument("--judged", type=float, help="anchored: judge rows a sentence")
    parser.add_argument("--passes", type=int, help="over all sentences (default: paper 3, anchored 20)")
    parser.add_argument("--eager", action="store_true", help="without torch.compile")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--fp32", action="store_true")
    args = parser.parse_args()
    args.fp32 = args.fp32 or args.what == "check"
    args.passes = args.passes or {"paper": 3}.get(args.what, 20)
    check(args) if args.what == "check" else measure_all(args)


if __name__ == "__main__":
    main()
