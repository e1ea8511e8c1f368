#!/usr/bin/env bash
# The shipped models and the fold models that their rankers learn from, side by side on one card:
#   scripts/gpu/models.sh DATA OUT BERT MINILM
# Three rounds; DATA says which.
# 1. Without DATA/distilled.safetensors: models/base, and models that have not seen a third of LSOIE-examples. These sample that
#    third (OUT/pools/held-*, for `diffie rank train`); they and base, as teachers, sample the sentences without triples
#    (OUT/pools/extra-*, to DATA/teacher). prepare.sh makes distilled*.safetensors of that.
# 2. Without DATA/narrow.safetensors: the wide model, in two halves. scripts/encoder/prune_encoder.py makes narrow.safetensors of its
#    encoder and narrow-minilm.safetensors of MINILM, both 512 wide.
# 3. models/small, in two halves, and its fold models, which sample with its presets (docs/selection.md).
set -uo pipefail
data=$1 out=$2 bert=$3 minilm=$4
here=$(dirname "$0")
job() { "$here/job.sh" "$data" "$out" "$@"; }

if [ ! -e "$data/distilled.safetensors" ]; then
  for fold in 0 1 2; do
    job "base-f$fold" base "gold-f$fold" "$bert" "" "held-f$fold:128:16:held-base-f$fold" "held-f$fold:32:4:held-base-f$fold-t4" \
      "extra:32:16:extra-fold-$fold" &
  done
  job base base gold "$bert" "" dev:512:16:base dev:128:4:base-t4 extra:48:16:extra-base &
elif [ ! -e "$data/narrow.safetensors" ]; then
  job wide-distilled small-wide-distilled distilled "$minilm" "" &&
    job wide small-wide gold "$out/runs/wide-distilled/model" "" dev:512:16:wide dev:128:4:wide-t4 &
else
  job small-distilled small-distilled distilled-base "$data/narrow.safetensors" "" &&
    job small small gold "$out/runs/small-distilled/model" "" dev:512:16:small dev:128:4:small-t4 &
  for fold in 0 1 2; do job "small-f$fold" small-fold "gold-f$fold" "$data/narrow-minilm.safetensors" "" & done
fi
wait
