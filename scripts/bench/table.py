#!/usr/bin/env python3
"""Measures everything that the goals of speed speak of and prints them: goal, measured, F1 of the same run, met or not.

    scripts/bench/table.py [--peers] [--megabytes 1000] [--isa avx2]      (make bench runs it)
    scripts/bench/table.py --keep                 measure only what is not there yet
    scripts/bench/table.py --only presets-small,threads        measure these anew, take the others as they are
    scripts/bench/table.py --none                 print what is there

Results are kept as JSON in --out (build/bench); scripts/draw/benchmarks.py draws them. Needs the release build with DIFFIE_BENCH=ON and
the files of CaRB dev (--data). Let nothing else run meanwhile.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time

import goals
import measures

MEASURES = {
    "presets-small": measures.presets("small"),
    "presets-base": measures.presets("base"),
    "threads": measures.thread_scaling,
    "corenlp": measures.corenlp_peer,
    "paper": measures.paper,
    "torch": measures.torch_peer(batch=measures.PAPER_SENTENCES),
    "torch-unpadded": measures.torch_peer(batch=1),
    "gemm": measures.gemm,
    "memory": measures.memory,
    "over-sentences": measures.over_sentences,
    "over-length": measures.over_length,
    "quality-small": measures.over_theta("small"),
    "quality-base": measures.over_theta("base"),
    "far-small": measures.asking_far("small"),
    "far-base": measures.asking_far("base"),
}
PEERS = {"corenlp", "torch", "torch-unpadded"}


def parse():
    root = measures.ROOT
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=root / "build" / "release")
    parser.add_argument("--out", type=pathlib.Path, default=root / "build" / "bench")
    parser.add_argument("--data", type=pathlib.Path, default=root.parent / "shared" / "data")
    parser.add_argument("--isa", default="", help="kernels to use, avx2 for a machine that has more")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--megabytes", type=int, default=100, help="size of the text that memory is watched over")
    parser.add_argument("--quick", action="store_true", help="a few sentences and samples: to try this script, not to measure")
    parser.add_argument("--peers", action="store_true", help="run the peers too; installs them where they are not")
    parser.add_argument("--cache", type=pathlib.Path, help="where the peers are installed")
    parser.add_argument("--paper-model", type=pathlib.Path, help="a trained model of the paper's size, fp32 (default: random)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--keep", action="store_true")
    what.add_argument("--only")
    what.add_argument("--none", action="store_true")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    return parser.parse_args()


def wanted(args, setup):
    if args.none:
        return []
    names = args.only.split(",") if args.only else list(MEASURES)
    unknown = [name for name in names if name not in MEASURES]
    if unknown:
        sys.exit(f"unknown: {', '.join(unknown)}; there are {', '.join(MEASURES)}")
    if not args.only:
        names = [name for name in names if args.peers or name not in PEERS]
        names = [name for name in names if not name.endswith("-base") or setup.has_model("base")]
    if args.keep:
        names = [name for name in names if not (args.out / f"{name}.json").exists()]
    return names


def main():
    args = parse()
    args.out.mkdir(parents=True, exist_ok=True)
    setup = measures.Setup(args)
    if not args.none and not setup.dev().exists():
        sys.exit(f"{setup.dev()}: not there; --data names the directory of the benchmark data")
    for name in wanted(args, setup):
        begin = time.monotonic()
        print(f"{name} ...", end=" ", file=sys.stderr, flush=True)
        try:
            result = MEASURES[name](setup)
        except (subprocess.CalledProcessError, FileNotFoundError) as error:
            print(f"failed: {error}", file=sys.stderr)
            continue
        (args.out / f"{name}.json").write_text(json.dumps(result, indent=1) + "\n")
        print(f"{time.monotonic() - begin:.0f} s", file=sys.stderr)
    results = {name: json.loads((args.out / f"{name}.json").read_text())
               for name in MEASURES if (args.out / f"{name}.json").exists()}
    table = goals.goal_table(results, measures.measured_quality())
    print(table.markdown() if args.markdown else table.text())


if __name__ == "__main__":
    main()
