#!/usr/bin/env bash
# The shipped models and the fold models that their rankers learn from, side by side on one card:
#   scripts/gpu/students.sh DATA OUT BERT NARROW_BERT SMALL NARROW_MINILM
# Judges first, from what the teachers gave for sentences that they had not seen (DATA/judge.safetensors); these judge what the
# teachers together gave for the sentences without triples (DATA/distilled.safetensors). From that, LSOIE-examples and the
# treebanks learn base and small, base from the treebanks in a last epoch; the fold models learn without treebanks. OUT/pools
# gets what the fold models (held-*) and the models themselves (dev-*) give with the presets' settings.
# Encoders: bert-base-uncased; the same with feed-forward layers of 1536; that of the small model before (its
# model.safetensors); MiniLM's with 512 (docs/training.md).
set -uo pipefail
data=$1 out=$2 bert=$3 narrow=$4 small=$5 minilm=$6
here=$(dirname "$0")
job() { "$here/job.sh" "$data" "$out" "$@"; }

for seed in 0 1; do job "judge-$seed" judge judge "$bert" "run.seed=$seed" & done
wait
"$here/../../build/gpu/diffie-train" label --model "$out/runs/judge-0/model" --model "$out/runs/judge-1/model" \
  --data "$data/distilled.safetensors" --out "$data/judged.safetensors" || exit 1
echo "labelled after $SECONDS s" >> "$out/status"

pools() { # SENTENCES NAME
  echo "$1:theta=0.06:1:$2-fast $1:theta=0.03:2:$2-balanced $1:theta=0.01:4:$2-best"
}
for fold in 0 1 2; do
  job "base-f$fold" base-student "gold-f$fold+judged" "$narrow" "" $(pools "held-f$fold" "held-base-f$fold") &
  job "small-f$fold" small-student "gold-f$fold+judged" "$minilm" "" $(pools "held-f$fold" "held-small-f$fold") &
done
last_epoch="run.epochs=1 run.seed=1 optimizer.rate=2e-4 optimizer.encoder_rate=4e-5 optimizer.warmup=100"
job base-judged base-student gold+judged "$narrow" "" &&
  job base base-student gold+judged+treebank "$out/runs/base-judged/model" "$last_epoch" $(pools dev dev-base) &
job small small-student gold+judged+treebank "$small" "" $(pools dev dev-small) &
wait
