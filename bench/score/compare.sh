#!/usr/bin/env bash
# Times `diffie score carb` against reference_carb.py, our Python transcription of the same definitions,
# and checks that both say the same. Usage: compare.sh DIFFIE GOLD.tsv PRED.tsv [RUNS]
# With CARB_DIR set to a checkout of CaRB (and CARB_PYTHON to a Python that has its packages) its own
# carb.py is timed too.
set -euo pipefail
diffie=$1 gold=$2 pred=$3 runs=${4:-5}
here=$(dirname "$(readlink -f "$0")")
python=${PYTHON:-python3}

# Median wall-clock seconds of RUNS runs.
median() {
  for _ in $(seq "$runs"); do
    local start end
    start=$(date +%s.%N)
    "$@" > /dev/null 2>&1
    end=$(date +%s.%N)
    echo "$end - $start" | bc -l
  done | sort -g | sed -n "$(((runs + 1) / 2))p"
}

"$python" - <(command "$diffie" score carb --gold "$gold" --pred "$pred" --json) \
            <("$python" "$here/reference_carb.py" carb "$gold" "$pred") <<'PY'
import json, sys
ours, theirs = (json.load(open(path)) for path in sys.argv[1:])
keys = ("precision", "recall", "f1", "auc")
difference = max(abs(ours[k] - theirs[k]) for k in keys)
print("largest difference in " + ", ".join(keys) + f": {difference:.1e}")
assert difference < 1e-9
PY
ours=$(median "$diffie" score carb --gold "$gold" --pred "$pred" --json)
transcription=$(median "$python" "$here/reference_carb.py" carb "$gold" "$pred")
printf 'diffie score carb     %.4f s\n' "$ours"
printf 'reference_carb.py     %.4f s   %.0fx\n' "$transcription" "$(echo "$transcription / $ours" | bc -l)"
if [[ -n ${CARB_DIR:-} ]]; then
  official=$(cd "$CARB_DIR" && median "${CARB_PYTHON:-python3}" carb.py --gold "$gold" --out /dev/null --tabbed "$pred")
  printf 'CaRB carb.py          %.4f s   %.0fx\n' "$official" "$(echo "$official / $ours" | bc -l)"
fi
