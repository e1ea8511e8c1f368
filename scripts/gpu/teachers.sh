#!/usr/bin/env bash
# The teachers of the shipped models, side by side on one card, and the pools that they give:
#   scripts/gpu/teachers.sh DATA OUT BERT
# Three models that have not seen a third of LSOIE-examples each give the pools of that third (OUT/pools/held-*), for
# judge and ranker; they and two models of all of it give those of the sentences without triples (OUT/pools/extra-*),
# and together scripts/data/merge_pools.py's (OUT/pools/extra.jsonl).
set -uo pipefail
data=$1 out=$2 bert=$3
here=$(dirname "$0")
job() { "$here/job.sh" "$data" "$out" "$@"; }

for fold in 0 1 2; do
  job "teacher-f$fold" anchored-teacher "gold-f$fold" "$bert" "" "held-f$fold:theta=0.01:4:held-f$fold" "extra:theta=0.01:4:extra-f$fold" &
done
for seed in 0 1; do
  job "teacher-s$seed" anchored-teacher gold "$bert" "run.seed=$seed" "dev:theta=0.03:2:dev-s$seed" "dev:theta=0.01:4:dev-wide-s$seed" \
    "extra:theta=0.01:4:extra-s$seed" &
done
wait
"$here/../data/merge_pools.py" "$out"/pools/extra-*.jsonl --out "$out/pools/extra.jsonl"
