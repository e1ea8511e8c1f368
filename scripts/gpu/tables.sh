#!/usr/bin/env bash
# Every run behind docs/notes/reproduction.md, side by side on one card (CPU time for launches is what limits one alone):
#   scripts/gpu/tables.sh DATA OUT ENCODER
# Then: scripts/reproduce/all.sh OUT/pools dev.tsv > docs/notes/reproduction.md
set -uo pipefail
data=$1 out=$2 encoder=$3
job() { "$(dirname "$0")/job.sh" "$data" "$out" "$1" paper "$2" "$encoder" "${@:3}" & }

for seed in 0 1 2 3 4; do job "paper-s$seed" paper-2500 "run.seed=$seed" "dev:512:16:paper-s$seed"; done
for rows in 50 250 1250 full; do job "size-$rows" "paper-$rows" "" "dev:512:16:size-$rows"; done
for schedule in cosine linear; do
  job "mdlm-$schedule" paper-2500 "diffusion.kernel=\"absorbing\" diffusion.schedule=\"$schedule\" diffusion.steps=64" \
    "dev:256:16:mdlm-$schedule-16" "dev:256:64:mdlm-$schedule-64" "dev:256:16:mdlm-$schedule-16-remask:1:0.05" \
    "dev:256:16:mdlm-$schedule-16-cold:0.8"
done
job tagger paper-2500 'run.objective="tagger"' dev:512:16:tagger
wait
