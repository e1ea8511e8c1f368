#!/usr/bin/env bash
# Everything that docs/performance.md says of a GPU, measured on it in one go or part by part:
#   scripts/gpu/speed.sh DATA OUT [PART...]
# DATA: a folder with CaRB's dev.txt and dev.tsv; OUT: where the JSON goes. Parts: small, base, latency (speed.py),
# torch-small, torch-base, torch-paper (bench/peers/torch), roofline (cuda_ops_bench), paper where PAPER_MODEL names a
# model directory, which torch-paper takes too. None: all of them. BUILD: the build folder, build/cuda.
# PAPER_PRECISION: other than its preset's. PYTHON: one with torch and safetensors.
set -euo pipefail
data=$(realpath "$1") out=$(realpath -m "$2")
shift 2
cd "$(dirname "$0")/../.."
build=${BUILD:-build/cuda} python=${PYTHON:-python3}
peer() { "$python" bench/peers/torch/gpu_peer.py "$@" --out "$out"; }

mkdir -p "$out"
parts=("$@")
if [ ${#parts[@]} = 0 ]; then
  parts=(small base latency ${PAPER_MODEL:+paper} torch-small torch-base torch-paper roofline)
fi
own=()
for part in "${parts[@]}"; do
  case $part in small | base | paper | latency) own+=("$part") ;; esac
done
if [ ${#own[@]} != 0 ]; then
  scripts/gpu/speed.py "$data" "$out" --build "$build" --only "$(IFS=,; echo "${own[*]}")" ${PAPER_MODEL:+--paper-model "$PAPER_MODEL"} \
    ${PAPER_PRECISION:+--paper-precision "$PAPER_PRECISION"}
fi
for part in "${parts[@]}"; do
  case $part in
    small | base | paper | latency) ;;
    torch-*)
      "$build/diffie" tokenize "$data/dev.txt" > "$out/pieces.jsonl"
      case $part in
        torch-paper) peer paper --pieces "$out/pieces.jsonl" --count 32 ${PAPER_MODEL:+--model "$PAPER_MODEL"} ;;
        *) peer anchored --model "models/${part#torch-}" --pieces "$out/pieces.jsonl" ;;
      esac
      rm "$out/pieces.jsonl"
      ;;
    roofline) "$build/bench/cuda/cuda_ops_bench" models/small models/base paper --out "$out" ;;
    *) echo "speed.sh: no part '$part'" >&2; exit 2 ;;
  esac
done
