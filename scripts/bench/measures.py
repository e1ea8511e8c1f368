"""The measurements behind the goal table. Each is a function of a Setup and returns what is kept as NAME.json."""
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PEERS = ROOT / "bench" / "peers" / "run.py"
# Another number of steps than the preset's: its times and shared rows do not fit.
PLAIN = ["--times", "none", "--shared", "none"]
SPEED = ["--repeat", "1", "--latency", "0", "--starts", "0"]  # a quick look: one pass, nothing else


class Setup:
    def __init__(self, args):
        self.build = args.build
        self.out = args.out
        self.data = args.data
        self.isa = args.isa
        self.threads = args.threads
        self.cache = args.cache
        self.megabytes = args.megabytes
        self.paper_model = args.paper_model
        self.quick = args.quick
        self.env = dict(os.environ, **({"DIFFIE_CPU_ISA": args.isa} if args.isa else {}))

    @property
    def diffie(self):
        return self.build / "diffie"

    def dev(self, name="dev.txt"):
        return self.data / "carb" / "dev" / name

    def has_model(self, name):
        return (ROOT / "models" / name / "config.json").exists()

    def text_of(self, command):
        return subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True,
                              env=self.env).stdout

    def bench(self, *options):
        """Rows of `diffie bench --json`."""
        command = [self.diffie, "bench", "--json", "--data", self.data, *options]
        if self.quick:
            command = shortened(command)
        if "--threads" not in options:
            command += ["--threads", self.threads]
        return json.loads(self.text_of(command))["rows"]

    def peer(self, name, *options):
        command = [sys.executable, PEERS, name, "--diffie", self.diffie, "--data", self.data, "--threads", self.threads]
        if self.cache:
            command += ["--cache", self.cache]
        if self.isa:
            command += ["--isa", self.isa]
        return json.loads(self.text_of([*command, *options]))


def measured_quality():
    """What `diffie eval --record` left in each model directory."""
    return {path.parent.name: json.loads(path.read_text()) for path in sorted(ROOT.glob("models/*/measured.json"))}


def shortened(command):
    """The same with 16 sentences, one pass and at most 64 samples: to try the scripts, not to measure."""
    command = [str(part) for part in command]
    for name, value in (("--limit", "16"), ("--repeat", "1"), ("--latency", "4"), ("--starts", "1")):
        if name in command:
            command[command.index(name) + 1] = value
        else:
            command += [name, value]
    if "--samples" in command:
        at = command.index("--samples") + 1
        command[at] = ",".join([n for n in command[at].split(",") if int(n) <= 64] or ["64"])
    return command


def presets(model):
    return lambda setup: setup.bench("--model", model, "--preset", "fast,balanced,best", "--repeat", "3")


def asking_far(model):
    """What `balanced` would reach if it went after everything: F1 that its theta and branch cost."""
    return lambda setup: setup.bench("--model", model, "--preset", "balanced", "--theta", "0.001", "--branch", "6", *SPEED)


THETAS = ("0.3", "0.1", "0.06", "0.03", "0.01", "0.003")


def over_theta(model, *options):
    """`balanced` with other theta: the curve between speed and quality."""
    def measure(setup):
        rows = []
        for theta in THETAS:
            row, = setup.bench("--model", model, "--preset", "balanced", "--theta", theta, *SPEED, *options)
            rows.append({**row, "theta": float(theta)})
        return rows
    return measure


def thread_scaling(setup):
    counts = [str(2 ** power) for power in range(8) if 2 ** power <= (os.cpu_count() or 1)]
    return setup.bench("--preset", "balanced", "--threads", ",".join(counts), "--repeat", "3", "--latency", "0",
                       "--starts", "0", "--limit", "256")


# ---- The paper's preset at the paper's size

PAPER_SENTENCES = 4

def spread_sentences(setup, count):
    sys.path.insert(0, str(PEERS.parent))
    import run
    return run.spread_sentences(setup.dev(), count)


def paper_size_model(setup):
    if setup.paper_model:
        return setup.paper_model
    folder = setup.out / "paper-model"
    if not (folder / "config.json").exists():
        setup.text_of([setup.diffie, "model", "init", folder, "--name", "paper-size", "--vocab",
                       ROOT / "share" / "bert-base-uncased" / "vocab.txt", "--encoder-layers", "12", "--encoder-hidden", "768",
                       "--encoder-heads", "12", "--denoiser-layers", "6", "--denoiser-hidden", "512", "--denoiser-heads", "8"])
    return folder


def paper_samples(setup):
    return ["--samples", "16"] if setup.quick else []


def paper(setup, count=PAPER_SENTENCES):
    text = setup.out / "paper.txt"
    text.write_text("".join(line + "\n" for line in spread_sentences(setup, count)))
    return setup.bench("--model", paper_size_model(setup), "--preset", "paper", "--input", text,
                       *paper_samples(setup), *SPEED)


