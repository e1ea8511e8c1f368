#!/usr/bin/env bash
# The shipped models and the fold models that their rankers learn from, side by side on one card:
#   scripts/gpu/students.sh DATA OUT BERT NARROW_BERT SMALL NARROW_MINILM
# Judges first, from what the teachers gave for sentences that they had not seen (DATA/judge.safetensors); these judge what the
# teachers together gave for the sentences without triples (DATA/distilled.safetensors); from that and LSOIE-examples learn
# base and small. OUT/pools gets what the fold models (held-*) and the models themselves (dev-*) give with the presets' settings.
set -uo pipefail
data=$1 out=$2 bert=$3 narrow=$4 small=$5 minilm=$6
here=$(dirname "$0")
job() { "$here/job.sh" "$data" "$out" "$@"; }

for seed in 0 1; do job "judge-$seed" judge judge "$bert" "run.seed=$seed" & done
wait
build/gpu/diffie-train label --model "$out/runs/judge-0/model" --model "$out/runs/judge-1/model" \
  --data "$data/distilled.safetensors" --out "$data/judged.safetensors" || exit 1
echo "labelled after $SECONDS s" >> "$out/status"

pools() { # SENTENCES NAME
  echo "$1:theta=0.06:1:$2-fast $1:theta=0.03:2:$2-balanced $1:theta=0.01:4:$2-best"
}
for fold in 0 1 2; do
  job "base-f$fold" base-distilled "gold-f$fold+judged" "$narrow" "" $(pools "held-f$fold" "held-base-f$fold") &
  job "small-f$fold" small-anchored "gold-f$fold+judged" "$minilm" "" $(pools "held-f$fold" "held-small-f$fold") &
done
job base base-distilled gold+judged "$narrow" "" $(pools dev dev-base) &
job small small-anchored gold+judged "$small" "" $(pools dev dev-small) &
if [ -e "$data/treebank.safetensors" ]; then
  job small-treebank small-anchored gold+judged+treebank "$small" "" $(pools dev dev-treebank) &
fi
wait
