#!/usr/bin/env bash
# One training run and the pools sampled from it, as a job that stands beside others on one card:
#   scripts/gpu/job.sh DATA OUT NAME CONFIG FILE ENCODER "SETTINGS" [SENTENCES:SAMPLES:STEPS:POOL[:TEMPERATURE[:REMASK]]]...
# FILE: training files, joined by "+". A pool of an anchored model is asked for as SENTENCES:theta=THETA:BRANCH:POOL.
# DATA: folder of prepare.sh. OUT gets runs/NAME/ and pools/POOL.jsonl; OUT/status a line per event.
# ENCODER: encoder.safetensors, or the directory of a model to start from. SETTINGS: blank-separated table.key=value.
set -uo pipefail
data=$1 out=$2 name=$3 config=$4 file=$5 encoder=$6 settings=$7
shift 7
cd "$(dirname "$0")/../.."
train=build/gpu/diffie-train
run=$out/runs/$name
mkdir -p "$out/runs" "$out/pools"
export OMP_NUM_THREADS=1

tell() { echo "$name $1 after $SECONDS s" >> "$out/status"; }
files=()
for part in ${file//+/ }; do files+=(--data "$data/$part.safetensors"); done
start=(--encoder "$encoder")
[ -d "$encoder" ] && start=(--init "$encoder")
set_options=(--set eval.every=0 --set output.checkpoint_every=1000000)
for setting in $settings; do set_options+=(--set "$setting"); done
if ! "$train" run --config "configs/$config.toml" "${files[@]}" --vocab share/bert-base-uncased/vocab.txt \
  "${start[@]}" --out "$run" --quiet "${set_options[@]}" > "$out/$name.log" 2>&1; then
  tell "FAILED: $(tail -n 1 "$out/$name.log")"
  exit 1
fi
rm -f "$run/checkpoint.safetensors"
tell trained
for spec in "$@"; do
  IFS=: read -r sentences samples steps pool temperature remask <<< "$spec"
  how=(--samples "$samples" --steps "$steps" --temperature "${temperature:-1}" --remask "${remask:-0}")
  [[ $samples == theta=* ]] && how=(--theta "${samples#theta=}" --branch "$steps")
  "$train" sample --model "$run/model" --sentences "$data/$sentences.txt" "${how[@]}" --out "$out/pools/$pool.jsonl" >> "$out/$name.log" 2>&1 ||
    tell "POOL $pool FAILED: $(tail -n 1 "$out/$name.log")"
done
tell finished
