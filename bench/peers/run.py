#!/usr/bin/env python3
"""Installs and runs the programs that diffie is compared with; one JSON line each.

    bench/peers/run.py corenlp --data DATA [--threads 2]        Stanford CoreNLP 4.5.10 OpenIE on CaRB dev, with its F1
    bench/peers/run.py torch --model DIR --data DATA            preset `paper` as a plain PyTorch program (torch/)
    bench/peers/run.py install                                  both, without running them

Packages come by name: a JDK and Maven from Debian, CoreNLP (1 GB with its models) from Maven, torch from PyPI. They
are kept in --cache and not fetched again. Neither start-up nor a first small call is counted.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DEFAULT_CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "diffie-peers"
# Where a program is to do without the wider registers of this machine.
ISA_LIMITS = {"avx2": {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2", "MKL_ENABLE_INSTRUCTIONS": "AVX2"}}
JAVA_LIMITS = {"avx2": ["-XX:UseAVX=2"]}


def call(command, **more):
    """Output goes to standard error, so that standard output has the results alone."""
    subprocess.run([str(part) for part in command], check=True, stdout=sys.stderr, **more)


def output_of(command, **more):
    return subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def install_corenlp(cache):
    jars, classes = cache / "jars", cache / "classes"
    call([ROOT / "scripts" / "install-deps.sh", "openjdk-17-jdk-headless", "maven"])
    if not list(jars.glob("stanford-corenlp-*-models.jar")):
        call(["mvn", "--batch-mode", "--quiet", "-Dstyle.color=never", "-f", HERE / "corenlp" / "pom.xml",
              f"-Dmaven.repo.local={cache / 'maven'}", "dependency:copy-dependencies", f"-DoutputDirectory={jars}"])
    classes.mkdir(parents=True, exist_ok=True)
    call(["javac", "-nowarn", "-cp", f"{jars}/*", "-d", classes, HERE / "corenlp" / "OpenIePeer.java"])
    return f"{jars}/*:{classes}"


def install_torch(cache):
    python = cache / "venv" / "bin" / "python"
    if not python.exists():
        call([ROOT / "scripts" / "install-deps.sh", "python3-venv"])
        call([sys.executable, "-m", "venv", cache / "venv"])
    if subprocess.run([python, "-c", "import torch, safetensors"], stderr=subprocess.DEVNULL).returncode != 0:
        call([python, "-m", "pip", "install", "--quiet", "numpy", "safetensors", "torch"])
    return python


def scores(diffie, gold, predictions):
    figures = {}
    for measure in ("carb", "carb_1_1"):
        command = [diffie, "score", measure, "--gold", gold, "--pred", predictions, "--pred-format", "tabbed", "--json"]
        score = json.loads(output_of(command))
        figures[measure] = {"f1": score["f1"], "auc": score["auc"]}
    return figures


def run_corenlp(args):
    class_path = install_corenlp(args.cache)
    dev = args.data / "carb" / "dev"
    with tempfile.TemporaryDirectory() as folder:
        found = pathlib.Path(folder) / "corenlp.tsv"
        command = ["java", "-Xmx6g", *JAVA_LIMITS.get(args.isa, []), "-cp", class_path, "OpenIePeer", dev / "dev.txt", found,
                   args.threads, args.passes]
        result = json.loads(output_of(command))
        result["quality"] = scores(args.diffie, dev / "dev.tsv", found)
    return result


def spread_sentences(path, count):
    """Evenly spread over the file, as they come."""
    lines = path.read_text().splitlines()
    return [lines[(2 * i + 1) * len(lines) // (2 * count)] for i in range(count)]


def run_torch(args):
    python = install_torch(args.cache)
    call([python, HERE / "torch" / "sampler_peer.py", "--check", ROOT / "tests" / "model" / "golden" / "uniform"])
    lines = spread_sentences(args.data / "carb" / "dev" / "dev.txt", args.count)
    with tempfile.TemporaryDirectory() as folder:
        text, pieces = pathlib.Path(folder) / "in.txt", pathlib.Path(folder) / "pieces.jsonl"
        text.write_text("".join(line + "\n" for line in lines))
        pieces.write_text(output_of([args.diffie, "tokenize", text]))
        command = [python, HERE / "torch" / "sampler_peer.py", args.model, pieces, "--samples", args.samples,
                   "--threads", args.threads, "--batch", args.batch, "--timed-steps", args.timed_steps]
        return json.loads(output_of(command, env={**os.environ, **ISA_LIMITS.get(args.isa, {})}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["install", "corenlp", "torch"])
    parser.add_argument("--cache", type=pathlib.Path, default=DEFAULT_CACHE)
    parser.add_argument("--diffie", type=pathlib.Path, default=ROOT / "build" / "release" / "diffie")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--isa", default="", help="avx2: no wider registers than that")
    parser.add_argument("--passes", type=int, default=2, help="corenlp: over all sentences; the fastest counts")
    parser.add_argument("--model", type=pathlib.Path, help="torch: model directory with fp32 weights")
    parser.add_argument("--count", type=int, default=4, help="torch: sentences, spread over the file")
    parser.add_argument("--batch", type=int, default=4, help="torch: sentences in a batch, padded; 1: no padding")
    parser.add_argument("--timed-steps", type=int, default=2, help="torch: steps that are measured, 0: all")
    parser.add_argument("--samples", type=int, default=512, help="torch: tag sequences per sentence")
    args = parser.parse_args()
    args.cache.mkdir(parents=True, exist_ok=True)
    if args.what == "install":
        install_corenlp(args.cache)
        install_torch(args.cache)
    else:
        print(json.dumps({"corenlp": run_corenlp, "torch": run_torch}[args.what](args)))


if __name__ == "__main__":
    main()
