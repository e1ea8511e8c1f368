#!/usr/bin/env bash
# The shipped models and the pools that their rankers learn from, side by side on one card:
#   scripts/gpu/models.sh DATA OUT BERT MINILM
# Two rounds. Without DATA/distilled.safetensors: models/base, and models that have not seen a third of LSOIE-examples.
# These sample that third (OUT/pools/held-*, for `diffie rank train`) and, as teachers, the sentences without triples
# (OUT/pools/extra-*). With those in DATA/teacher, prepare.sh makes distilled.safetensors, and the second round
# trains models/small in two halves.
set -uo pipefail
data=$1 out=$2 bert=$3 minilm=$4
here=$(dirname "$0")
job() { "$here/job.sh" "$data" "$out" "$@"; }

if [ ! -e "$data/distilled.safetensors" ]; then
  for fold in 0 1 2; do
    job "base-f$fold" base "gold-f$fold" "$bert" "" "held-f$fold:128:16:held-base-f$fold" "held-f$fold:32:4:held-base-f$fold-t4" \
      "extra:32:16:extra-base-f$fold" &
    job "small-f$fold" small-fold "gold-f$fold" "$minilm" "" "held-f$fold:128:16:held-small-f$fold" \
      "held-f$fold:32:4:held-small-f$fold-t4" &
  done
  job base base gold "$bert" "" dev:512:16:base dev:128:4:base-t4 &
else
  job small-distilled small-distilled distilled "$minilm" "" &&
    job small small gold "$out/runs/small-distilled/model" "" dev:512:16:small dev:128:4:small-t4 &
fi
wait
