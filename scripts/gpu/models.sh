#!/usr/bin/env bash
# The shipped models and the pools that their selectors learn from, side by side on one card:
#   scripts/gpu/models.sh DATA OUT BERT MINILM
# Folds: models that have not seen a third of LSOIE-examples sample that third (held-out pools for `diffie rank train`)
# and, as teachers, the sentences without triples (OUT/pools/extra-*, to DATA/teacher for prepare.sh).
# base learns from the gold set, small from distilled.safetensors where it is there; so does the second half of models/base,
# whose weights are the mean of both (diffie model convert --mean).
set -uo pipefail
data=$1 out=$2 bert=$3 minilm=$4
job() { "$(dirname "$0")/job.sh" "$data" "$out" "$@" & }

set_file=gold
[ -e "$data/distilled.safetensors" ] && set_file=distilled
for fold in 0 1 2; do
  job "base-f$fold" base "gold-f$fold" "$bert" "" "held-f$fold:128:16:held-base-f$fold" "held-f$fold:32:4:held-base-f$fold-t4" \
    "extra:32:16:extra-base-f$fold"
  job "small-f$fold" small "gold-f$fold" "$minilm" "" "held-f$fold:128:16:held-small-f$fold" "held-f$fold:32:4:held-small-f$fold-t4"
done
job base base gold "$bert" "${BASE_SETTINGS:-}" dev:512:16:base dev:128:4:base-t4
[ "$set_file" = distilled ] && job base-distilled base-distilled distilled "$bert" "" dev:512:16:base-distilled
job small small "$set_file" "$minilm" "${SMALL_SETTINGS:-}" dev:512:16:small dev:128:4:small-t4
wait
