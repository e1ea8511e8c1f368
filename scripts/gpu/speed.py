#!/usr/bin/env python3
"""Sentences a second of `diffie extract`, end to end, with the GPU memory and the quality of the same configuration.

    scripts/gpu/speed.py DATA OUT [--only small,base,paper,latency] [--device cuda] [--paper-model DIR]

DATA: a folder with CaRB's dev.txt and dev.tsv. The corpus is dev.txt --copies times over; every configuration of the parts that are
asked for takes its turn, --repeat times, from a text file to JSONL on disk, start of the program included. F1 and AUC are
`diffie score` of `diffie extract -f carb` on dev with the same settings. GPU memory is the highest that nvidia-smi shows, twice a
second, CUDA's own and that of others included. `latency` is one sentence at a time, one thread, by `diffie bench`.

Prints a table and writes OUT/speed-DEVICE-PART.json, a row per configuration. Needs Python alone, the program and diffie-lab.
"""
import argparse
import contextlib
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PRESETS = ("fast", "balanced", "best")


def output_of(command):
    return subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True).stdout


def first_line(command):
    """Of what may not be there."""
    try:
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return None


def processor():
    with contextlib.suppress(OSError):
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor()


class GpuWatch:
    """The most memory in use and the mean load while it is open; nothing where there is no nvidia-smi."""

    QUERY = ["nvidia-smi", "--query-gpu=memory.used,utilization.gpu", "--format=csv,noheader,nounits", "--id=0"]

    def __init__(self, wanted):
        self.samples, self.ended = [], threading.Event()
        self.thread = threading.Thread(target=self.watch) if wanted else None

    def __enter__(self):
        if self.thread:
            self.thread.start()
        return self

    def watch(self):
        while not self.ended.wait(0.5) and (line := first_line(self.QUERY)):
            with contextlib.suppress(ValueError):
                self.samples.append(tuple(float(part) for part in line.split(",")))

    def __exit__(self, *_):
        self.ended.set()
        if self.thread:
            self.thread.join()

    def memory_bytes(self):
        return max((int(memory * 2**20) for memory, _ in self.samples), default=None)

    def load(self):
        return statistics.mean(load for _, load in self.samples) / 100 if self.samples else None


class Bench:
    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.diffie = args.build / "diffie"
        self.dev = args.data / "dev.txt"
        self.lines = self.dev.read_text().splitlines()

    def corpus(self, copies):
        """A file with dev so many times over, and its number of sentences."""
        path = self.folder / f"corpus-{copies}.txt"
        if not path.exists():
            path.write_text("".join(line + "\n" for line in self.lines) * copies)
        return path, len(self.lines) * copies

    def extract(self, model, preset, form, text, out):
        """Seconds from before the start of the program to after its end."""
        command = [self.diffie, "extract", "--model", model, "--preset", preset, "--device", self.args.device, "--pretokenized",
                   "--format", form]
        if self.args.threads:
            command += ["--threads", self.args.threads]
        if preset == "paper" and self.args.paper_precision:
            command += ["--precision", self.args.paper_precision]
        with open(out, "wb") as file:
            begin = time.monotonic()
            subprocess.run([str(part) for part in [*command, text]], check=True, stdout=file)
            return time.monotonic() - begin

    def quality(self, model, preset):
        found = self.folder / "found.carb"
        self.extract(model, preset, "carb", self.dev, found)
        figures = {}
        for measure in ("carb", "carb_1_1"):
            score = json.loads(output_of([self.diffie, "score", measure, "--gold", self.args.data / "dev.tsv", "--pred", found, "--json"]))
            figures[measure] = {"f1": score["f1"], "auc": score["auc"]}
        return figures

    def run(self, row, model, copies):
        """One turn."""
        text, sentences = self.corpus(copies)
        out = self.folder / "out.jsonl"
        with GpuWatch(self.args.device == "cuda") as watch:
            row["run_s"].append(self.extract(model, row["preset"], "jsonl", text, out))
        with open(out, "rb") as file:
            found = sum(1 for _ in file)
        out.unlink()
        if found != sentences:
            sys.exit(f"{row['model']} {row['preset']}: {found} lines for {sentences} sentences")
        row["sentences"] = sentences
        if watch.memory_bytes():
            row["gpu_memory_bytes"] = max(row["gpu_memory_bytes"] or 0, watch.memory_bytes())
            row["gpu_load"].append(watch.load())

    def latency(self, model, preset):
        command = [self.args.build / "diffie-lab", "bench", "--json", "--model", model, "--preset", preset, "--device", self.args.device,
                   "--threads", "1", "--input", self.dev, "--pretokenized", "--limit", len(self.lines), "--latency", len(self.lines),
                   "--repeat", "1", "--starts", "0"]
        row, = json.loads(output_of(command))["rows"]
        return {**row["latency"], "sentences_per_s": row["sentences_per_s"]}


