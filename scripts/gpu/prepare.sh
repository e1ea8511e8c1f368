#!/usr/bin/env bash
# What the runs of tables.sh and models.sh read, made where the data is (no GPU is needed):
#   scripts/gpu/prepare.sh DIR [diffie]
# Training files of every size and fold, those of the treebanks, and lists of sentences to sample. With pools of a teacher on
# DIR/extra.txt in DIR/teacher/*.jsonl, distilled*.safetensors too: the gold set and what they drew.
set -euo pipefail
dir=$1
diffie=${2:-build/release/diffie}
data=${DIFFIE_DATA_DIR:-../shared/data}
mkdir -p "$dir"

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
# Triples that rules read off the treebanks, each rule alone and all together, and their text.
trees=("$data/extra/ud/ewt.conllu" "$data/extra/ud/pud.conllu")
for rule in appositions possessives coordination relative nested plain; do
  "$diffie" data treebank "${trees[@]}" --rules "$rule" --out "$dir/treebank-$rule.jsonl"
  "$diffie" data build "$dir/treebank-$rule.jsonl" --implied --out "$dir/treebank-$rule.safetensors"
done
"$diffie" data treebank "${trees[@]}" --out "$dir/treebank.jsonl" --sentences "$dir/treebank.txt"
"$diffie" data build "$dir/treebank.jsonl" --implied --out "$dir/treebank.safetensors"

# Sentences without triples for the teachers: neither too short nor too long, none of dev's.
cut -f1 "$data/extra/imojie-4586.tsv" | cat "$data/extra/sentences.txt" - "$data/extra/wikipedia.txt" "$dir/treebank.txt" |
  awk 'NR == FNR { gsub(/[^A-Za-z0-9]/, ""); seen[$0] = 1; next }
       { key = $0; gsub(/[^A-Za-z0-9]/, "", key) } !seen[key]++ && NF >= 5 && NF <= 90' "$dir/dev.txt" - > "$dir/extra.txt"

pools=()
for pool in "$dir"/teacher/extra-fold-*.jsonl; do
  [ -e "$pool" ] && pools+=(--pool "$pool")
done
if [ ${#pools[@]} -gt 0 ]; then
  "$diffie" data distil "${pools[@]}" --draws 3 --add "$dir/gold.safetensors" --out "$dir/distilled.safetensors"
  "$diffie" data distil --pool "$dir/teacher/extra-base.jsonl" --draws 24 --add "$dir/gold.safetensors" --out "$dir/distilled-base.safetensors"
fi