def torch_peer(batch):
    """`batch` sentences at once, padded; 1: no padding."""
    return lambda setup: setup.peer("torch", "--model", paper_size_model(setup), "--count", PAPER_SENTENCES, "--batch", batch,
                                    *paper_samples(setup))


def corenlp_peer(setup):
    return setup.peer("corenlp")


# ---- Kernels

def gemm(setup):
    """Rows "| K x N | M | fp32 | share | int8 | share | ratio |" of ops_bench, of the table of kernels in use."""
    text = setup.text_of([setup.build / "bench" / "ops" / "ops_bench", *([setup.isa] if setup.isa else [])])
    tables = re.split(r"^### (?:Narrow )?GEMM, (\S+):.*$", text, flags=re.M)
    rows = []
    for name, body in zip(tables[1::2], tables[2::2]):
        for shape, m, fp32, share, int8, _, ratio in re.findall(
                r"^\| (\d+ x \d+) \| (\d+) \| (\d+) \| (\d+) % \| (\d+) \| (\d+) % \| ([\d.]+) \|", body, flags=re.M):
            rows.append({"kernels": name, "shape": shape, "m": int(m), "fp32": float(fp32), "share": float(share) / 100,
                         "int8": float(int8), "int8_ratio": float(ratio)})
    return rows


# ---- Memory over a large input

def resident(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return None


def watch(setup, command, seconds=None):
    """Resident memory of a program, four times a second, until it ends or for so many seconds."""
    samples, begin = [], time.monotonic()
    with open(setup.out / "watched.jsonl", "wb") as out:
        process = subprocess.Popen([str(part) for part in command], stdout=out, env=setup.env)
        while process.poll() is None and (seconds is None or time.monotonic() - begin < seconds):
            time.sleep(0.25)
            memory = resident(process.pid)
            if memory:
                samples.append(memory)
        process.kill()
        process.wait()
    bytes_out = (setup.out / "watched.jsonl").stat().st_size
    (setup.out / "watched.jsonl").unlink()
    return {"seconds": time.monotonic() - begin, "bytes_out": bytes_out, "resident": samples}


def large_text(setup, megabytes):
    path = setup.out / f"large-{megabytes}.txt"
    lines = setup.dev().read_bytes()
    if not path.exists():
        with open(path, "wb") as out:
            for _ in range(megabytes * 1_000_000 // len(lines) + 1):
                out.write(lines)
    return path


def memory(setup):
    """All of a large text through a tiny model, and `small` on the same text for a minute."""
    text = large_text(setup, setup.megabytes)
    tiny = setup.out / "tiny-model"
    if not (tiny / "config.json").exists():
        setup.text_of([setup.diffie, "model", "init", tiny, "--vocab", ROOT / "share" / "bert-base-uncased" / "vocab.txt",
                       "--encoder-layers", "1", "--encoder-hidden", "16", "--denoiser-layers", "1", "--denoiser-hidden", "16"])
    extract = [setup.diffie, "extract", "--lines", "--format", "jsonl", "--threads", setup.threads]
    runs = {"megabytes": text.stat().st_size / 1e6}
    runs["tiny"] = watch(setup, [*extract, "--model", tiny, "--preset", "fast", "--samples", "1", "--steps", "1", *PLAIN, text])
    runs["small"] = watch(setup, [*extract, "--preset", "fast", text], seconds=10 if setup.quick else 60)
    text.unlink()
    return runs


# ---- Curves

def over_sentences(setup):
    return [setup.bench("--preset", "balanced", "--limit", str(count), "--repeat", "2", "--latency", "0", "--starts", "0")[0]
            for count in (40, 80, 160, 320, 640)]


def one_piece_words(setup):
    """Words of CaRB dev that are one piece each, in order, so that so many words are so many pieces."""
    words = []
    for line in setup.text_of([setup.diffie, "tokenize", setup.dev()]).splitlines():
        pieces = json.loads(line)["pieces"][1:-1]
        words += [piece for piece, after in zip(pieces, pieces[1:] + [""])
                  if piece.isalpha() and not after.startswith("##")]
    return words


def over_length(setup):
    words, rows = one_piece_words(setup), []
    for length in (8, 16, 32, 64, 128, 256, 510):
        count = max(4, 2048 // length)
        lines = [" ".join(words[(i * length) % 4096:][:length]) for i in range(count)]
        text = setup.out / "length.txt"
        text.write_text("".join(line + "\n" for line in lines))
        row, = setup.bench("--preset", "balanced", "--input", text, "--pretokenized", "--repeat", "2", "--latency", "0",
                           "--starts", "0")
        rows.append({**row, "length": length})  # without the model's implied words
    return rows