def machine(args):
    return {"device": args.device, "gpu": first_line(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]),
            "cpu": processor(), "cores": len(os.sched_getaffinity(0)),
            "commit": os.environ.get("DIFFIE_REVISION") or first_line(["git", "-C", str(ROOT), "rev-parse", "HEAD"])}


def presets_of(args, part):
    return ["paper"] if part == "paper" else args.presets.split(",")


def measure_speed(bench, args, parts):
    """Rows by part; the configurations of all parts take turns."""
    folder_of = {part: args.paper_model if part == "paper" else ROOT / "models" / part for part in parts}
    new_row = lambda part, preset: {"model": part, "preset": preset, **machine(args), "run_s": [], "gpu_memory_bytes": None, "gpu_load": []}
    rows = {part: [new_row(part, preset) for preset in presets_of(args, part)] for part in parts}
    for turn in range(args.repeat):
        for part in parts:
            copies = args.paper_copies if part == "paper" else args.copies
            for row in rows[part]:
                if part == "paper" and turn >= args.paper_repeat:
                    continue
                bench.run(row, folder_of[part], copies)
                row["sentences_per_s"] = row["sentences"] / statistics.median(row["run_s"])
                print(f"turn {turn + 1}: {row['model']} {row['preset']}: {row['sentences'] / row['run_s'][-1]:.0f} sentences/s",
                      file=sys.stderr, flush=True)
                save(args, part, rows[part])
    for part in parts:
        for row in rows[part]:
            row["quality"] = bench.quality(folder_of[part], row["preset"])
        save(args, part, rows[part])
    return rows


def measure_latency(bench, args):
    rows = [{"model": model, "preset": preset, **machine(args), "latency": bench.latency(ROOT / "models" / model, preset)}
            for model in ("small", "base") for preset in args.presets.split(",")]
    save(args, "latency", rows)
    return rows


def save(args, part, rows):
    (args.out / f"speed-{args.device}-{part}.json").write_text(json.dumps(rows, indent=1) + "\n")


def speed_line(row):
    speeds = [row["sentences"] / seconds for seconds in row["run_s"]]
    memory = f"{row['gpu_memory_bytes'] / 1e9:.1f} GB" if row["gpu_memory_bytes"] else "-"
    quality = row["quality"]["carb"]
    return (f"{row['model']:<6} {row['preset']:<9} {statistics.median(speeds):>9,.0f} ({min(speeds):,.0f} to {max(speeds):,.0f}) "
            f"sentences/s  GPU memory {memory}  F1 / AUC {quality['f1'] * 100:.2f} / {quality['auc'] * 100:.2f}")


def latency_line(row):
    latency = row["latency"]
    return (f"{row['model']:<6} {row['preset']:<9} one sentence, one thread: mean {latency['mean_ms']:.2f} ms, p50 {latency['p50_ms']:.2f}, "
            f"p99 {latency['p99_ms']:.2f}; one thread, calls of 256: {latency['sentences_per_s']:.0f} sentences/s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--only", default="small,base,latency", help="of small, base, paper, latency")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "cuda")
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--presets", default=",".join(PRESETS), help="of small and base")
    parser.add_argument("--copies", type=int, default=312, help="of dev in the corpus")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--threads", type=int, default=0, help="of extract; 0: one a core")
    parser.add_argument("--paper-model", type=pathlib.Path, help="model directory whose preset `paper` is measured")
    parser.add_argument("--paper-precision", help="int8 (bf16 on a GPU), fp8, fp16 or fp32, not the preset's")
    parser.add_argument("--paper-copies", type=int, default=1)
    parser.add_argument("--paper-repeat", type=int, default=3)
    args = parser.parse_args()
    parts = args.only.split(",")
    unknown = set(parts) - {"small", "base", "paper", "latency"}
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    if "paper" in parts and not args.paper_model:
        parser.error("paper wants --paper-model")
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(args, pathlib.Path(folder))
        rows = measure_speed(bench, args, [part for part in parts if part != "latency"])
        lines = [speed_line(row) for part in rows for row in rows[part]]
        if "latency" in parts:
            lines += [latency_line(row) for row in measure_latency(bench, args)]
    print("\n".join(lines))


if __name__ == "__main__":
    main()
