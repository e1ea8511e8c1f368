#!/usr/bin/env bash
# What the runs of tables.sh, teachers.sh and students.sh read, made where the data is (no GPU is needed):
#   scripts/gpu/prepare.sh DIR [diffie]
# Two rounds; DIR says which.
# 1. Without DIR/teacher: training files of every size and fold, that of the treebanks, and lists of sentences to sample.
# 2. With the pools of teachers.sh in DIR/teacher (held-f*.jsonl, extra.jsonl): what the judges learn from, judged by
#    LSOIE-examples (judge.safetensors), and what the students learn from (distilled.safetensors).
set -euo pipefail
dir=$1
diffie=${2:-build/release/diffie}
data=${DIFFIE_DATA_DIR:-../shared/data}
here=$(dirname "$0")
mkdir -p "$dir"

if [ ! -d "$dir/teacher" ]; then
  for rows in 50 250 1250 2500; do
    "$diffie" data build --aligner paper --keep-duplicates --rows "$rows" --out "$dir/paper-$rows.safetensors"
  done
  "$diffie" data build --aligner paper --keep-duplicates --out "$dir/paper-full.safetensors"
  "$diffie" data build --implied --out "$dir/gold.safetensors"
  for fold in 0 1 2; do
    "$diffie" data build --implied --folds 3 --fold "$fold" --out "$dir/gold-f$fold.safetensors"
    "$diffie" data build --implied --folds 3 --fold "$fold" --held-out --out "$dir/held-f$fold.safetensors" --sentences "$dir/held-f$fold.txt"
  done

  cp "$data/carb/dev/dev.txt" "$dir/dev.txt"
  # Triples that rules read off the treebanks, and their text.
  "$diffie" data treebank "$data/extra/ud/ewt.conllu" "$data/extra/ud/pud.conllu" --out "$dir/treebank.jsonl" --sentences "$dir/treebank.txt"
  "$diffie" data build "$dir/treebank.jsonl" --implied --out "$dir/treebank.safetensors"

  # Sentences without triples for the teachers: neither too short nor too long, none of dev's, and none of LSOIE-examples,
  # which a fold model must not have seen.
  cut -f1 "$data/extra/imojie-4586.tsv" | cat "$data/extra/sentences.txt" - "$data/extra/wikipedia.txt" "$dir/treebank.txt" |
    awk 'NR == FNR { gsub(/[^A-Za-z0-9]/, ""); seen[$0] = 1; next }
         { key = $0; gsub(/[^A-Za-z0-9]/, "", key) } !seen[key]++ && NF >= 5 && NF <= 90' <(cat "$dir/dev.txt" "$dir"/held-f?.txt) - > "$dir/extra.txt"
else
  pools=()
  for fold in 0 1 2; do pools+=(--pool "$dir/teacher/held-f$fold.jsonl"); done
  "$diffie" data distil "${pools[@]}" --draws 0 --max-per-sentence 48 --gold "$data/lsoie-examples/lsoie-g-1.0.tsv" \
    --out "$dir/judge.safetensors"
  # The likeliest for the denoiser, and some of the others for the judge to say no to.
  "$here/../data/merge_pools.py" "$dir/teacher/extra.jsonl" --thin --out "$dir/teacher/extra-thin.jsonl"
  "$diffie" data distil --pool "$dir/teacher/extra-thin.jsonl" --draws 0 --max-per-sentence 24 --weight 4 \
    --out "$dir/distilled.safetensors"
fi
