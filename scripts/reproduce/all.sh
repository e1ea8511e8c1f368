#!/usr/bin/env bash
# Every table, one after the other: scripts/reproduce/all.sh POOLS dev.tsv [diffie] > docs/notes/reproduction.md
set -euo pipefail
pools=$1
gold=$2
diffie=${3:-build/release/diffie}
here=$(dirname "$0")
export PYTHONDONTWRITEBYTECODE=1

cat <<'HEAD'
# The paper's tables, reproduced

Made by `scripts/reproduce/all.sh`; one script per table, each from pools of samples and CaRB dev's gold. Means over seeds with the sample deviation. A difference in bold is more than two
deviations, the larger of the paper's and ours. No test set is used.

HEAD
for name in main_results data_size mdlm tagger sensitivity discontinuity models; do
  printf '<!-- scripts/reproduce/%s.py POOLS --gold dev.tsv -->\n' "$name"
  "$here/$name.py" "$pools" --gold "$gold" --diffie "$diffie"
done
cat "$here/notes.md"
